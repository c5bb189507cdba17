import { describe, expect, test } from "@jest/globals";
import { catalog, type KindName } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { managedMember } from "../../src/provider/values/managed";
import { samplesOf } from "../samples";
import { rowsByKind, warningsOf, withRule } from "./subjects";

describe("groups of an experiment", () => {
  const groups = (...sizes: unknown[]) => ({
    groups: sizes.map((size, index) => ({ name: `group ${index}`, size, parameterValues: {} })),
  });
  const active = { status: "active", ...groups(50, 50) };
  const unknownName = { groups: [{ name: UNKNOWN, size: 1 }] };

  test("that runs: sizes that change", () => {
    const meaning =
      "while the experiment is active: units move between groups, and its results mix what they got before and after. " +
      "For clean results start a new experiment";
    expect(warningsOf("experiment", active, groups(20, 80))).toEqual([
      `groups[0].size: resized from 50 to 20 % ${meaning}`,
      `groups[1].size: resized from 50 to 80 % ${meaning}`,
    ]);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ["sizes stay", active, groups(50, 50)],
    ["groups change places", active, { groups: active.groups.toReversed() }],
    ["it is new", {}, groups(20, 80)],
    ["it has not been started", { ...active, status: "setup" }, groups(20, 80)],
    ["its results are let go", active, { status: "setup", allowReset: true, ...groups(20, 80) }],
    ["the program is silent", active, {}],
    ["the groups are not known yet", active, { groups: UNKNOWN }],
    ["a group is not known yet", active, { groups: [UNKNOWN, active.groups[1]] }],
    ["a size is not known yet", active, groups(UNKNOWN, 50)],
    ["a name is not known yet", active, unknownName],
  ])("no warning where %s", (_, olds, news) => {
    expect(warningsOf("experiment", olds, news)).toEqual([]);
  });
});

describe("parameters of a layer", () => {
  const [colour, size] = ["colour", "size"].map((name) => ({ name, type: "string", defaultValue: "" }));
  const both = { parameters: [colour, size] };
  const managing = (...names: string[]) => ({ parameters: [colour], [managedMember]: names });
  const dropped =
    'parameters: "colour" is dropped: experiments of the layer lose it, and code that asks for it gets its own default. ' +
    "Make sure that nothing uses it";

  test.each<[string, JsonObject, JsonObject, ...warnings: string[]]>([
    ["one that goes", both, { parameters: [size] }, dropped],
    ["one with another name", both, { parameters: [{ ...colour, name: "color" }, size] }, dropped],
    ["all, when the program says them no more", managing("parameters"), {}, dropped],
    ["the same, from the arguments of last time", { parameters: [colour] }, {}, dropped],
    ["none that are not the program's", managing("name"), {}],
    ["none of a new layer", {}, both],
    ["none in another order", both, { parameters: [size, colour] }],
    ["none while the list is not known yet", both, { parameters: UNKNOWN }],
    ["none while one is not known yet", both, { parameters: [UNKNOWN] }],
    ["none while a name is not known yet", both, { parameters: [{ ...colour, name: UNKNOWN }] }],
  ])("%s", (_, olds, news, ...expected) => {
    expect(warningsOf("layer", olds, news)).toEqual(expected);
  });
});

describe("environments that look misspelt", () => {
  const within = (...environments: unknown[]) => withRule([], { environments });
  const tier = (targetValue: unknown, type = "environment_tier") =>
    withRule([{ type, operator: "any", targetValue }]);
  const looks = (found: string, meant: string) =>
    `"${found}" looks like a misspelt "${meant}"; in an environment that does not exist nothing happens`;
  const phases = [{ name: "First", ...within("developement") }];
  const inRules = [
    `rules[0].environments[0]: ${looks("prodcution", "production")}`,
    `rules[0].environments[2]: ${looks("Development", "development")}`,
  ];
  const [condition, first] = ["rules[0].conditions[0].targetValue", "phases[0].rules[0].environments[0]"];

  test.each<[KindName, JsonObject, ...warnings: string[]]>([
    ["gate", within("prodcution", "staging", "Development"), ...inRules],
    ["dynamicConfig", within("prodcution", "staging", "Development"), ...inRules],
    ["segment", within("prodcution", "staging", "Development"), ...inRules],
    ["gate", tier(["stagging"]), `${condition}[0]: ${looks("stagging", "staging")}`],
    ["gate", tier("stagging"), `${condition}: ${looks("stagging", "staging")}`],
    ["gate", tier(["stagging"], "locale")],
    ["releasePipeline", { phases }, `${first}: ${looks("developement", "development")}`],
    ["gate", within("production", "staging", "development")],
    ["gate", within("prod", "dev", "stage", "test", "qa")],
    ["gate", within("production2", "staging-eu", "pre-production", "load test")],
    ["gate", within(UNKNOWN, 5, null)],
    ["gate", { rules: UNKNOWN }],
    ["gate", { rules: [UNKNOWN] }],
    ["gate", withRule(UNKNOWN, { environments: UNKNOWN })],
  ])("in a %s: %j", (name, args, ...expected) => {
    expect(warningsOf(name, {}, args)).toEqual(expected);
  });
});

