import { describe, expect, test } from "@jest/globals";
import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { numberProblems, roundedNumbers } from "../../src/provider/schema/number-problems";
import { pathText } from "../../src/provider/schema/path";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { managedMember } from "../../src/provider/values/managed";
import { nullChangeLines } from "../../src/provider/words/null-changes";
import { listChangeLines } from "../../src/provider/words/rule-sentences";
import { textIn } from "../../src/provider/words/text";
import { valueChangesText } from "../../src/provider/words/values";
import { kind } from "./subjects";

describe("numbers", () => {
  test("that no JSON can say are found wherever they stand", () => {
    const args = {
      defaultValue: { a: Number.NaN, b: [1, { c: Number.POSITIVE_INFINITY }], d: null, e: "NaN" },
      rules: [{ passPercentage: Number.NEGATIVE_INFINITY, conditions: [] }],
      ...{ key: "limits", fine: [0, -0, 1e308, Number.MAX_SAFE_INTEGER, 0.1], off: undefined },
    };
    expect(numberProblems(args).map(({ path, message }) => `${pathText(path)}: ${message}`)).toEqual([
      "defaultValue.a: found NaN; JSON has no such number",
      "defaultValue.b[1].c: found Infinity; JSON has no such number",
      "rules[0].passPercentage: found -Infinity; JSON has no such number",
    ]);
  });

  const exact = "may be rounded: whole numbers are exact up to 2^53. If each digit counts, set";

  test.each([
    ["what Python's 9007199254740993 is on Pulumi's wire", 9007199254740992, "9007199254740992"],
    ["an id of many digits", 1234567890123456789n, "1234567890123456800"],
    ["one below zero", -9007199254740994, "-9007199254740994"],
  ])("may be rounded: %s", (_, number, shown) => {
    const message = `${shown} ${exact} it in the console: an update keeps the digits that the console has`;
    expect(roundedNumbers({ defaultValue: { shops: [Number(number)] } })).toEqual([
      { path: ["defaultValue", "shops", 0], message },
    ]);
  });

  test("that may be rounded are told with the argument that keeps each digit, unless they stay", () => {
    const values = { defaultValue: { shops: [9007199254740992] } };
    const [warning] = roundedNumbers(values, {}, () => "defaultValueJson5");
    expect(warning?.message).toBe(`9007199254740992 ${exact} defaultValueJson5`);
    expect(roundedNumbers(values, { ...values, more: 1 })).toEqual([]);
  });

  test("that are exact, and those of few digits, are not said to be rounded", () => {
    const numbers = [0, -1, 0.1, Number.MAX_SAFE_INTEGER, 1e20, -5e30, 1.5e300, 123456789012345000000];
    expect(roundedNumbers({ numbers })).toEqual([]);
  });
});

