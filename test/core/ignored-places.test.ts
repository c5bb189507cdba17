import { describe, expect, test } from "@jest/globals";
import { lostPathTexts, strayValueProblems } from "../../src/provider/decisions/ignored-places";
import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { pathText, propertyPath } from "../../src/provider/schema/path";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { withIgnoredChanges } from "../support/ignore-changes";
import { kind } from "./subjects";

const mail = (text: string) => [
  { type: "email", operator: "str_contains_any", targetValue: [`@${text}.example`] },
];
const rule = (name: string, passPercentage: number, more: JsonObject = {}): JsonObject => ({
  ...{ name, passPercentage, conditions: mail(name), ...more },
});
const gate = (...rules: JsonObject[]) => ({ key: "checkout", rules });

interface Told {
  readonly name?: KindName;
  /** Python, YAML and Go: nobody notes what the program sets. */
  readonly isUnnoted?: boolean;
}

/** What a program is told that ignores the changes of a path, as `path: message`. */
function told(
  ignored: string,
  olds: JsonObject,
  program: JsonObject,
  { name = "gate", isUnnoted }: Told = {},
) {
  const news = withIgnoredChanges([ignored], olds, program);
  const args = { olds, news, ...(isUnnoted ? {} : { program }) };
  const problems = strayValueProblems(kind(name), [ignored], args);
  return problems.map(({ path, message }) => `${pathText(path)}: ${message}`);
}

const everyShare = "rules[*].passPercentage";
const advice =
  'Set owns: { rollout: "console" } in its place, which goes by names, or take the path out of ignoreChanges for this update';
const [a, b] = [rule("a", 20), rule("b", 66)];
const [noA, noB] = [rule("a", 0), rule("b", 0)];

test("a rule inserted before others goes live with the value of another one: refused", () => {
  const olds = gate(rule("everyone", 66));
  const program = gate(rule("new", 5), rule("everyone", 10));
  expect(told(everyShare, olds, program)).toEqual([
    'rules[0].passPercentage: "new" would go live with 66, the value of "everyone", and not with 5; ' +
      'rules[1].passPercentage: "everyone" would go live with 10, the program\'s value, and not with 66. ' +
      `ignoreChanges "rules[*].passPercentage" goes by places, and the list has moved. ${advice}`,
  ]);
  expect(told(everyShare, olds, program, { isUnnoted: true })).toEqual([
    expect.stringContaining('"new" would go live with 66, the value of "everyone"; rules[1].passPercentage'),
  ]);
});

const [c, noC] = [rule("c", 3), rule("c", 0)];

test.each<[string, JsonObject, JsonObject]>([
  ["two that change places", gate(a, b), gate(noB, noA)],
  ["one that is removed before others", gate(a, b), gate(noB)],
  ["another rule in the place of one", gate(a), gate(noC)],
  ["the last one in the middle", gate(a, b, c), gate(noA, noC, noB)],
])("refused as well: %s", (_, olds, program) => {
  expect(told(everyShare, olds, program)).toHaveLength(1);
  expect(told(everyShare, olds, program, { isUnnoted: true })).toHaveLength(1);
});

test("values that the program does not set, whole elements, and members at every depth", () => {
  const olds = gate(rule("a", 20, { environments: ["production"] }), b);
  const program = gate(rule("new", 5), a, b);
  expect(told("rules[*].environments", olds, program)).toEqual([
    expect.stringMatching(
      /^rules\[0\]\.environments: "new" would go live with \["production"\], the value of "a".*Put the elements back in their places, with new ones last, or take the path out/,
    ),
  ]);
  for (const ignored of ["rules[0]", "rules[0].passPercentage", "rules[1].conditions[0].targetValue"])
    expect(told(ignored, olds, program)).toHaveLength(1);
});

