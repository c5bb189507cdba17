import { describe, expect, test } from "@jest/globals";
import { check } from "../../src/provider/decisions/check";
import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { pathText } from "../../src/provider/schema/path";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { samples } from "../samples";
import { kind, problemsOf } from "./subjects";

describe("key and name", () => {
  /** Arguments of a resource in a program that has this name. */
  const program = (name: string, args: JsonObject = {}) => ({ __program: { name }, ...args });
  const [imported, adopted] = [{ __adopt: "live_gate" }, { key: "live_gate", adopt: true }];
  const olds = { key: "first_name", name: "First name" };
  const other = { key: "other", name: "Other" };
  const second = { key: "second_key", name: "second_key" };
  const [idType, isEnabled] = ["userID", true];

  test.each<[string, news: JsonObject, expected: JsonObject, olds?: JsonObject]>([
    ["both are the resource name", program("one"), { key: "one", name: "one" }],
    ["the name is the key beside a key", program("res", { key: "one" }), { key: "one", name: "one" }],
    ["the key is the resource name", program("one", { name: "My gate" }), { key: "one", name: "My gate" }],
    ["import sets the key and does not rename", program("res", imported), { key: "live_gate", ...imported }],
    [
      "import with a name renames",
      program("res", { ...imported, name: "New" }),
      { key: "live_gate", name: "New", ...imported },
    ],
    ["adoption does not rename", program("live_gate", { adopt: true }), adopted],
    ["both stay when the resource is renamed under an alias", program("second_name"), olds, olds],
    ["both stay beside another change", program("res", { isEnabled }), { ...olds, isEnabled }, olds],
    ["both change when the program says so", program("res", other), other, olds],
    ["a successor has its own name", program("res", { key: "second_key" }), second, olds],
    ["the same key keeps the name", program("res", { key: "first_name" }), olds, olds],
    ["a key that is not known keeps it", program("res", { key: UNKNOWN }), { ...olds, key: UNKNOWN }, olds],
    ["an adoption leaves it unmanaged", program("res", { adopt: true }), adopted, adopted],
    [
      "also with another key",
      program("res", { key: "second_key", adopt: true }),
      { key: "second_key", adopt: true },
      adopted,
    ],
    ["an import of what exists has no effect", program("res", { __adopt: "first_name" }), olds, olds],
  ])("of a gate: %s", (_, news, expected, before = {}) => {
    expect(check(kind("gate"), before, news).inputs).toEqual(expected);
  });

  test("a layer has a name alone", () => {
    const { inputs } = check(kind("layer"), {}, program("search", { idType }));
    expect(inputs).toEqual({ name: "search", idType });
  });

  test("a resource name that cannot be a key is reported as one", () => {
    const { problems } = check(kind("gate"), {}, program("my/gate"));
    expect(problems.map(({ path }) => pathText(path))).toEqual(["key", "name"]);
  });
});

const away = (said: string, id: string) =>
  `"${said}" is not the object to import, which is "${id}"; make them agree or remove the import option`;

test.each<[KindName, JsonObject, ...problems: string[]]>([
  ["gate", { key: "other", __adopt: "live_gate" }, `key: ${away("other", "live_gate")}`],
  ["gate", { key: "live_gate", __adopt: "live_gate" }],
  ["layer", { name: "Search layer", __adopt: "search_layer" }],
  ["layer", { name: "Other", __adopt: "search_layer" }, `name: ${away("Other", "search_layer")}`],
  ["assignmentSource", { name: "one", __adopt: "two" }, `name: ${away("one", "two")}`],
])("the id to import must agree with what the program says (%s %j)", (name, args, ...expected) => {
  expect(problemsOf(name, args)).toEqual(expected);
});

describe("a change of what can be set at creation only", () => {
  const olds = { key: "staff", name: "Staff", description: "Old", type: "rule_based" };
  const made = { ...olds, tags: ["a", "b"] };
  const changed = { ...olds, description: "New" };
  const refused = (what: string, from: string, to: string, title = "segment") =>
    `${what}: cannot change from ${from} to ${to}: the console's API sets it at creation only. Put ${from} back, ` +
    `or set onImmutableChange: "replace" to delete the ${title} and create it anew`;
  const description = refused("description", '"Old"', '"New"');
  const [name, type] = [refused("name", '"Staff"', '"Other"'), refused("type", '"rule_based"', '"id_list"')];

  test.each<[string, now: JsonObject, before: JsonObject, ...problems: string[]]>([
    ["is refused", changed, olds, description],
    [
      "is refused when removed",
      { ...olds, description: undefined },
      olds,
      refused("description", '"Old"', '""'),
    ],
    ["is refused when it is added", { ...olds, tags: ["a"] }, olds, refused("tags", "[]", '["a"]')],
    ["is allowed on request", { ...changed, onImmutableChange: "replace" }, olds],
    ["is refused on request", { ...changed, onImmutableChange: "refuse" }, olds, description],
    ["does not count when it only says the default", { ...olds, tags: [], idType: "userID" }, olds],
    ["does not count when the order of a set changes", { ...made, tags: ["b", "a"] }, made],
    ["does not count while it is not known", { ...olds, description: UNKNOWN }, olds],
    ["says every field at once", { ...olds, name: "Other", type: "id_list" }, olds, name, type],
  ])("%s", (_, now, before, ...expected) => {
    expect(problemsOf("segment", now, before)).toEqual(expected);
  });

  test("is refused of other kinds, too", () => {
    const now = problemsOf("gate", { key: "gate", isTemplate: true }, { key: "gate" });
    expect(now).toEqual([refused("isTemplate", "false", "true", "gate")]);
    const { smallest } = samples.metric;
    expect(problemsOf("metric", { ...smallest, metricEvents: [{ name: "refund" }] }, smallest)).toEqual([
      expect.stringMatching(/^metricEvents: cannot change from .* sets it at creation only\./),
    ]);
  });
});

