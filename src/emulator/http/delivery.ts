import type { ServerResponse } from "node:http";
import { promises as timers } from "node:timers";
import { type Answer, notFound } from "../console/rules/outcomes";
import type { Fault } from "./faults";

/** Disturbance of an answer on its way. */
export type Delivery = Readonly<Pick<Fault, "stall" | "byteEveryMs" | "truncate">>;

/** An answer as it goes over the wire. */
export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly delivery?: Delivery;
}

const textFor = (status: number, key: string | undefined): string =>
  status === 401 ? `An invalid API key was sent. Key: ${key ?? ""}` : "A planned fault";

/** The content type of every answer of the console. */
const jsonType = "application/json; charset=utf-8";

/** A reply whose text is JSON already. */
export const jsonReply = (status: number, text: string): WireReply => ({
  ...{ status, headers: { "content-type": jsonType }, text },
});

/** An answer as it goes over the wire. */
export const textReply = ({ status, body }: Answer): WireReply => jsonReply(status, JSON.stringify(body));

/** A reply that says why not. */
export const refusal = (status: number, message: string): WireReply =>
  textReply({ status, body: { status, message } });

/**
 * The answer that a fault brings instead of the console's own; undefined when it brings none. Like the console's, a 401
 * without a text of its own repeats the key that was sent, and a 404 says what it means.
 */
export function cannedReply(fault: Fault, key: string | undefined): WireReply | undefined {
  if (fault.status === undefined && fault.body === undefined) return undefined;
  const status = fault.status ?? 200;
  const body =
    fault.body ?? (status === 404 ? notFound().answer.body : { status, message: textFor(status, key) });
  const headers: Record<string, string> = { "content-type": jsonType };
  if (fault.retryAfter !== undefined) headers["retry-after"] = String(fault.retryAfter);
  return { status, headers, text: typeof body === "string" ? body : JSON.stringify(body) };
}

/** An answer in the form that a fault gives it. */
export function shaped(reply: WireReply, { contentType, stall, byteEveryMs, truncate }: Fault): WireReply {
  const headers =
    contentType === undefined ? reply.headers : { ...reply.headers, "content-type": contentType };
  return { ...reply, headers, delivery: { stall, byteEveryMs, truncate } };
}

/** Writes an answer to a socket, in the form that its delivery asks for. Ends early when the other side has gone. */
export async function deliver(response: ServerResponse, reply: WireReply): Promise<void> {
  const { stall, byteEveryMs, truncate } = reply.delivery ?? {};
  if (stall === "answer") return;
  const whole = Buffer.from(reply.text);
  const half = whole.subarray(0, Math.floor(whole.length / 2));
  const announced = truncate === "right" ? half.length : whole.length;
  response.writeHead(reply.status, { ...reply.headers, "content-length": announced });
  if (stall === "body") {
    // A body of nothing would be complete: there the headers are held back with it.
    if (whole.length > 0) response.write(half.length > 0 ? half : "");
    return;
  }
  if (truncate === "wrong") return void response.write(half, () => response.destroy());
  if (byteEveryMs !== undefined) await writeSlowly(response, whole, byteEveryMs);
  response.end(truncate === "right" ? half : byteEveryMs === undefined ? whole : undefined);
}

async function writeSlowly(response: ServerResponse, bytes: Buffer, pauseMs: number): Promise<void> {
  response.flushHeaders();
  for (let at = 0; at < bytes.length && !response.destroyed; at += 1) {
    response.write(bytes.subarray(at, at + 1));
    await timers.setTimeout(pauseMs);
  }
}

/**
 * Delivers an answer inside the process, as a socket would. Rejects when the answer ends too early;
 * never settles when it never ends, so the caller watches its own signal.
 */
export async function handOver(reply: WireReply, signal: AbortSignal | undefined): Promise<WireReply> {
  const { delivery: { stall, byteEveryMs, truncate } = {}, ...plain } = reply;
  if (stall !== undefined) return new Promise<never>(() => {});
  if (truncate === "wrong") throw brokenOff();
  const bytes = Buffer.from(plain.text);
  if (byteEveryMs !== undefined)
    await timers.setTimeout(byteEveryMs * bytes.length, undefined, signal === undefined ? {} : { signal });
  if (truncate === undefined) return plain;
  return { ...plain, text: bytes.subarray(0, Math.floor(bytes.length / 2)).toString("utf8") };
}

/** Like a broken connection, this leaves open whether the request was carried out. */
export function brokenOff(): Error {
  return Object.assign(new Error("The connection was reset"), { code: "ECONNRESET" });
}