describe("nulls", () => {
  const managing = (olds: JsonObject) => ({ ...olds, [managedMember]: Object.keys(olds) });
  const lines = (name: KindName, olds: JsonObject, news: JsonObject) =>
    nullChangeLines(kind(name), managing(olds), news);
  const config = (was: unknown, is: unknown) =>
    lines("dynamicConfig", { defaultValue: was }, { defaultValue: is });

  test.each<[string, unknown, unknown, string]>([
    ["removed", { none: null, a: 1 }, { a: 1 }, ".none: null → removed"],
    ["new", {}, { none: null }, ".none: null (new)"],
    ["overwritten", { none: null }, { none: 5 }, ".none: null → 5"],
    ["in the place of a value", { none: "x" }, { none: null }, '.none: "x" → null'],
    ["deep inside", { a: { b: [{ c: null }] } }, { a: { b: [{}] } }, ".a.b[0].c: null → removed"],
    ["at the end of a list", { a: [1, null] }, { a: [1] }, ".a[1]: null → removed"],
    ["within a list", { a: [1, null, 2] }, { a: [1, 2] }, ".a[1]: null → 2"],
    ["in what is new itself", {}, { a: { b: null } }, ".a.b: null (new)"],
    ["in what is an object now", { a: null }, { a: { b: 1 } }, '.a: null → {"b":1}'],
  ])("have a line where one is %s", (_, was, is, line) => {
    expect(config(was, is)).toEqual([`defaultValue${line}`]);
  });

  test("have none where they stay, and no other change has one", () => {
    expect(config({ none: null, a: 1 }, { none: null, a: 2 })).toEqual([]);
    expect(config({ a: 1, list: [1] }, { b: 1, list: [] })).toEqual([]);
    expect(lines("dynamicConfig", { defaultValue: { none: null } }, {})).toEqual([]);
  });

  const all = { name: "All", conditions: [{ type: "public" }] };
  const split = (returnValue: object) => [
    { ...all, variants: [{ name: "A", passPercentage: 100, returnValue }] },
  ];
  const store = { name: "p", refType: "static", paramType: "object" };
  const groups = (parameterValues: object) => [{ name: "Control", size: 100, parameterValues }];
  const [added, returning] = [{ ...all, name: "New" }, (returnValue: object) => ({ ...all, returnValue })];
  const parameter = { name: "p", type: "object" };

  test.each<[KindName, string, (value: object) => unknown[], string, unknown[]?]>([
    ["dynamicConfig", "rules", (value) => [returning(value)], "[1].returnValue", [added, returning({})]],
    ["dynamicConfig", "rules", split, "[0].variants[0].returnValue"],
    ["experiment", "groups", groups, "[0].parameterValues"],
    ["layer", "parameters", (defaultValue) => [{ ...parameter, defaultValue }], "[0].defaultValue"],
    ["paramStore", "parameters", (value) => [{ ...store, value }], "[0].value"],
  ])("of a %s have lines, too: in %s", (name, field, made, place, after = made({})) => {
    const line = `${field}${place}.none: null → removed`;
    expect(lines(name, { [field]: made({ none: null }) }, { [field]: after })).toEqual([line]);
  });

  test("that are many: ten are named", () => {
    const said = config(Object.fromEntries(Array.from({ length: 13 }, (_, at) => [`n${at}`, null])), {});
    expect([said.length, said.at(-1)]).toEqual([11, "3 more nulls change"]);
  });

  test("that Pulumi may have dropped: the line names the argument that keeps them", () => {
    const olds = managing({ defaultValue: { none: null } });
    const json5 = ([name]: readonly unknown[]) => `${name}Json5`;
    expect(nullChangeLines(kind("dynamicConfig"), olds, { defaultValue: {} }, json5)).toEqual([
      "defaultValue.none: null → removed (if the program sets this null, Pulumi has dropped it: set defaultValueJson5 to keep it)",
    ]);
  });

  test("are told by a report in its own words", () => {
    expect(valueChangesText({ none: null, a: 1 }, { a: 1 })).toBe("none removed (was null)");
    expect(valueChangesText({}, { none: null })).toBe("none null (new)");
    expect(valueChangesText(null, undefined)).toBeUndefined();
    const groupOf = (groupID: string) => ({ chosen: { id: { groupID } }, groupID });
    expect(valueChangesText(groupOf("a"), groupOf(UNKNOWN))).toBe(
      "chosen.id.groupID a → not known yet, groupID a → not known yet",
    );
    expect(valueChangesText([[groupOf("a")]], [[groupOf(UNKNOWN)], []])).not.toContain(UNKNOWN);
    expect(textIn([{ of: groupOf(UNKNOWN) }])).not.toContain(UNKNOWN);
  });
});

