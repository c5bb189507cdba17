import { type EmulatorOptions, type RunningEmulator, startEmulator } from "../../../src/emulator";
import type { JsonObject } from "../../../src/provider/schema/json";
import { allCases } from "../../acceptance/all-cases";
import type { Case } from "../../acceptance/cases";
import { fixtures, handle } from "../../acceptance/handled";
import { isNone } from "../../acceptance/plan";
import { type Tool, type ToolKind, tools } from "../../acceptance/tools";
import { deskOf, testKey } from "../../emulator/desk";
import { awkward, type Known, known, rulesFor } from "./awkward";
import { addForeign, foreignCount } from "./foreign";
import { type HeldKind, History, idsOfList, type Made, sinceOf } from "./history";
import { awkwardTexts, keysOf, type Letters, nameFor, namesOf } from "./texts";

/** Shares of a thousand objects, in the order in which they are made. Every kind has one at least. */
const shares = {
  ...{ tag: 35, targetApp: 8, unitIdType: 6, team: 8, role: 6, releasePipeline: 8, key: 3, metricSource: 12 },
  ...{ qualifyingEvent: 8, entityProperty: 8, assignmentSource: 8, metric: 70, segment: 80, gate: 370 },
  ...{ dynamicConfig: 130, layer: 25, experiment: 70, holdout: 15, paramStore: 12, autotune: 8, alert: 15 },
  ...{ prompt: 6, gateOverrides: 12 },
} as const satisfies Record<Exclude<HeldKind, AloneKind | UnlistedKind>, number>;
type SharedKind = keyof typeof shares;
/** Kinds that no list or read of the console shows whole. */
type UnlistedKind = "ingestion" | "ingestionSchedule" | "warehouseConnection";

const flags = { isProduction: false, requiresReview: false, requiresReleasePipeline: false };
/** Settings, of which a project has one each, and overrides of the objects that are there from the start. */
const alone = [
  [
    "environments",
    {
      environments: ["production", "staging", "development", 'pre "prod" `x`'].map((name, at) => ({
        ...{ name, ...flags, isProduction: at === 0, requiresReleasePipeline: at === 3 },
      })),
    },
  ],
  ["projectSettings", { name: `The \`shop\` " \${x}`, visibility: "CLOSED", default_unit_type: "userID" }],
  ["reviewSettings", casesOf("reviewSettings")[0] ?? {}],
  ["roleSettings", casesOf("roleSettings")[0] ?? {}],
  ["teamSettings", { require_teams_on_configs: false }],
  ...(["holdoutOverrides", "experimentOverrides", "layerOverrides"] as const).map(
    (kind) => [kind, casesOf(kind)[0] ?? {}] as const,
  ),
] as const satisfies readonly (readonly [ToolKind, JsonObject])[];
type AloneKind = (typeof alone)[number][0];

/** A messy console before it is there: pure, and the same for the same seed. */
export interface MessyPlan {
  readonly seed: Readonly<Record<string, readonly JsonObject[]>>;
  readonly made: readonly Made[];
  /** How many objects there are of each kind. */
  readonly counts: Readonly<Partial<Record<HeldKind, number>>>;
}

/**
 * A console as a team of some years has it: `count` objects of all kinds, from 70. They are the cases of `test/acceptance`, each made
 * awkward in some way.
 */
export function planMessyConsole(wish: { readonly seed: number; readonly count: number }): MessyPlan {
  const history = new History(wish.seed);
  const there = known();
  for (const [list, items] of Object.entries(fixtures))
    for (const item of items) history.plant(kindIn(list), list, item as JsonObject);
  for (const [kind, body] of alone) history.make(kind, body);
  for (const [kind, number] of numbersOf(wish.count))
    if (kind === "gateOverrides") addGateOverrides(history, number);
    else addKind(history, there, kind, number);
  addForeign(history, wish.count);
  return { seed: history.seed, made: history.made, counts: history.counts };
}