describe("groups, variants, parameters, and lists inside of values", () => {
  const groups = (...names: string[]) => ({
    groups: names.map((name, at) => ({ name, size: 10 + at, parameterValues: {} })),
  });
  const variants = (...shares: [string, number][]) =>
    gate(rule("all", 100, { variants: shares.map(([name, passPercentage]) => ({ name, passPercentage })) }));
  const parameters = (...names: string[]) => ({
    parameters: names.map((name) => ({ name, type: "string", defaultValue: name })),
  });
  const shops = (...names: string[]) => ({
    defaultValue: { shops: names.map((id) => ({ id, limit: id.length })) },
  });

  test.each<[KindName, string, JsonObject, JsonObject, RegExp]>([
    ["experiment", "groups[*].size", groups("a", "b"), groups("b", "a"), /^groups/],
    [
      ...(["dynamicConfig", "rules[0].variants[*].passPercentage"] as const),
      variants(["a", 60], ["b", 40]),
      variants(["new", 10], ["a", 50], ["b", 40]),
      /^rules\[0\]\.variants\[0\]\.passPercentage: "new" would go live with 60/,
    ],
    [
      ...(["layer", "parameters[*].defaultValue", parameters("a", "b"), parameters("b")] as const),
      /"b" would go live with "a", the value of "a", and not with "b"/,
    ],
    [
      ...(["dynamicConfig", "defaultValue.shops[*].limit", shops("bcd"), shops("a", "bcd")] as const),
      /^defaultValue\.shops\[0\]\.limit: this element would go live with 3, the value of another, and not with 1/,
    ],
  ])("of a %s: %s", (name, ignored, olds, program, text) => {
    expect(told(ignored, olds, program, { name })).toEqual([expect.stringMatching(text)]);
  });
});

describe("nothing is refused where each element keeps its own", () => {
  const renamed = { ...noA, name: "renamed" };
  const unknown: JsonObject = { ...noA, name: UNKNOWN, conditions: UNKNOWN };

  test.each<[string, JsonObject, JsonObject]>([
    ["in the same places", gate(a, b), gate(noA, noB)],
    ["a new one at the end", gate(a), gate(noA, rule("new", 5))],
    ["the last one removed", gate(a, b), gate(noA)],
    ["a renamed rule with its conditions", gate(a), gate(renamed)],
    ["another condition of the same rule", gate(a), gate({ ...noA, conditions: mail("other") })],
    ["moved, with the same value", gate(rule("a", 66), b), gate(b, rule("a", 66))],
    ["no list", { key: "checkout" }, gate(a)],
    ["what is not known yet", gate(a, b), gate(unknown, noB)],
  ])("%s", (_, olds, program) => {
    expect(told(everyShare, olds, program)).toEqual([]);
    expect(told(everyShare, olds, program, { isUnnoted: true })).toEqual([]);
  });

  test.each(["rules", "description", "rules[*].pass_percentage", "rules[7].passPercentage"])(
    "by the path %s, which leads through no list, or to nothing",
    (ignored) => expect(told(ignored, gate(a, b), gate(b, a))).toEqual([]),
  );
});

test.each([
  ["rules[*].passPercentage", ["rules", "*", "passPercentage"]],
  ['defaultValue["x.y"][0]', ["defaultValue", "x.y", 0]],
  ['["a \\"b\\""].c', ['a "b"', "c"]],
  ["rules[1", undefined],
])("%s is read as Pulumi reads it", (text, path) => {
  expect(propertyPath(text)).toEqual(path);
});

test.each<[path: string, ...advice: string[]]>([
  ["description"],
  ["*"],
  ["checksPerHour"],
  ["onDelete"],
  ["rules[0].passPercentage"],
  ["rules[*].passPercentage"],
  ["rules[*].conditions[0].targetValue"],
  ["reviewSettings.requiredReview"],
  ["descripton", '; did you mean "description"?'],
  ["rules[0].passPercentag", '; did you mean "rules[0].passPercentage"?'],
  ["rules[*].pass_percentage", '; did you mean "rules[*].passPercentage"?'],
  ["ruls[*].conditions[0].target_value", '; did you mean "rules[*].conditions[0].targetValue"?'],
  ["rules[*].nonsense", "."],
  ["rules[7]", "."],
  ["rules[7].passPercentage", "."],
])("a path that leads nowhere is told: %s", (path, ...advice) => {
  const [olds, news] = [gate(a), gate(a, b)];
  const text = `ignoreChanges "${path}" names no place of a gate: the update carries out what it was to ignore`;
  expect(lostPathTexts(kind("gate"), [path], { olds, news })).toEqual(advice.map((one) => `${text}${one}`));
});
