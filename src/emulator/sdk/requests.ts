import { isObject, type JsonObject } from "../../provider/schema/json";
import { jsonType, type WireReply } from "../http/delivery";

/** A request as the endpoints see it; its body is plain text whatever its content encoding was. */
export interface SdkRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string | undefined;
}

/** The path of a target, without its query. */
export const pathOf = (target: string): string => target.split("?", 1)[0] ?? "";

/** The query of a request. */
export const queryOf = ({ target }: SdkRequest): URLSearchParams =>
  new URLSearchParams(target.split("?")[1] ?? "");

/** The key that came with a request: client SDKs write it into the query, where a browser asks nobody for leave. */
export const keyOf = (request: SdkRequest): string | undefined =>
  request.headers["statsig-api-key"] ?? queryOf(request).get("k") ?? undefined;

/** The object that an SDK sends; empty for what is none. */
export function readSdkBody(request: SdkRequest): JsonObject {
  try {
    const parsed: unknown = JSON.parse(plainText(request) || "{}");
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/**
 * In a browser client SDKs turn their text around behind base64: one says so in the query (`@statsig/js-client` 3.33.5), one in a
 * header (`statsig-js` 5.1.0).
 */
function plainText(request: SdkRequest): string {
  const { body = "", headers } = request;
  if (queryOf(request).get("se") !== "1" && headers["statsig-encoded"] !== "1") return body;
  return Buffer.from([...body].reverse().join(""), "base64").toString("latin1");
}

/** A reply whose text is JSON already. */
export const jsonReply = (status: number, text: string): WireReply => ({
  ...{ status, headers: { "content-type": jsonType }, text },
});

/** A reply with an object. */
export const reply = (status: number, body: object): WireReply => jsonReply(status, JSON.stringify(body));

/** A reply that says why not. */
export const refusal = (status: number, message: string): WireReply => reply(status, { status, message });
