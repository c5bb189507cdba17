import { promises as timers } from "node:timers";
import { type ConsoleRequest, type ConsoleSettings, handle } from "../console/console";
import { isSdkPath, type SdkEndpoints } from "../sdk/endpoints";
import type { Store } from "../store/store";
import { cannedReply, shaped, textReply, type WireReply } from "./delivery";
import type { Fault, FaultPlan } from "./faults";
import type { Router } from "./routing";

/** A request to the Console API that was received. Never its headers: they hold the key. */
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

/** Common part of all ways into the console: faults, the record of requests, and the text of answers. */
export interface Ingress {
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

const mostRecorded = 20_000;

/** Parts of a console behind its ingress. */
export interface Parts {
  readonly store: Store;
  readonly router: Router;
  readonly settings: ConsoleSettings;
  readonly faults: FaultPlan;
  readonly sdk: SdkEndpoints;
}

/** Makes the ingress of a console. */
export function createIngress(parts: Parts): Ingress {
  const { router, faults } = parts;
  const requests: RecordedRequest[] = [];
  const closing = new AbortController();
  const carrier = createCarrier(parts);
  const record = ({ method, target }: ConsoleRequest, status: number): void => {
    const [path = "", query = ""] = target.split(/\?(.*)/s);
    const match = router(method, path.replace(/^\/console\/v1/, ""));
    const names = match === undefined ? {} : { kind: match.behaviour.definition.name, route: match.name };
    if (requests.length >= mostRecorded) requests.shift();
    const entry = { method, path, query, ...names, status };
    requests.push(entry);
    for (const observer of observers) observer(entry);
  };
  const decide = async (request: ConsoleRequest): Promise<WireReply | undefined> => {
    const fault = faults.take(request.method, request.target.split("?")[0] ?? "");
    if (fault === undefined) return carrier.carryOut(request);
    if (fault.delayMs !== undefined)
      await timers.setTimeout(fault.delayMs, undefined, { signal: closing.signal });
    if (fault.reset === "before") return undefined;
    const reply = carrier.meet(fault, request);
    return fault.reset === "after" ? undefined : shaped(reply, fault);
  };
  return {
    requests,
    close() {
      closing.abort();
      carrier.close();
    },
    clearRequests() {
      requests.length = 0;
    },
    async receive(request) {
      const reply = await decide(request);
      // An SDK asks every few seconds, with its key in the path.
      if (!isSdkPath(request.target)) record(request, reply?.status ?? 0);
      return reply;
    },
  };
}

/** Carries requests out, and meets faults. It keeps the world before the last write only while a stale read is planned. */
function createCarrier({ store, router, settings, faults, sdk }: Parts) {
  let former: Store | undefined;
  const carryOut = (request: ConsoleRequest): WireReply => {
    const isRead = request.method === "GET";
    const before = !isRead && faults.expects(({ stale }) => stale === true) ? store.copy() : undefined;
    const reply = sdk(request) ?? textReply(handle(store, router, settings, request));
    const isKept = before !== undefined && reply.status < 300;
    (isKept ? former : before)?.close();
    if (isKept) former = before;
    return reply;
  };
  const meet = (fault: Fault, request: ConsoleRequest): WireReply => {
    const canned = cannedReply(fault, request.headers[settings.profile.keyHeader.toLowerCase()]);
    if (canned !== undefined && fault.carriedOut) carryOut(request);
    if (canned !== undefined) return canned;
    if (fault.stale && !isSdkPath(request.target))
      return textReply(handle(former ?? store, router, settings, request));
    const first = carryOut(request);
    const second = fault.twice === undefined ? first : carryOut(request);
    return fault.twice === "first" ? first : second;
  };
  return { carryOut, meet, close: () => former?.close() };
}
