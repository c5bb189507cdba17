import { describe, expect, test } from "@jest/globals";
import { strayValueProblems } from "../../src/provider/decisions/ignored-places";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { pathText, propertyPath } from "../../src/provider/schema/path";
import { withIgnoredChanges } from "../support/ignore-changes";

const mail = (text: string) => [
  { type: "email", operator: "str_contains_any", targetValue: [`@${text}.example`] },
];
const rule = (name: string, passPercentage: number, more: JsonObject = {}) => ({
  name,
  passPercentage,
  conditions: mail(name),
  ...more,
});

interface Case {
  readonly definition?: ResourceDefinition;
  readonly ignored: string;
  readonly olds: JsonObject;
  readonly program: JsonObject;
  /** Python, YAML and Go: nobody notes what the program sets. */
  readonly isUnnoted?: boolean;
}

/** What a program is told, as `path: message`. */
function told({ definition = catalog.gate, ignored, olds, program, isUnnoted }: Case): string[] {
  const news = withIgnoredChanges([ignored], olds, program);
  const args = { olds, news, ...(isUnnoted ? {} : { program }) };
  return strayValueProblems(definition, [ignored], args).map(
    ({ path, message }) => `${pathText(path)}: ${message}`,
  );
}

const everyShare = "rules[*].passPercentage";
const gate = (...rules: JsonObject[]) => ({ key: "checkout", rules });
const advice =
  'Set owns: { rollout: "console" } in its place, which goes by names, or take the path out of ignoreChanges for this update';

describe("an element that goes live with the value of another one is refused", () => {
  test("a rule inserted before others", () => {
    const olds = gate(rule("everyone", 66));
    const program = gate(rule("new", 5), rule("everyone", 10));
    expect(told({ ignored: everyShare, olds, program })).toEqual([
      'rules[0].passPercentage: "new" would go live with 66, the value of "everyone", and not with 5; ' +
        'rules[1].passPercentage: "everyone" would go live with 10, the program\'s value, and not with 66. ' +
        `ignoreChanges "rules[*].passPercentage" goes by places, and the list has moved. ${advice}`,
    ]);
    expect(told({ ignored: "rules[0].passPercentage", olds, program })).toHaveLength(1);
    expect(told({ ignored: everyShare, olds, program, isUnnoted: true })).toEqual([
      expect.stringContaining(
        '"new" would go live with 66, the value of "everyone"; rules[1].passPercentage',
      ),
    ]);
  });

  test.each([
    ["two that change places", gate(rule("a", 20), rule("b", 66)), gate(rule("b", 0), rule("a", 0))],
    ["one that is removed before others", gate(rule("a", 20), rule("b", 66)), gate(rule("b", 0))],
    ["another rule in the place of one", gate(rule("a", 20)), gate(rule("c", 0))],
    [
      "the last one in the middle",
      gate(rule("a", 1), rule("b", 2), rule("c", 3)),
      gate(rule("a", 0), rule("c", 0), rule("b", 0)),
    ],
  ])("%s", (_, olds, program) => {
    expect(told({ ignored: everyShare, olds, program })).toHaveLength(1);
    expect(told({ ignored: everyShare, olds, program, isUnnoted: true })).toHaveLength(1);
  });

  test("values that the program does not set, whole elements, and members at every depth", () => {
    const olds = gate(rule("a", 20, { environments: ["production"] }), rule("b", 66));
    const program = gate(rule("new", 5), rule("a", 20), rule("b", 66));
    expect(told({ ignored: "rules[*].environments", olds, program })).toEqual([
      expect.stringMatching(
        /^rules\[0\]\.environments: "new" would go live with \["production"\], the value of "a".*Put the elements back in their places, with new ones last, or take the path out/,
      ),
    ]);
    expect(told({ ignored: "rules[0]", olds, program })).toHaveLength(1);
    expect(told({ ignored: "rules[1].conditions[0].targetValue", olds, program })).toHaveLength(1);
  });

  test("groups, variants, parameters, and lists inside of values", () => {
    const groups = (...names: string[]) => ({
      groups: names.map((name, at) => ({ name, size: 10 + at, parameterValues: {} })),
    });
    expect(
      told({
        definition: catalog.experiment,
        ignored: "groups[*].size",
        olds: groups("a", "b"),
        program: groups("b", "a"),
      }),
    ).toHaveLength(1);
    const variants = (...shares: [string, number][]) => ({
      rules: [
        rule("all", 100, {
          variants: shares.map(([name, passPercentage]) => ({ name, passPercentage, returnValue: {} })),
        }),
      ],
    });
    expect(
      told({
        definition: catalog.dynamicConfig,
        ignored: "rules[0].variants[*].passPercentage",
        olds: variants(["a", 60], ["b", 40]),
        program: variants(["new", 10], ["a", 50], ["b", 40]),
      }),
    ).toEqual([
      expect.stringMatching(/^rules\[0\]\.variants\[0\]\.passPercentage: "new" would go live with 60/),
    ]);
    const parameters = (...names: string[]) => ({
      parameters: names.map((name) => ({ name, type: "string", defaultValue: name })),
    });
    expect(
      told({
        definition: catalog.layer,
        ignored: "parameters[*].defaultValue",
        olds: parameters("a", "b"),
        program: parameters("b"),
      }),
    ).toEqual([expect.stringMatching(/"b" would go live with "a", the value of "a", and not with "b"/)]);
    const list = (...names: string[]) => ({
      defaultValue: { shops: names.map((id) => ({ id, limit: id.length })) },
    });
    expect(
      told({
        definition: catalog.dynamicConfig,
        ignored: "defaultValue.shops[*].limit",
        olds: list("bcd"),
        program: list("a", "bcd"),
      }),
    ).toEqual([
      expect.stringMatching(
        /^defaultValue\.shops\[0\]\.limit: this element would go live with 3, the value of another, and not with 1/,
      ),
    ]);
  });
});

