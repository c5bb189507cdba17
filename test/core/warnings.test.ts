import { describe, expect, test } from "@jest/globals";
import { catalog, type KindName } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { managedMember } from "../../src/provider/values/managed";
import { rowsByKind, warningsOf } from "./subjects";

const groups = (...sizes: unknown[]) => ({
  groups: sizes.map((size, index) => ({ name: `group ${index}`, size, parameterValues: {} })),
});

describe("groups of an experiment", () => {
  const active = { status: "active", ...groups(50, 50) };

  test("that runs: sizes that change", () => {
    const meaning =
      "while the experiment is active: units move between groups, and its results mix what they got before and after. " +
      "For clean results start a new experiment";
    expect(warningsOf("experiment", active, groups(20, 80))).toEqual([
      `groups[0].size: resized from 50 to 20 % ${meaning}`,
      `groups[1].size: resized from 50 to 80 % ${meaning}`,
    ]);
  });

  test("are told apart by name, not by place", () => {
    const [first, second] = groups(20, 80).groups;
    const before = { status: "active", groups: [first, second] };
    expect(warningsOf("experiment", before, { groups: [second, first] })).toEqual([]);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ["sizes stay", active, groups(50, 50)],
    ["it is new", {}, groups(20, 80)],
    ["it has not been started", { ...active, status: "setup" }, groups(20, 80)],
    ["its results are let go", active, { status: "setup", allowReset: true, ...groups(20, 80) }],
    ["the program is silent", active, {}],
    ["the groups are not known yet", active, { groups: UNKNOWN }],
    ["a group is not known yet", active, { groups: [UNKNOWN, active.groups[1]] }],
    ["a size is not known yet", active, groups(UNKNOWN, 50)],
    ["a name is not known yet", active, { groups: [{ name: UNKNOWN, size: 1 }] }],
  ])("no warning where %s", (_, olds, news) => {
    expect(warningsOf("experiment", olds, news)).toEqual([]);
  });
});

describe("parameters of a layer", () => {
  const parameters = ["colour", "size"].map((name) => ({ name, type: "string", defaultValue: "" }));
  const dropped =
    'parameters: "colour" is dropped: experiments of the layer lose it, and code that asks for it gets its own default. ' +
    "Make sure that nothing uses it";

  test.each<[string, JsonObject, JsonObject, string[]]>([
    ["one that goes", { parameters }, { parameters: [parameters[1]] }, [dropped]],
    [
      "one with another name",
      { parameters },
      { parameters: [{ ...parameters[0], name: "color" }, parameters[1]] },
      [dropped],
    ],
    [
      "all, when the program says them no more",
      { parameters: [parameters[0]], [managedMember]: ["parameters"] },
      {},
      [dropped],
    ],
    ["the same, from the arguments of last time", { parameters: [parameters[0]] }, {}, [dropped]],
    ["none that are not the program's", { parameters, [managedMember]: ["name"] }, {}, []],
    ["none of a new layer", {}, { parameters }, []],
    ["none in another order", { parameters }, { parameters: parameters.toReversed() }, []],
    ["none while the list is not known yet", { parameters }, { parameters: UNKNOWN }, []],
    ["none while one is not known yet", { parameters }, { parameters: [UNKNOWN] }, []],
    [
      "none while a name is not known yet",
      { parameters },
      { parameters: [{ ...parameters[0], name: UNKNOWN }] },
      [],
    ],
  ])("%s", (_, olds, news, expected) => {
    expect(warningsOf("layer", olds, news)).toEqual(expected);
  });
});

