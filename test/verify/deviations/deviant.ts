import type { WireReply } from "../../../src/emulator/http/delivery";
import { isObject, type JsonObject } from "../../../src/provider/schema/json";
import type { Answering, RelayedRequest } from "../../support/relay";

/** A console that behaves as no switch of the emulator does, and the answer that finds it. */
export interface Deviation {
  /** Completes "a console that". */
  readonly console: string;
  readonly question: string;
  readonly answer: string;
  readonly detail?: string;
  readonly answering: () => Answering;
}

/** True for a request of this method whose path ends so. */
export const sentTo = ({ method, path }: RelayedRequest, wanted: string, end: RegExp): boolean =>
  method === wanted && end.test(path);

/** A console whose objects of a path read otherwise. */
export const reading =
  (path: RegExp, change: (item: JsonObject) => JsonObject): Answering =>
  async (request, ask) =>
    path.test(request.path) ? withItems(await ask(request), change) : ask(request);

/** An answer whose objects are others. */
export function withItems(reply: WireReply, change: (item: JsonObject) => JsonObject): WireReply {
  return withBody(reply, (body) => {
    const { data } = body;
    if (Array.isArray(data)) return { ...body, data: data.map((one) => change(one as JsonObject)) };
    return isObject(data) ? { ...body, data: change(data) } : body;
  });
}

export function withBody(reply: WireReply, change: (body: JsonObject) => JsonObject): WireReply {
  return { ...reply, text: JSON.stringify(change(JSON.parse(reply.text) as JsonObject)) };
}

export const isNew = ({ name, id }: JsonObject): boolean => String(name ?? id).startsWith("fcverify_");

/** A console that reads the objects of this command otherwise. */
export const readingNew = (path: RegExp, change: (item: JsonObject) => JsonObject) => () =>
  reading(path, (item) => (isNew(item) ? change(item) : item));

/** A console whose gates have rules that read otherwise. */
export const readingRules = (change: (rule: JsonObject) => JsonObject) => () =>
  reading(/\/gates/, (gate) => ({ ...gate, rules: rulesOf(gate).map(change) }));

export const rulesOf = ({ rules }: JsonObject) => (Array.isArray(rules) ? (rules as JsonObject[]) : []);

/** A console that takes the body of a request as another one. */
export const taking =
  (method: string, path: RegExp, change: (body: JsonObject, before: JsonObject) => JsonObject) =>
  (): Answering =>
  async (request, ask) => {
    if (!sentTo(request, method, path)) return ask(request);
    const { text } = await ask({ ...request, method: "GET", body: "" });
    const before = (JSON.parse(text) as { data?: JsonObject }).data ?? {};
    return ask({ ...request, body: JSON.stringify(change(JSON.parse(request.body) as JsonObject, before)) });
  };

const ok = (data: unknown, status = 200): WireReply => ({
  status,
  headers: { "content-type": "application/json" },
  text: JSON.stringify({ message: "ok", data }),
});
export const refusal = (status: number, message = "Bad Request Exception"): WireReply => ({
  status,
  headers: { "content-type": "application/json" },
  text: JSON.stringify({ message }),
});

/** A console that answers some requests with this. */
export const answeringWith =
  (fits: (request: RelayedRequest) => boolean, reply: WireReply) => (): Answering => (request, ask) =>
    fits(request) ? Promise.resolve(reply) : ask(request);

/** A console that accepts what the emulator refuses with 400. */
export const accepting =
  (method: string, path: RegExp, status = 200) =>
  (): Answering =>
  async (request, ask) => {
    const reply = await ask(request);
    if (!sentTo(request, method, path) || reply.status !== 400) return reply;
    return ok(request.body === "" ? {} : JSON.parse(request.body), status);
  };

/** A console whose reads of a path show what they showed before, for so many looks after each write that `stale` makes old. */
export const late =
  (path: RegExp, looks: number, stale: (reply: WireReply) => WireReply) => (): Answering => {
    const seen = new Map<string, number>();
    return async (request, ask) => {
      const reply = await ask(request);
      if (!sentTo(request, "GET", path) || stale(reply) === reply) return reply;
      const count = (seen.get(request.path) ?? 0) + 1;
      seen.set(request.path, count);
      return count > looks ? reply : stale(reply);
    };
  };

/** A console whose pages of gates show others; `limit` and `page` as they were asked for. */
export const paging =
  (change: (body: JsonObject & { data: unknown[] }, limit: number, page: number) => JsonObject) =>
  (): Answering =>
  async (request, ask) => {
    const reply = await ask(request);
    if (!sentTo(request, "GET", /\/gates$/)) return reply;
    const query = new URLSearchParams(request.query);
    return withBody(reply, (body) =>
      change({ ...body, data: [body.data].flat() }, Number(query.get("limit")), Number(query.get("page"))),
    );
  };

export const withHeaders =
  (headers: Readonly<Record<string, string>>) => (): Answering => async (request, ask) => {
    const reply = await ask(request);
    return { ...reply, headers: { ...reply.headers, ...headers } };
  };