describe("rules", () => {
  const everyone = { name: "Everyone", passPercentage: 10, conditions: [{ type: "public" }] };
  const condition = { type: "email", operator: "any", targetValue: ["a@example.com", "b@example.com"] };
  const staff = { name: "Staff", passPercentage: 100, conditions: [condition] };
  const turned = { ...condition, targetValue: condition.targetValue.toReversed(), field: "" };
  /** As a state shows a rule: with what the console adds. */
  const marked = (rule: JsonObject, id: string) => ({
    ...rule,
    id,
    baseID: id,
    completedAutomatedRollouts: [],
  });
  const state = { rules: [marked(staff, "1"), marked(everyone, "2")], [managedMember]: ["rules"] };
  const lines = (name: KindName, olds: JsonObject, news: JsonObject) =>
    listChangeLines(kind(name), olds, news);

  test.each<KindName>(["gate", "dynamicConfig", "segment"])("of a %s: what becomes of them", (name) => {
    const told = (rules: unknown) => lines(name, state, { rules });
    expect(told([staff, { ...everyone, passPercentage: 25 }])).toEqual([
      'rules: 10 % → 25 % of everyone else; rule "Staff" unchanged',
    ]);
    expect(told([{ ...staff, environments: null, conditions: [turned] }, everyone])).toEqual([]);
    expect(lines(name, state, {})).toEqual(['rules: rule "Staff" is removed; rule "Everyone" is removed']);
    expect(lines(name, { ...state, [managedMember]: [] }, {})).toEqual([]);
    expect(told(UNKNOWN)).toEqual(["rules: not known yet"]);
  });

  const { passPercentage: _, ...silent } = { ...staff, returnValue: { a: 2 } };

  test.each<[string, unknown[], string]>([
    [
      "a percentage that is left out is the one that the console fills in",
      [silent],
      'rule "Staff" gives a 2',
    ],
    [
      "a value in its other form is the same",
      [{ ...staff, returnValueJson5: "{a: 1} // one" }, everyone],
      'new rule "Everyone": 10 % of everyone else, which get an empty object; rule "Staff" unchanged',
    ],
  ])("of a config: %s", (_what, rules, line) => {
    const olds = { rules: [{ ...staff, returnValue: { a: 1 } }], [managedMember]: ["rules"] };
    expect(lines("dynamicConfig", olds, { rules })).toEqual([`rules: ${line}`]);
  });

  test.each<[JsonObject, JsonObject, string]>([
    [{ status: "Launched" }, { status: "Launched" }, "rules: no effect while it is launched; "],
    [{ isEnabled: false, status: "Disabled" }, {}, "rules: no effect while it is off; "],
    [{ isEnabled: false, status: "Launched" }, {}, "rules: no effect while it is launched; "],
    [{ isEnabled: false, status: "Disabled" }, { isEnabled: true }, "rules: "],
    [{ isEnabled: false, status: "Archived" }, {}, "rules: "],
    [{ status: "Launched" }, { status: "In Progress" }, "rules: "],
    [{ status: "In Progress" }, { status: "Launched" }, "rules: "],
  ])("rules of %j that become %j: %s", (before, after, begins) => {
    const olds = {
      ...state,
      rules: [everyone],
      ...before,
      [managedMember]: ["rules", ...Object.keys(before)],
    };
    const rules = [{ ...everyone, passPercentage: 20 }];
    expect(lines("gate", olds, { rules, ...after })).toEqual([`${begins}10 % → 20 % of everyone`]);
  });

  test("a list with a secret shows none of its values, nor of its former ones", () => {
    const rules = [{ ...staff, conditions: [{ ...condition, targetValue: ["sesame"] }] }];
    const isSecret = (name: string) => name === "rules";
    expect(listChangeLines(kind("gate"), state, { rules }, isSecret)).toEqual([
      "rules: changes, with a secret in it",
    ]);
    const olds = { ...state, rules, [managedMember]: ["rules"] };
    expect(lines("gate", olds, { rules: [staff, everyone] }).join()).not.toContain("sesame");
    expect(lines("gate", olds, { rules: [] }).join()).not.toContain("sesame");
  });

  test("a kind without such a list tells nothing", () => {
    const parameters = [{ name: "colour", type: "string", defaultValue: "" }];
    expect(lines("layer", { parameters, [managedMember]: ["parameters"] }, { parameters: [] })).toEqual([]);
  });
});
