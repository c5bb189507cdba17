import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { managed } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { argumentsCode } from "../../src/tools/import/program/argument-code";
import { commentCode, memberCode, textCode, valueCode } from "../../src/tools/import/program/code-text";
import { identifiersOf, resourceNames } from "../../src/tools/import/program/names";
import { groupOrder, type Needs, ordered, placedInFiles } from "../../src/tools/import/program/order";
import { awkwardTexts, queries } from "./console/texts";

const evaluated = (code: string): unknown => new Function(`return (${code});`)();

test("every text means itself, with line ends, quotes, backslashes and what a template would fill in", () => {
  const odd = ["\r", "\\n\n\\", "\u2028\n", "\ufeff\n\0"];
  for (const text of [...odd, ...awkwardTexts, ...queries]) expect(evaluated(textCode(text))).toBe(text);
  const parts = fc.constantFrom("\n", "\r", "`", "$", "{", "}", "\\", '"', "'", "a", "\u2029", "é", "😀");
  fc.assert(
    fc.property(fc.array(parts), (all) => {
      expect(evaluated(textCode(all.join("")))).toBe(all.join(""));
    }),
  );
});

test("a text of several lines is a template, and one of one line a string", () => {
  expect(textCode("SELECT *\nFROM `t`")).toBe("`SELECT *\nFROM \\`t\\``");
  expect(textCode("SELECT 1")).toBe('"SELECT 1"');
});

test("every JSON value means itself", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      expect(JSON.stringify(evaluated(valueCode(plain)))).toBe(JSON.stringify(plain));
    }),
  );
});

test("members are quoted where they have to be", () => {
  const quoted = ['"b-c"', '"1a"', '["__proto__"]'];
  expect(["b-c", "1a", "__proto__"].map(memberCode)).toEqual(quoted);
  expect(["plain", "$x", "é", "default"].map(memberCode)).toEqual(["plain", "$x", "é", "default"]);
});

test("a comment stays on its line", () => {
  expect(commentCode("one\ntwo\u2028three")).toBe("// one two three");
});

test("what nobody sees is an escape, also in templates and comments, and means the same", () => {
  const text = "a\u200b\u202e\u00a0\ufe0f\u{e0041}\ud83d";
  for (const one of [text, `${text}\n`]) {
    expect(textCode(one)).toContain("a\\u200b\\u202e\\u00a0\\ufe0f\\udb40\\udc41\\ud83d");
    expect(evaluated(textCode(one))).toBe(one);
  }
  expect(commentCode("a\u202eb")).toBe("// a\\u202eb");
  expect(["a\u200db", "\u{1d4b3}"].map(memberCode)).toEqual(['"a\\u200db"', '"\u{1d4b3}"']);
});

/** A kind with an argument that is JSON as text. */
const definition: ResourceDefinition = managed.dynamicConfig;
const none = () => undefined;
const codeOf = (schema: string) =>
  argumentsCode(definition, { schema }, { reference: none, ids: () => "[]", unusual: none });

test.each([
  ['{"a":1e400}', '"{\\"a\\":1e400}"'],
  ['{"a":12345678901234567891}', '"{\\"a\\":12345678901234567891}"'],
  ["text", '"text"'],
  ["1", '"1"'],
  ['{"a":[1,null]}', "JSON.stringify({ a: [1, null] })"],
])("JSON text %s is an object where that means the same, and else stays text", (text, code) => {
  expect(codeOf(text)).toBe(`{ schema: ${code} }`);
});

type Row = readonly [what: string, identifiers: Readonly<Record<string, string>>];

