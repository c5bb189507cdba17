import { promises as timers } from "node:timers";
import type { Answer } from "./answers";
import { type ConsoleRequest, type ConsoleSettings, handle } from "./console";
import type { Fault, FaultPlan } from "./faults";
import type { Router } from "./routing";
import type { Store } from "./store";

/** A request that was received. Never its headers: they hold the key. */
export interface RecordedRequest {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly query: string;
  /** Name of the kind and of the route, such as `gate` and `patch`; undefined when no operation fits. */
  readonly kind?: string;
  readonly route?: string;
  /** Status of the answer; 0 when the connection was broken. */
  readonly status: number;
}

/** An answer as it goes over the wire. */
export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** What every way into the console shares: faults, the record of requests, and the text of answers. */
export interface Door {
  /** The reply; undefined when the connection is to be broken instead. */
  receive(request: ConsoleRequest): Promise<WireReply | undefined>;
  readonly requests: readonly RecordedRequest[];
  clearRequests(): void;
  /** Gives up the requests that are being delayed. */
  close(): void;
}

const observers = new Set<(request: RecordedRequest) => void>();

/** Tells of every request to any console of this process, until the returned function is called. */
export function observeRequests(observer: (request: RecordedRequest) => void): () => void {
  observers.add(observer);
  return () => observers.delete(observer);
}

const jsonType = "application/json; charset=utf-8";
const mostRecorded = 20_000;

/** Makes the door of a console. */
export function createDoor(store: Store, router: Router, settings: ConsoleSettings, faults: FaultPlan): Door {
  const requests: RecordedRequest[] = [];
  const closing = new AbortController();
  const record = (request: ConsoleRequest, status: number): void => {
    const [path = "", query = ""] = request.target.split(/\?(.*)/s);
    const match = router(request.method, path.replace(/^\/console\/v1/, ""));
    const names = match === undefined ? {} : { kind: match.behaviour.definition.name, route: match.name };
    if (requests.length >= mostRecorded) requests.shift();
    const entry = { method: request.method, path, query, ...names, status };
    requests.push(entry);
    for (const observer of observers) observer(entry);
  };
  const decide = async (request: ConsoleRequest): Promise<WireReply | undefined> => {
    const fault = faults.take(request.method, request.target.split("?")[0] ?? "");
    if (fault?.delayMs !== undefined)
      await timers.setTimeout(fault.delayMs, undefined, { signal: closing.signal });
    if (fault?.reset === "before") return undefined;
    const canned = fault === undefined ? undefined : cannedReply(fault);
    const reply = canned ?? textReply(handle(store, router, settings, request));
    return fault?.reset === "after" ? undefined : reply;
  };
  return {
    requests,
    close: () => closing.abort(),
    clearRequests() {
      requests.length = 0;
    },
    async receive(request) {
      const reply = await decide(request);
      record(request, reply?.status ?? 0);
      return reply;
    },
  };
}

/** The text of an answer. */
export function textReply({ status, body }: Answer): WireReply {
  return { status, headers: { "content-type": jsonType }, text: JSON.stringify(body) };
}

function cannedReply(fault: Fault): WireReply | undefined {
  if (fault.status === undefined && fault.body === undefined) return undefined;
  const status = fault.status ?? 200;
  const body = fault.body ?? { status, message: "A planned fault" };
  const headers: Record<string, string> = { "content-type": fault.contentType ?? jsonType };
  if (fault.retryAfter !== undefined) headers["retry-after"] = String(fault.retryAfter);
  return { status, headers, text: typeof body === "string" ? body : JSON.stringify(body) };
}