/** A console of gates alone. */
export function planManyGates(count: number): MessyPlan {
  const conditions = [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }];
  const gates = Array.from({ length: count }, (_, at) => ({
    ...{ id: `gate_${at}`, name: `gate_${at}`, description: `Gate number ${at}` },
    rules: [{ name: "Staff", passPercentage: at % 100, conditions }],
  }));
  return { seed: { gates }, made: [], counts: { gate: count } };
}

/** `targetApp` of `target_apps`. */
const kindIn = (list: string) =>
  list.slice(0, -1).replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as HeldKind;

/** How many of each kind people make; gates are what rounding leaves. */
function numbersOf(count: number): [SharedKind, number][] {
  const left = count - alone.length - foreignCount(count) - Object.keys(fixtures).length;
  const kinds = Object.entries(shares) as [SharedKind, number][];
  const whole = kinds.reduce((sum, [, share]) => sum + share, 0);
  const numbers = kinds.map(([kind, share]): [SharedKind, number] => [
    kind,
    Math.max(1, Math.floor((left * share) / whole)),
  ]);
  const others = numbers.reduce((sum, [kind, number]) => sum + (kind === "gate" ? 0 : number), 0);
  if (left - others < 1) throw new Error(`A messy console has 70 objects or more, not ${count}.`);
  return numbers.map(([kind, number]) => [kind, kind === "gate" ? left - others : number]);
}

/** The bodies of a kind that leave something to import, the fullest first. */
function casesOf(kind: ToolKind): JsonObject[] {
  const isUsed = ({ kind: of, what, made, body }: Case) =>
    of === kind && made === undefined && !what.startsWith("a rule for") && !Object.values(body).every(isNone);
  const bodies = allCases.filter(isUsed).map(({ body }) => body);
  return bodies.toSorted((a, b) => Object.keys(b).length - Object.keys(a).length);
}

/** Kinds whose keys or names take only some letters. */
const letters: Readonly<Partial<Record<ToolKind, Letters>>> = {
  ...{ gate: "dotted", dynamicConfig: "dotted", segment: "plain", experiment: "plain" },
  ...{ layer: "spaced", holdout: "spaced", prompt: "spaced" },
};

function addKind(history: History, there: Known, kind: SharedKind, count: number): void {
  const of = letters[kind];
  const names = of === undefined ? namesOf(kind, count) : keysOf(history.dice, count + 1, of);
  const isFree = (name: string) => !(there[kind as "gate"] ?? []).includes(name);
  for (const [at, name] of names.filter(isFree).slice(0, count).entries()) {
    const isList = kind === "segment" && at % 3 === 1;
    const cases = casesOf(isList ? "idList" : kind);
    const one = caseFor(history, kind, cases[at % cases.length] ?? {}, at);
    if (kind === "experiment") one.groups = groupsOf(one, name);
    if (cases.some(({ tags }) => tags) && history.dice.roll() < 0.4) one.tags = history.some(there.tag, 3);
    if (cases.some(({ description }) => description) && at % 3 !== 2) one.description = "about it";
    const body = { ...awkward(history, there, one, at), ...programId(history, kind, name, at) };
    const lists = history.made.filter((made) => made.kind === "idList").length;
    if (isList) history.make("idList", { ...body, ids: idsOfList(lists) });
    else history.make(kind, body, sinceOf(kind, body, at));
    if (kind === "metric") there.metric.push({ name, type: String(body.type) });
    else if (kind in there) there[kind as "gate"].push(name);
  }
  if (kind === "gate" || kind === "segment") addCycles(history, kind);
}