/** Gates by name -> the identifier of each; of other kinds, `Kind: name`. */
test.each<Row>([
  [
    "is the name in camel case",
    {
      ...{ checkout_v2: "checkoutV2", "Q4 holdout": "q4Holdout", "new-checkout.flow": "newCheckoutFlow" },
      ...{ URL: "url", café_crème: "caféCrème", companyID: "companyID" },
    },
  ],
  [
    "has the kind beside it where it could not begin so, or is a word of the language",
    {
      ...{ "3d_view": "gate3dView", default: "defaultGate", "Segment: fc": "fcSegment" },
      ...{ "Tag: ★": "tag2", "Tag: %%": "tag" },
    },
  ],
  [
    "is told apart from others, in whatever order they come",
    { "a.b": "aBGate", a_b: "aBGate2", "Segment: staff": "staffSegment", staff: "staffGate" },
  ],
  [
    "stays that of the one that is called so",
    {
      ...{ "foo-bar": "fooBarGate", fooBar: "fooBar", foo_bar: "fooBarGate2" },
      ...{ "Tag: search": "search", "Team: Search": "searchTeam" },
    },
  ],
  [
    "keeps two numbers beside each other two",
    {
      ...{ "checkout-v2-28": "checkoutV2_28", checkout_v22_8: "checkoutV22_8" },
      "rollout 2025.10": "rollout2025_10",
    },
  ],
  [
    "has nothing that nobody sees, or that compilers read differently",
    { "a\u200db": "ab", "\u3164c": "c", "d\u{1d4b3}e": "de", "\u202ef": "f" },
  ],
])("an identifier %s", (_, wanted) => {
  const objects = Object.keys(wanted).map((text) => {
    const [, kind = "Gate", name = text] = /^(\w+): (.*)$/s.exec(text) ?? [];
    return { kind, name };
  });
  for (const order of [objects, objects.toReversed()]) {
    const identifiers = identifiersOf(order);
    expect(objects.map((one) => identifiers.get(one))).toEqual(Object.values(wanted));
  }
});

test.each([
  ["are told apart by their ids", ["few", "few", "", "alone"], ["few (1)", "few (2)", "3", "alone"]],
  [
    "are not that of another, nor one that is taken",
    ["a", "a", "a (1)", "b", "c"],
    ["a (1) 2", "a (2)", "a (1)", "b (4)", "c (5) 2"],
  ],
])("names of resources that would be called alike %s", (_, called, names) => {
  const objects = called.map((one, at) => ({ called: one, id: String(at + 1) }));
  expect(resourceNames(objects, (name) => !["b", "c", "c (5)"].includes(name))).toEqual(names);
});

const needsOf = (needs: Readonly<Record<string, readonly string[]>>): Needs<string> =>
  new Map(Object.entries(needs));
const groupOf = (name: string) => name.charAt(0);

test.each([
  ["what others need comes first, the rest in order", { a: ["c"], b: [], c: [] }, ["c", "a", "b"], []],
  ["a circle is cut where it closes", { a: ["b"], b: ["c"], c: ["a"] }, ["c", "b", "a"], [["c", ["a"]]]],
])("%s", (_, needs, wanted, cuts) => {
  const { order, cut } = ordered(["a", "b", "c"], needsOf(needs));
  expect(order).toEqual(wanted);
  expect([...cut].map(([from, to]) => [from, [...to]])).toEqual(cuts);
});

test("a chain may be as long as a project", () => {
  const names = Array.from({ length: 50_000 }, (_, index) => `n${index}`);
  const needs: Needs<string> = new Map(names.map((name, index) => [name, names.slice(index + 1, index + 2)]));
  expect(ordered(names, needs).order[0]).toBe("n49999");
});

test("files can be loaded one after the other, also where groups need each other", () => {
  // A gate needs a pipeline that needs a gate.
  const needs = needsOf({ g1: ["p1"], p1: ["g2"], g2: [], s1: ["g1"] });
  const { order } = ordered(["g1", "g2", "p1", "s1"], needs);
  const groups = groupOrder(order, needs, groupOf, ["g", "p", "s"]);
  const places = placedInFiles(order, needs, groupOf, groups);
  const files = [1, 2].flatMap((part) => groups.map((group) => ({ group, part })));
  const loaded = files.flatMap(({ group, part }) =>
    order.filter((one) => places.get(one)?.group === group && places.get(one)?.part === part),
  );
  expect(loaded.toSorted()).toEqual(["g1", "g2", "p1", "s1"]);
  for (const [one, needed] of needs)
    for (const other of needed) expect(loaded.indexOf(other)).toBeLessThan(loaded.indexOf(one));
  expect(places.get("g1")).not.toEqual(places.get("g2"));
});

test.each([
  [["c", "a"], [], ["c", "a", "b"]],
  [["a", "b", "c"], ["b1"], ["b", "a", "c"]],
])("groups keep their usual order, %j, as far as references of a1 to %j allow", (usual, needed, wanted) => {
  const needs = needsOf({ a1: needed, b1: [], c1: [] });
  expect(groupOrder(["a1", "b1", "c1"], needs, groupOf, usual)).toEqual(wanted);
});
