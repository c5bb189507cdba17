import { jsonType, type WireReply } from "../http/delivery";

/** A reply whose text is JSON already. */
export const jsonReply = (status: number, text: string): WireReply => ({
  ...{ status, headers: { "content-type": jsonType }, text },
});

/** A reply with an object. */
export const reply = (status: number, body: object): WireReply => jsonReply(status, JSON.stringify(body));

/** A reply that says why not. */
export const refusal = (status: number, message: string): WireReply => reply(status, { status, message });
