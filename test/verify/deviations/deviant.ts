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

const shows =
  (members: JsonObject): Change =>
  (item) => ({ ...item, ...members });

const without =
  (member: string): Change =>
  ({ [member]: _, ...rest }) =>
    rest;

const answers = <Told>(console: string, told: Told, answering: Answering): Deviant<Told> => ({
  ...{ console, told, answering: () => answering },
});

const remembers = <Told>(console: string, told: Told, answering: () => Answering): Deviant<Told> => ({
  ...{ console, told, answering },
});

const replies = <Told>(
  console: string,
  told: Told,
  reply: WireReply,
  fits: (request: RelayedRequest) => boolean,
) => answers(console, told, (request, ask) => (fits(request) ? Promise.resolve(reply) : ask(request)));

const reads = <Told>(console: string, told: Told, path: RegExp, change: Change) =>
  answers(console, told, reading(path, change));

export const reading =
  (path: RegExp, change: Change): Answering =>
  async (request, ask) =>
    path.test(request.path) ? withItems(await ask(request), change) : ask(request);

const readsNew = <Told>(console: string, told: Told, path: RegExp, change: Change) =>
  reads(console, told, path, (item) => (isNew(item) ? change(item) : item));

const readsRules = (console: string, told: string, change: Change) =>
  reads(console, told, /\/gates/, (gate) => withRules(gate, rulesOf(gate).map(change)));

const withRules = (gate: JsonObject, rules: readonly JsonObject[]): JsonObject => ({ ...gate, rules });

const rulesOf = ({ rules }: JsonObject) => (Array.isArray(rules) ? (rules as JsonObject[]) : []);

/** A console whose pages of gates show others; `page`: the one that was asked for. */
const pages = (console: string, told: string, change: (body: JsonObject, page: number) => JsonObject) =>
  answers(console, told, async (request, ask) => {
    const reply = await ask(request);
    if (!sentTo(request, "GET", /\/gates$/)) return reply;
    return withBody(reply, (body) => change(body, Number(new URLSearchParams(request.query).get("page"))));
  });

const heads = <Told>(console: string, told: Told, headers: Readonly<Record<string, string>>) =>
  answers(console, told, async (request, ask) => {
    const reply = await ask(request);
    return { ...reply, headers: { ...reply.headers, ...headers } };
  });

