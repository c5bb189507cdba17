import type { JsonObject } from "../../../src/provider/schema/json";
import {
  answers,
  type Deviant,
  reads,
  readsNew,
  readsRules,
  refusal,
  replies,
  rulesOf,
  takes,
  withItems,
  withRules,
} from "./deviant";

/** Deviations in how a console stores and shows what it was sent. */
export const storedOtherwise: readonly Deviant[] = [
  readsRules("rounds percentages", "finePercentages: rounded", (rule) => ({
    ...rule,
    passPercentage: Math.round(Number(rule.passPercentage)),
  })),
  answers("keeps fine percentages", "finePercentages: thousandths", async (request, ask) => {
    if (!request.body.includes("33.333")) return withItems(await ask(request), fine);
    return withItems(await ask({ ...request, body: request.body.replace("33.333", "33.33") }), fine);
  }),
  reads("gives a changed rule a new id", "ruleIds: new", /\/gates\//, (gate) =>
    withRules(
      gate,
      rulesOf(gate).map((rule) => (rule.name === "Verify" ? rule : { ...rule, baseID: "another" })),
    ),
  ),
  reads("counts no versions", "countedVersions: otherwise", /\/gates/, (gate) => ({ ...gate, version: 7 })),
  reads("merges lists", "patchedLists: merged", /\/gates\//, (gate) =>
    withRules(gate, [...rulesOf(gate), { name: "Former", passPercentage: 1 }]),
  ),
  readsNew("drops a field", "gateMembers: otherwise (description)", /\/gates/, (gate) =>
    without("description", gate),
  ),
  readsNew("renames a member", "gateMembers: otherwise (measureMetricLifts)", /\/gates/, (gate) => ({
    ...without("measureMetricLifts", gate),
    measure_metric_lifts: gate.measureMetricLifts,
  })),
  readsRules("shows numbers as texts", "gateMembers: otherwise (rules)", (rule) => ({
    ...rule,
    passPercentage: String(rule.passPercentage),
  })),
  readsNew("writes tags in capitals", "gateMembers: otherwise (tags)", /\/gates/, (gate) => ({
    ...gate,
    tags: [gate.tags].flat().map((tag) => String(tag).toUpperCase()),
  })),
  readsNew(
    "drops null inside a default value",
    "dynamicConfigMembers: otherwise (defaultValue)",
    /\/dynamic_configs/,
    (config) => ({ ...config, defaultValue: { ...(config.defaultValue as JsonObject), none: undefined } }),
  ),
  readsNew(
    "rounds the allocation of an experiment up",
    "experimentMembers: otherwise (allocation)",
    /\/experiments/,
    (one) => ({ ...one, allocation: 100 }),
  ),
  readsNew(
    "drops the description of a layer",
    "layerMembers: otherwise (description)",
    /\/layers/,
    (layer) => ({ ...layer, description: "" }),
  ),
  ignores("gatePatches: ignored (description)", /\/gates\/[^/]+$/),
  takes("resets another field in PATCH", "gatePatches: others (tags)", /\/gates\/[^/]+$/, (body) => ({
    ...body,
    tags: [],
  })),
  ignores("dynamicConfigPatches: ignored (defaultValue)", /\/dynamic_configs\/[^/]+$/),
  ignores("experimentPatches: ignored (allocation)", /\/experiments\/[^/]+$/),
  ignores("layerPatches: ignored (parameters)", /\/layers\/[^/]+$/),
  replies("refuses empty operators", "emptyTexts: refuse", refusal(400), ({ body }) =>
    body.includes('"operator":""'),
  ),
  takes('ignores ""', "clearedTexts: kept", /\/gates\/[^/]+$/, (body, { description }) => ({
    ...body,
    description,
  })),
  answers("clears by null", "nullTexts: cleared", (request, ask) =>
    ask({ ...request, body: request.body.replace('"description":null', '"description":""') }),
  ),
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
  return takes(`ignores PATCH of ${member}`, told, path, (body) => without(member, body));
}

function without(member: string, { [member]: _, ...rest }: JsonObject): JsonObject {
  return rest;
}

function fine(gate: JsonObject): JsonObject {
  const shown = (rule: JsonObject) =>
    rule.passPercentage === 33.33 ? { ...rule, passPercentage: 33.333 } : rule;
  return withRules(gate, rulesOf(gate).map(shown));
}
