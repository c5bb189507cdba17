import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { managed } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { argumentsCode } from "../../src/tools/import/program/argument-code";
import { commentCode, memberCode, textCode, valueCode } from "../../src/tools/import/program/code-text";

const evaluated = (code: string): unknown => new Function(`return (${code});`)();

test("every text means itself, with line ends, quotes, backslashes and what a template would fill in", () => {
  const odd = [
    "a\r\nb",
    "\r",
    "`$" + "{x}`\n",
    "\\n\n\\",
    "\u2028\n",
    "'\"",
    "\ufeff\n\0",
    "tab\t\n",
    "$" + "{",
    "\n",
  ];
  for (const text of odd) expect(evaluated(textCode(text))).toBe(text);
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
    expect(textCode(one)).toContain("a\\u200b\\u202e\\u00a0\\ufe0f\\u{e0041}\\ud83d");
    expect(evaluated(textCode(one))).toBe(one);
  }
  expect(commentCode("a\u202eb")).toBe("// a\\u202eb");
  expect(["a\u200db", "\u{1d4b3}"].map(memberCode)).toEqual(['"a\\u200db"', '"\u{1d4b3}"']);
});

const definitions: Readonly<Record<string, ResourceDefinition>> = managed;
const context = { reference: () => undefined, ids: () => "[]", unusual: () => undefined };

/** A kind with an argument that is JSON as text. */
const [definition, name] = Object.values(definitions).flatMap((one) =>
  Object.entries(one.fields).flatMap(([field, { mode, facts }]): [ResourceDefinition, string][] =>
    mode === "input" && facts.sameAs === "json" ? [[one, field]] : [],
  ),
)[0] as [ResourceDefinition, string];

test.each(['{"a":1e400}', '{"a":12345678901234567891}', "text", "1"])("JSON text %s stays text", (text) => {
  expect(argumentsCode(definition, { [name]: text }, context)).toBe(`{ ${name}: ${JSON.stringify(text)} }`);
});

test("JSON text of an object is an object", () => {
  expect(argumentsCode(definition, { [name]: '{"a":[1,null]}' }, context)).toBe(
    `{ ${name}: JSON.stringify({ a: [1, null] }) }`,
  );
});