/** A console that takes the body of a PATCH as another one. `before`: the object until then. */
const takes = (
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
const creates = (console: string, told: string, path: RegExp) =>
  answers(console, told, async (request, ask) => {
    const reply = await ask(request);
    if (!sentTo(request, "POST", path) || reply.status !== 400) return reply;
    return answer(201, { message: "ok", data: JSON.parse(request.body) });
  });

/** A console whose reads of a path show what they showed before, for so many looks after each write that `stale` makes old. */
const late = (
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

export const sentTo = ({ method, path }: RelayedRequest, wanted: string, end: RegExp): boolean =>
  method === wanted && end.test(path);

const withItems = (reply: WireReply, change: Change): WireReply =>
  withBody(reply, (body) => {
    const { data } = body;
    if (Array.isArray(data)) return { ...body, data: data.map((one) => change(one as JsonObject)) };
    return isObject(data) ? { ...body, data: change(data) } : body;
  });

export const withBody = (reply: WireReply, change: Change): WireReply => ({
  ...{ ...reply, text: JSON.stringify(change(JSON.parse(reply.text) as JsonObject)) },
});

const isNew = ({ name, id }: JsonObject): boolean => String(name ?? id).startsWith("fcverify_");

const answer = (status: number, body: JsonObject): WireReply => ({
  ...{ status, headers: { "content-type": "application/json" }, text: JSON.stringify(body) },
});
export const refusal = (status: number, message = "Bad Request Exception"): WireReply =>
  answer(status, { message });

const gates = /\/gates/;
const oneGate = /\/gates\/[^/]+$/;
const newGates = /\/gates\/fcverify/;
const configs = /\/dynamic_configs/;

/** Deviations that reads alone find. */
export const shownOtherwise: readonly Deviant[] = [
  pages("shows no pagination", "pageTotals: untold", ({ pagination: _, ...body }) => body),
  pages("ends its pages early", "pageTotals: untold", (body, page) =>
    page < 2 ? body : { ...body, pagination: { nextPage: null } },
  ),
  reads(
    "writes ids in capitals when they are read alone",
    "listedIds: otherwise (gates)",
    /\/gates\//,
    (gate) => ({ ...gate, id: String(gate.id).toUpperCase() }),
  ),
  reads("shows times in seconds", "shownTimes: seconds", /\/(gates|segments)/, (item) => ({
    ...item,
    createdTime: Math.floor(Number(item.createdTime) / 1000),
  })),
  reads("shows times as texts", "shownTimes: otherwise", gates, (gate) => ({
    ...gate,
    createdTime: new Date(0).toISOString(),
  })),
];

/** Deviations in how a console stores and shows what it was sent. */
export const storedOtherwise: readonly Deviant[] = [
  reads("merges lists", "patchedLists: merged", /\/gates\//, (gate) =>
    withRules(gate, [...rulesOf(gate), { name: "Former", passPercentage: 1 }]),
  ),
  readsNew("drops a field", "gateMembers: otherwise (description)", gates, without("description")),
  readsNew("renames a member", "gateMembers: otherwise (measureMetricLifts)", gates, (gate) => ({
    ...without("measureMetricLifts")(gate),
    measure_metric_lifts: gate.measureMetricLifts,
  })),
  readsRules("shows numbers as texts", "gateMembers: otherwise (rules)", (rule) => ({
    ...rule,
    passPercentage: String(rule.passPercentage),
  })),
  readsNew("writes tags in capitals", "gateMembers: otherwise (tags)", gates, (gate) => ({
    ...gate,
    tags: [gate.tags].flat().map((tag) => String(tag).toUpperCase()),
  })),
  readsNew(
    "drops null inside a default value",
    "dynamicConfigMembers: otherwise (defaultValue)",
    configs,
    (config) => ({ ...config, defaultValue: { ...(config.defaultValue as JsonObject), none: undefined } }),
  ),
  readsNew(
    "rounds the allocation of an experiment up",
    "experimentMembers: otherwise (allocation)",
    /\/experiments/,
    shows({ allocation: 100 }),
  ),
  readsNew(
    "drops the description of a layer",
    "layerMembers: otherwise (description)",
    /\/layers/,
    shows({ description: "" }),
  ),
  ignores("gatePatches: ignored (description)", oneGate),
  takes("resets another field in PATCH", "gatePatches: others (tags)", oneGate, shows({ tags: [] })),
  ignores("dynamicConfigPatches: ignored (defaultValue)", /\/dynamic_configs\/[^/]+$/),
  ignores("experimentPatches: ignored (allocation)", /\/experiments\/[^/]+$/),
  ignores("layerPatches: ignored (parameters)", /\/layers\/[^/]+$/),
  takes('ignores ""', "clearedTexts: kept", oneGate, (body, { description }) => ({ ...body, description })),
  takes(
    "merges objects",
    "patchedObjects: merged",
    /\/dynamic_configs\/[^/]+$/,
    (body, { defaultValue }) => ({
      ...body,
      defaultValue: { ...(defaultValue as JsonObject), ...(body.defaultValue as JsonObject) },
    }),
  ),
];

/** A console that ignores a PATCH of the member that the run is to name. */
function ignores(told: string, path: RegExp): Deviant {
  const member = /\((.*)\)/.exec(told)?.[1] ?? "";
  return takes(`ignores PATCH of ${member}`, told, path, without(member));
}

const former = shows({ description: "Former." });
export const withoutNew = (body: JsonObject): JsonObject => ({
  ...body,
  data: [body.data].flat().filter((one) => !isNew(one as JsonObject)),
});

/** Deviations in what a console does after a write, or with one that it may refuse. */
export const doneOtherwise: readonly Deviant[] = [
  creates("makes a second gate of the same name", "duplicateCreate: accepted", /\/gates$/),
  answers("refuses a second gate in other words", "duplicateCreate: reworded", async (request, ask) => {
    const reply = await ask(request);
    const isRefused = sentTo(request, "POST", /\/gates$/) && reply.status === 400;
    return isRefused ? refusal(400, "Name is not free") : reply;
  }),
  creates("makes a second segment of the same name", "duplicateSegments: accepted", /\/segments$/),
  late("answers 404 once after a create", "readAfterCreate: late", [newGates, 1], () => refusal(404)),
  late("shows a change after a while", "readAfterWrite: late", [newGates, 2], (reply) =>
    reply.text.includes("Changed.") ? withItems(reply, former) : reply,
  ),
  reads("never shows a change", "readAfterWrite: later", newGates, former),
  late("shows a stale list", "listAfterCreate: late", [/\/gates$/, 1], (reply) =>
    reply.text.includes("fcverify_test_1") ? withBody(reply, withoutNew) : reply,
  ),
  takes(
    "keeps the targeting of a holdout",
    "clearedTargeting: kept",
    /\/holdouts\/[^/]+$/,
    (body, { targetingGateID }) => ({ ...body, targetingGateID: body.targetingGateID || targetingGateID }),
  ),
  late("shows new ids after a while", "idListReads: late", [/\/id_list$/, 1], (reply) =>
    withItems(reply, shows({ ids: [] })),
  ),
  answers("adds ids in a reset", "resetIds: added", (request, ask) =>
    request.path.endsWith("/id_list/reset")
      ? ask({ ...request, method: "PATCH", path: request.path.replace(/\/reset$/, "") })
      : ask(request),
  ),
];

const forbidden = { ...refusal(200), text: JSON.stringify({ status: 403, message: "Forbidden resource" }) };

/** Deviations that a line of the report tells. */
export const reported: readonly Deviant<RegExp>[] = [
  reads(
    "has types that nobody knows",
    /^\d+ objects read, 5 with values unknown to this version: gates 5\.$/m,
    /\/gates$/,
    (gate) => (isNew(gate) ? gate : { ...gate, type: "EXPERIMENTAL" }),
  ),
  replies(
    "answers 200 with a refusal in the body",
    /^Not available here: metric sources \(403\)\.$/m,
    forbidden,
    ({ path }) => /\/metric_source/.test(path),
  ),
  replies(
    "lacks a route",
    /^Not available here: holdouts \(404\), holdout overrides \(404\)\.$/m,
    refusal(404, "Cannot GET /holdouts"),
    ({ path, method }) => method === "GET" && path.endsWith("/holdouts"),
  ),
];

/** A deviation that no question finds, and what is asked all the same. */
type Unfound = Deviant<{ readonly because: string; readonly only: readonly string[] }>;

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
const members = ["gateMembers", "gatePatches"];

/** Deviations that `verify` does not find. */
export const unfound: readonly Unfound[] = [
  reads(
    "shows null for empty lists",
    { because: "the provider treats both as equal", only: members },
    gates,
    (gate) =>
      Object.fromEntries(Object.entries(gate).map(([name, one]) => [name, isEmpty(one) ? null : one])),
  ),
  reads(
    "has new members that it fills in by itself",
    { because: "the provider leaves members that it does not know alone", only: members },
    gates,
    shows({ weather: "fair" }),
  ),
  heads(
    "calls its JSON plain text",
    { because: "the provider reads the text, whatever its type", only: ["gateMembers"] },
    { "content-type": "text/plain" },
  ),
];