describe("nothing is refused where each element keeps its own", () => {
  test.each([
    ["in the same places", gate(rule("a", 20), rule("b", 66)), gate(rule("a", 0), rule("b", 0))],
    ["a new one at the end", gate(rule("a", 20)), gate(rule("a", 0), rule("new", 5))],
    ["the last one removed", gate(rule("a", 20), rule("b", 66)), gate(rule("a", 0))],
    ["a renamed rule with its conditions", gate(rule("a", 20)), gate({ ...rule("a", 0), name: "renamed" })],
    [
      "another condition of the same rule",
      gate(rule("a", 20)),
      gate({ ...rule("a", 0), conditions: mail("other") }),
    ],
    ["moved, with the same value", gate(rule("a", 66), rule("b", 66)), gate(rule("b", 66), rule("a", 66))],
    ["no list", { key: "checkout" }, gate(rule("a", 66))],
  ])("%s", (_, olds, program) => {
    expect(told({ ignored: everyShare, olds, program })).toEqual([]);
    expect(told({ ignored: everyShare, olds, program, isUnnoted: true })).toEqual([]);
  });

  test("paths that lead through no list, or to nothing", () => {
    const [olds, program] = [gate(rule("a", 20), rule("b", 66)), gate(rule("b", 66), rule("a", 20))];
    for (const ignored of ["rules", "description", "rules[*].pass_percentage", "rules[7].passPercentage"])
      expect(told({ ignored, olds, program })).toEqual([]);
  });

  test("what is not known yet is not judged", () => {
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    const program = gate({ ...rule("a", 0), name: unknown, conditions: unknown as never }, rule("b", 0));
    expect(told({ ignored: everyShare, olds: gate(rule("a", 20), rule("b", 66)), program })).toEqual([]);
  });
});

test.each([
  ["rules[*].passPercentage", ["rules", "*", "passPercentage"]],
  ['defaultValue["x.y"][0]', ["defaultValue", "x.y", 0]],
  ['["a \\"b\\""].c', ['a "b"', "c"]],
  ["rules[1", undefined],
])("%s is read as Pulumi reads it", (text, path) => {
  expect(propertyPath(text)).toEqual(path);
});
