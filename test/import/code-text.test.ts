import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { managed } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { argumentsCode } from "../../src/tools/import/program/argument-code";
import { commentCode, memberCode, textCode, valueCode } from "../../src/tools/import/program/code-text";
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
const codeOf = (schema: string) =>
  argumentsCode(
    definition,
    { schema },
    { reference: () => undefined, ids: () => "[]", unusual: () => undefined },
  );

test.each([
  ['{"a":1e400}', '"{\\"a\\":1e400}"'],
  ['{"a":12345678901234567891}', '"{\\"a\\":12345678901234567891}"'],
  ["text", '"text"'],
  ["1", '"1"'],
  ['{"a":[1,null]}', "JSON.stringify({ a: [1, null] })"],
])("JSON text %s is an object where that means the same, and else stays text", (text, code) => {
  expect(codeOf(text)).toBe(`{ schema: ${code} }`);
});