/** Problems of the smallest sample with these arguments. */
const problemsWith = (name: KindName, args: JsonObject) =>
  problemsOf(name, { ...samples[name].smallest, ...args });

const steps = ["visit", "purchase"].map((name) => ({ name, type: "event_dau" }));
const funnel = { type: "funnel", funnelEventList: steps, funnelCountDistinct: "users" };
const needs = 'a metric of type "funnel" needs';
const missing = [
  `funnelEventList: missing; ${needs} at least 2`,
  `funnelCountDistinct: missing; ${needs} it`,
];
const components = 'metricComponentMetrics: found 0; a metric of type "composite_sum" needs at least 2';

test.each<[KindName, JsonObject, ...problems: string[]]>([
  ["metric", funnel],
  ["metric", { type: "funnel" }, ...missing],
  ["metric", { ...funnel, funnelEventList: steps.slice(1) }, `funnelEventList: found 1; ${needs} at least 2`],
  ["metric", { ...funnel, funnelEventList: UNKNOWN, funnelCountDistinct: UNKNOWN }],
  ["metric", { type: "composite_sum", metricComponentMetrics: [] }, components],
  [
    "metric",
    { type: "user_warehouse" },
    'warehouseNative: missing; a metric of type "user_warehouse" needs it',
  ],
  ["metric", { type: "user_warehouse", warehouseNative: {} }],
  ["metric", { type: UNKNOWN }],
  ["metric", { type: "ratio" }],
  [
    "metricSource",
    { name: "list" },
    'name: "list" is a path of the API, so such a source could never be read',
  ],
  [
    "metricSource",
    { skip_validation: true },
    'skip_validation: unknown argument; did you mean "skipValidation"?',
  ],
  [
    "alert",
    { definitionMetricsJson: ['{"a": 1}', "{a: 1}", UNKNOWN] },
    "definitionMetricsJson[1]: is no JSON text; use JSON.stringify",
  ],
])("a %s with %j: %s", (name, args, ...expected) => {
  expect(problemsWith(name, args)).toEqual(expected);
});

describe("a parameter of a param store", () => {
  const nothing = { name: "p", refType: "static", paramType: "number" };
  const fixed = { ...nothing, value: 1 };
  const gate = { name: "p", refType: "gate", paramType: "string", gateName: "g" };
  const byGate = { ...gate, passValue: "a", failValue: "" };
  const problems = (...parameters: JsonObject[]) =>
    problemsOf("paramStore", { name: "store", displayName: "Store", description: "", parameters });
  const foreign = 'gateName: refType "static" has none: leave it out; it takes value';
  const found = (what: string) => `found ${what}, but paramType is string`;

  test.each<[parameter: JsonObject, ...problems: string[]]>([
    [fixed],
    [byGate],
    [{ ...fixed, paramType: "object", value: { a: null } }],
    [{ ...fixed, value: "1" }, "value: found string, but paramType is number"],
    [
      { ...byGate, passValue: 1, failValue: [] },
      `passValue: ${found("number")}`,
      `failValue: ${found("array")}`,
    ],
    [nothing, 'value: missing; refType "static" needs it'],
    [{ ...fixed, gateName: "g" }, foreign],
    [{ ...fixed, value: UNKNOWN }],
    [{ ...fixed, refType: UNKNOWN }],
    [{ ...fixed, paramType: UNKNOWN }],
    [{ ...fixed, ref_type: "static" }, 'ref_type: unknown argument; did you mean "refType"?'],
  ])("%j: %s", (parameter, ...expected) => {
    expect(problems(parameter)).toEqual(expected.map((problem) => `parameters[0].${problem}`));
  });

  test("has a name of its own", () => {
    expect(problems(fixed, byGate)).toEqual([
      'parameters[1].name: "p" is the name of parameters[0] too; parameter names are unique',
    ]);
  });
});