describe("environments of rules", () => {
  const inEnvironments = (...environments: unknown[]) => ({
    rules: [{ name: "Staff", passPercentage: 100, conditions: [], environments }],
  });
  const looks = (found: string, meant: string) =>
    `"${found}" looks like a misspelt "${meant}"; in an environment that does not exist nothing happens`;

  test.each<KindName>(["gate", "dynamicConfig", "segment"])("of a %s that look misspelt", (name) => {
    const rules = inEnvironments("prodcution", "staging", "Development");
    expect(warningsOf(name, {}, rules)).toEqual([
      `rules[0].environments[0]: ${looks("prodcution", "production")}`,
      `rules[0].environments[2]: ${looks("Development", "development")}`,
    ]);
  });

  test("in a condition", () => {
    const condition = { type: "environment_tier", operator: "any", targetValue: ["stagging"] };
    const rules = [{ name: "Staff", passPercentage: 100, conditions: [condition] }];
    expect(warningsOf("gate", {}, { rules })).toEqual([
      `rules[0].conditions[0].targetValue[0]: ${looks("stagging", "staging")}`,
    ]);
    const one = [{ ...rules[0], conditions: [{ ...condition, targetValue: "stagging" }] }];
    expect(warningsOf("gate", {}, { rules: one })).toEqual([
      `rules[0].conditions[0].targetValue: ${looks("stagging", "staging")}`,
    ]);
    const other = [{ ...rules[0], conditions: [{ ...condition, type: "locale" }] }];
    expect(warningsOf("gate", {}, { rules: other })).toEqual([]);
  });

  test("in a phase of a release pipeline", () => {
    const phases = [{ name: "First", ...inEnvironments("developement") }];
    expect(warningsOf("releasePipeline", {}, { phases })).toEqual([
      `phases[0].rules[0].environments[0]: ${looks("developement", "development")}`,
    ]);
  });

  test.each([
    ["production", "staging", "development"],
    ["prod", "dev", "stage", "test", "qa"],
    ["production2", "staging-eu", "pre-production", "load test"],
    [UNKNOWN, 5, null],
  ])("that are fine, or something of their own: %j, %j, %j", (...names) => {
    expect(warningsOf("gate", {}, inEnvironments(...names))).toEqual([]);
  });

  test("that are not known yet", () => {
    for (const news of [
      { rules: UNKNOWN },
      { rules: [UNKNOWN] },
      { rules: [{ name: "a", environments: UNKNOWN, conditions: UNKNOWN }] },
    ])
      expect(warningsOf("gate", {}, news)).toEqual([]);
  });
});

const environmentsOf = (...areProduction: unknown[]) => ({
  environments: areProduction.map((isProduction, at) => ({ name: `e${at}`, isProduction })),
});
const phaseOf = (rule: JsonObject) => ({
  phases: [{ name: "First", rules: [{ name: "a", conditions: [], ...rule }] }],
});
const ids = (count: number) => ({
  type: "id_list",
  ids: Array.from({ length: count }, (_, at) => `user-${at}`),
});
const underPipeline = (type: string) => ({ releasePipelineID: "p1", gradualRolloutStrategy: { type } });
const mayRefuse = "missing; the console may refuse";

test.each(
  rowsByKind<[news: JsonObject, ...warnings: string[]]>({
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
      [
        "[L4] 10,001 ids",
        ids(10_001),
        "ids: 10,001 ids; lists of more than 10,000 ids are on request, and the console may refuse them",
      ],
      ["10,000 ids", ids(10_000)],
      ["ids that are not known yet", { type: "id_list", ids: UNKNOWN }],
    ],
    metric: [
      [
        "[L3] three letters",
        { name: "abc", type: "sum", unitTypes: ["userID"], metricEvents: [] },
        "name: has 3 characters",
      ],
      [
        "[L3] a mean of nothing",
        { name: "visits", type: "mean" },
        ...[`unitTypes: ${mayRefuse}`, `metricEvents: ${mayRefuse}`],
      ],
      ["a mean of a warehouse", { name: "visits", type: "mean", warehouseNative: {} }],
    ],
    gate: [
      [
        "[L3] a gradual rollout under a release pipeline",
        underPipeline("gradual"),
        "gradualRolloutStrategy: does not work together with a release pipeline",
      ],
      ["no rollout under a release pipeline", underPipeline("bypass")],
    ],
    releasePipeline: [
      [
        "[L3] a phase for every environment",
        phaseOf({}),
        "phases[0].rules[0].environments: missing; the console may ask",
      ],
      ["a phase for one environment", phaseOf({ environments: ["production"] })],
    ],
  }),
)("%s (%s)", (_, name, news, ...starts) => {
  expect(warningsOf(name, {}, news)).toEqual(starts.map((start) => expect.stringContaining(start)));
});

test.each<[string, ResourceDefinition]>(Object.entries(catalog))(
  "the samples of %s give no reason to warn",
  (_, { warnings: find, samples }) => {
    const found = [samples.smallest, samples.fullest].flatMap((sample) => [
      ...(find?.({}, sample) ?? []),
      ...(find?.(sample, sample) ?? []),
    ]);
    expect(found).toEqual([]);
  },
);