/** A case of a kind with rules where it has none, and sometimes a template. */
function caseFor(history: History, kind: SharedKind, body: JsonObject, at: number): JsonObject {
  const isTemplate = (kind === "gate" || kind === "dynamicConfig") && at % 23 === 7;
  const hasRules = kind === "gate" || kind === "dynamicConfig" || body.type === "rule_based";
  return {
    ...(kind === "dynamicConfig" && !("defaultValueJson5" in body) ? { defaultValue: {} } : {}),
    ...(hasRules ? { rules: rulesFor(history, kind as "gate", at) } : {}),
    ...body,
    ...(isTemplate ? { isTemplate } : {}),
  };
}

function programId(history: History, kind: SharedKind, name: string, at: number): JsonObject {
  if (kind === "key") return { description: `${awkwardTexts[at % awkwardTexts.length]?.slice(0, 80)} ${at}` };
  const isKeyed = ["gate", "dynamicConfig", "segment", "experiment"].includes(kind);
  return isKeyed ? { id: name, name: nameFor(history.dice, name, at, letters[kind] === "dotted") } : { name };
}

/** Groups whose ids are known. */
function groupsOf({ groups, controlGroupID }: JsonObject, key: string): JsonObject[] {
  const halves = ["Control", "Test"].map((name) => ({ name, size: 50, parameterValues: { a: 1 } }));
  const all = (isNone(groups) ? halves : groups) as JsonObject[];
  return all.map((group, nth) => ({
    ...group,
    id: nth === 1 && controlGroupID ? controlGroupID : `${key}_${nth}`,
  }));
}

/** Gates or segments that ask each other: a pair, a ring of three, and a gate that asks itself. */
function addCycles(history: History, kind: "gate" | "segment"): void {
  const isUsable = ({ kind: of, since, body }: Made) =>
    of === kind && since.length === 0 && (kind === "segment" ? body.type === "rule_based" : isPlain(body));
  const [a, b, c, d, e, f] = history.made
    .filter(isUsable)
    .slice(-6)
    .map(({ body }) => String(body.id));
  const both = [
    [a, b],
    [b, a],
  ];
  const pairs = kind === "gate" ? [...both, [c, d], [d, e], [e, c], [f, f]] : both;
  for (const [from, to] of pairs) {
    if (from === undefined || to === undefined) continue;
    const conditions = [{ type: `passes_${kind}`, targetValue: to }];
    const rules = [{ name: "Asks another", passPercentage: 12.5, conditions }];
    history.change(kind, `/${kind}s/${encodeURIComponent(from)}`, { rules });
  }
}

/** Gates that no template, pipeline or review keeps from a change. */
const isPlain = ({ isTemplate, releasePipelineID, reviewSettings }: JsonObject) =>
  !isTemplate && !releasePipelineID && !reviewSettings;

/** Units that always get one thing, on gates that are as they were made. */
function addGateOverrides(history: History, count: number): void {
  const open = history.made.filter(
    ({ kind, since, body }) => kind === "gate" && since.length === 0 && !body.isTemplate,
  );
  const cases = casesOf("gateOverrides");
  for (const [at, { body }] of open.slice(0, count).entries())
    history.make(
      "gateOverrides",
      cases[at % cases.length] ?? {},
      [],
      `/gates/${encodeURIComponent(String(body.id))}/overrides`,
    );
}

/** A console that holds what a plan says; told apart from others by its address. The caller closes it. */
export async function openMessyConsole(
  plan: MessyPlan,
  options: EmulatorOptions = {},
): Promise<RunningEmulator> {
  const { rateLimit: _, ...free } = options;
  const key = options.key ?? testKey;
  const emulator = await startEmulator({ ...free, key, seed: plan.seed });
  const api = deskOf(emulator, { "SERVICE-API-KEY": key });
  for (const { kind, body, at, since } of plan.made) {
    const { make, ...rest }: Tool = tools[kind];
    const tool: Tool = at === undefined ? tools[kind] : { ...rest, at: () => at };
    const { made } = await handle(api, tool, body, {});
    for (const [method, path, more] of since) await api.must(method, `${tool.at(made)}${path}`, more);
  }
  emulator.clearRequests();
  return emulator;
}
