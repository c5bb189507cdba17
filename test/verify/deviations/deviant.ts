import type { WireReply } from "../../../src/emulator/http/delivery";
import { isObject, type JsonObject } from "../../../src/provider/schema/json";
import type { Answering, RelayedRequest } from "../../support/relay";

/** A console that behaves as no switch of the emulator does. */
export interface Deviant<Told = string> {
  /** Completes "a console that". */
  readonly console: string;
  /** How the run tells it. Of most it is the question and its answer: `gateMembers: otherwise (tags)`. */
  readonly told: Told;
  readonly answering: () => Answering;
}

type Change = (item: JsonObject) => JsonObject;

/** An object that shows these members otherwise. */
export const shows =
  (members: JsonObject): Change =>
  (item) => ({ ...item, ...members });

/** An object without a member. */
export const without =
  (member: string): Change =>
  ({ [member]: _, ...rest }) =>
    rest;

/** A console with an answer of its own to each request. */
export const answers = <Told>(console: string, told: Told, answering: Answering): Deviant<Told> => ({
  ...{ console, told, answering: () => answering },
});

/** A console that remembers something between two requests. */
const remembers = <Told>(console: string, told: Told, answering: () => Answering): Deviant<Told> => ({
  ...{ console, told, answering },
});

/** A console that answers the requests that fit with this. */
export const replies = <Told>(
  console: string,
  told: Told,
  reply: WireReply,
  fits: (request: RelayedRequest) => boolean,
) => answers(console, told, (request, ask) => (fits(request) ? Promise.resolve(reply) : ask(request)));

/** A console whose objects of a path read otherwise. */
export const reads = <Told>(console: string, told: Told, path: RegExp, change: Change) =>
  answers(console, told, reading(path, change));

export const reading =
  (path: RegExp, change: Change): Answering =>
  async (request, ask) =>
    path.test(request.path) ? withItems(await ask(request), change) : ask(request);

/** A console that reads the objects of this command otherwise. */
export const readsNew = <Told>(console: string, told: Told, path: RegExp, change: Change) =>
  reads(console, told, path, (item) => (isNew(item) ? change(item) : item));

/** A console whose gates have rules that read otherwise. */
export const readsRules = (console: string, told: string, change: Change) =>
  reads(console, told, /\/gates/, (gate) => withRules(gate, rulesOf(gate).map(change)));

export const withRules = (gate: JsonObject, rules: readonly JsonObject[]): JsonObject => ({ ...gate, rules });

export const rulesOf = ({ rules }: JsonObject) => (Array.isArray(rules) ? (rules as JsonObject[]) : []);

/** A console whose pages of gates show others; `page`: the one that was asked for. */
export const pages = (
  console: string,
  told: string,
  change: (body: JsonObject, page: number) => JsonObject,
) =>
  answers(console, told, async (request, ask) => {
    const reply = await ask(request);
    if (!sentTo(request, "GET", /\/gates$/)) return reply;
    return withBody(reply, (body) => change(body, Number(new URLSearchParams(request.query).get("page"))));
  });

/** A console with other headers. */
export const heads = <Told>(console: string, told: Told, headers: Readonly<Record<string, string>>) =>
  answers(console, told, async (request, ask) => {
    const reply = await ask(request);
    return { ...reply, headers: { ...reply.headers, ...headers } };
  });

/** A console that takes the body of a PATCH as another one. `before`: the object until then. */
export const takes = (
  console: string,
  told: string,
  path: RegExp,
  change: (body: JsonObject, before: JsonObject) => JsonObject,
) =>
  answers(console, told, async (request, ask) => {
    if (!sentTo(request, "PATCH", path)) return ask(request);
    const { text } = await ask({ ...request, method: "GET", body: "" });
    const before = (JSON.parse(text) as { data?: JsonObject }).data ?? {};
    return ask({ ...request, body: JSON.stringify(change(JSON.parse(request.body) as JsonObject, before)) });
  });

/** A console that creates what the emulator refuses with 400. */
export const creates = (console: string, told: string, path: RegExp) =>
  answers(console, told, async (request, ask) => {
    const reply = await ask(request);
    if (!sentTo(request, "POST", path) || reply.status !== 400) return reply;
    return answer(201, { message: "ok", data: JSON.parse(request.body) });
  });

/** A console whose reads of a path show what they showed before, for so many looks after each write that `stale` makes old. */
export const late = (
  console: string,
  told: string,
  [path, looks]: readonly [RegExp, number],
  stale: (reply: WireReply) => WireReply,
) =>
  remembers(console, told, () => {
    const seen = new Map<string, number>();
    return async (request, ask) => {
      const reply = await ask(request);
      if (!sentTo(request, "GET", path) || stale(reply) === reply) return reply;
      const count = (seen.get(request.path) ?? 0) + 1;
      seen.set(request.path, count);
      return count > looks ? reply : stale(reply);
    };
  });

/** True for a request of this method whose path ends so. */
export const sentTo = ({ method, path }: RelayedRequest, wanted: string, end: RegExp): boolean =>
  method === wanted && end.test(path);

/** An answer whose objects are others. */
export const withItems = (reply: WireReply, change: Change): WireReply =>
  withBody(reply, (body) => {
    const { data } = body;
    if (Array.isArray(data)) return { ...body, data: data.map((one) => change(one as JsonObject)) };
    return isObject(data) ? { ...body, data: change(data) } : body;
  });

export const withBody = (reply: WireReply, change: Change): WireReply => ({
  ...{ ...reply, text: JSON.stringify(change(JSON.parse(reply.text) as JsonObject)) },
});

export const isNew = ({ name, id }: JsonObject): boolean => String(name ?? id).startsWith("fcverify_");

const answer = (status: number, body: JsonObject): WireReply => ({
  ...{ status, headers: { "content-type": "application/json" }, text: JSON.stringify(body) },
});
export const refusal = (status: number, message = "Bad Request Exception"): WireReply =>
  answer(status, { message });