const environmentsOf = (...areProduction: unknown[]) => ({
  environments: areProduction.map((isProduction, at) => ({ name: `e${at}`, isProduction })),
});

test.each<[after: unknown, ...warnings: string[]]>([
  [["a", "b"]],
  [["b", "a"]],
  [["a", "b", "c"]],
  [["a", UNKNOWN]],
  [UNKNOWN],
  [
    ["a"],
    'environments: "b" is removed. Rules and keys go on naming "b": give them another environment first, or put "b" back',
  ],
  [
    ["a", "c"],
    'environments: "b" is removed, and "c" is new: this is no rename. Rules and keys go on naming "b": give them another environment first, or put "b" back',
  ],
])("environments a and b become %j", (after, ...warnings) => {
  const list = (names: unknown) =>
    Array.isArray(names) ? names.map((name) => ({ name, isProduction: name === "a" })) : names;
  const [olds, news] = [["a", "b"], after].map((names) => ({ environments: list(names) }));
  expect(warningsOf("environments", olds as JsonObject, news as JsonObject)).toEqual(warnings);
});
const phaseOf = (rule: JsonObject) => ({
  phases: [{ name: "First", rules: [{ name: "a", conditions: [], ...rule }] }],
});
const ids = (count: number) => ({
  type: "id_list",
  ids: Array.from({ length: count }, (_, at) => `user-${at}`),
});
const underPipeline = (type: string) => ({ releasePipelineID: "p1", gradualRolloutStrategy: { type } });
const mean = { name: "visits", type: "mean" };
const short = { name: "abc", type: "sum", unitTypes: ["userID"], metricEvents: [] };
const mayRefuse = "missing; the console may refuse";
const onRequest = "lists of more than 10,000 ids are on request, and the console may refuse them";
const noPipeline = "gradualRolloutStrategy: does not work together with a release pipeline";
const mayAsk = "phases[0].rules[0].environments: missing; the console may ask";

test.each(
  rowsByKind<[what: string, news: JsonObject, ...warnings: string[]]>({
    environments: [
      ["[E2] no production", environmentsOf(false), "environments: none of them are production"],
      ["[E2] two productions", environmentsOf(true, true), "environments: 2 of them are production"],
      ["one production", environmentsOf(true, false)],
      ["one that is not known yet", environmentsOf(UNKNOWN, false)],
    ],
    holdout: [
      ["[L3] below 1 %", { passPercentage: 0.5 }, "passPercentage: 0.5 % is unusual"],
      ["1 %", { passPercentage: 1 }],
      ["one that holds nobody", { passPercentage: 0 }],
    ],
    segment: [
      ["[L4] 10,001 ids", ids(10_001), `ids: 10,001 ids; ${onRequest}`],
      ["10,000 ids", ids(10_000)],
      ["ids that are not known yet", { type: "id_list", ids: UNKNOWN }],
    ],
    metric: [
      ["[L3] three letters", short, "name: has 3 characters"],
      ["[L3] a mean of nothing", mean, `unitTypes: ${mayRefuse}`, `metricEvents: ${mayRefuse}`],
      ["a mean of a warehouse", { ...mean, warehouseNative: {} }],
    ],
    gate: [
      ["[L3] a gradual rollout under a release pipeline", underPipeline("gradual"), noPipeline],
      ["no rollout under a release pipeline", underPipeline("bypass")],
    ],
    releasePipeline: [
      ["[L3] a phase for every environment", phaseOf({}), mayAsk],
      ["a phase for one environment", phaseOf({ environments: ["production"] })],
    ],
  }),
)("%s: %s", (name, _, news, ...starts) => {
  expect(warningsOf(name, {}, news)).toEqual(starts.map((start) => expect.stringContaining(start)));
});

test.each<[string, ResourceDefinition]>(Object.entries(catalog))(
  "the samples of %s give no reason to warn",
  (_, definition) => {
    const { warnings: find } = definition;
    const { smallest, fullest } = samplesOf(definition);
    for (const sample of [smallest, fullest])
      expect([find?.({}, sample) ?? [], find?.(sample, sample) ?? []]).toEqual([[], []]);
  },
);
