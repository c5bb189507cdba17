import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import ts from "typescript";
import { z } from "zod";
import { interfacesText } from "../../scripts/generate/interfaces";
import { table } from "../../scripts/generate/markdown";
import { kebab, singular } from "../../scripts/generate/names";
import { limitsOf } from "../../scripts/generate/remarks";
import { modelOf } from "../../scripts/generate/shapes";
import { docComment, lineWidth, literal } from "../../scripts/generate/typescript";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { input, nested } from "../../src/provider/schema/field";

test.each([
  [{}, []],
  [{ minLength: 1 }, ["not empty"]],
  [{ minLength: 3, maxLength: 100 }, ["3 to 100 characters"]],
  [{ maxLength: 1000 }, ["at most 1000 characters"]],
  [{ minimum: 0, maximum: 100, multipleOf: 0.01 }, ["0 to 100", "in steps of 0.01"]],
  [{ minimum: 2 }, ["at least 2"]],
  [{ type: "array", maxItems: 5, items: { minLength: 1 } }, ["at most 5 elements", "each not empty"]],
  [{ anyOf: [{ maxLength: 3 }, { type: "null" }] }, ["at most 3 characters"]],
] as const)("limits of %j", (node, limits) => {
  expect(limitsOf(node as never)).toEqual(limits);
});

test("names of files, and the singular of lists", () => {
  expect(["Gate", "DynamicConfig"].map(kebab)).toEqual(["gate", "dynamic-config"]);
  const lists = ["rules", "entries", "idTypeMapping", "access"];
  expect(lists.map(singular)).toEqual(["rule", "entry", "idTypeMapping", "access"]);
});

test("doc comments cannot be ended by what they quote, and are broken where they are too long", () => {
  expect(docComment(["matching `a*/b`"], "")).toEqual(["/** matching `a*\\/b` */"]);
  const lines = docComment(["word ".repeat(60).trim()], "  ");
  expect(lines.length).toBeGreaterThan(3);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(lineWidth);
});

test("literals are TypeScript as the formatter writes it", () => {
  const value = { plain: "a", "with-dash": [1, "two", null], quoted: 'say "x"', inner: [{ deep: {} }] };
  const line = `{ plain: "a", "with-dash": [1, "two", null], quoted: 'say "x"', inner: [{ deep: {} }] }`;
  expect(literal(value, lineWidth)).toBe(line);
  const broken = '{\n  list: ["a"],\n  inner: {\n    on: true,\n  },\n}';
  expect(literal({ list: ["a"], inner: { on: true } }, 0)).toBe(broken);
});

test("tables leave out empty columns and keep bars inside of cells", () => {
  const shown = "| A    | B   |\n| ---- | --- |\n| x\\|y | 1   |\n";
  expect(table(["A", "Empty", "B"], [["x|y", "", "1"]])).toBe(shown);
  expect(table(["A"], [])).toBe("");
});

function thingWith(fields: ResourceDefinition["fields"]): ResourceDefinition {
  return {
    ...{ kind: "Thing", name: "thing", title: "thing", doc: "A thing." },
    identity: { how: "key", argument: "key" },
    fields: { key: input(z.string(), { doc: "Key." }), ...fields },
    routes: { one: { method: "POST", path: "/things", returns: "item", doc: "Makes one." } },
    lifecycle: {
      create: { how: "send", route: "one", duplicates: "refused" },
      read: { how: "get", route: "one", list: "one" },
      update: [],
      delete: { remove: { route: "one" }, onDeleteDefault: "delete" },
    },
  };
}

test("two different objects in one member are more than the generator can name", () => {
  const schema = z.union([z.object({ one: z.string() }), z.object({ two: z.string() })]);
  const definition = thingWith({ either: input(schema, { doc: "One or the other." }) });
  expect(() => interfacesText(modelOf(definition))).toThrow(/Thing: "either" is one of two objects/);
});

test("a deprecated argument is struck through, with what to say instead", () => {
  const shade = nested(z.string(), { doc: "Its shade.", useInstead: "Say `light`." });
  const inner = z.object({ shade });
  const definition = thingWith({
    colour: input(z.string().optional(), { doc: "Its colour.", useInstead: "Say `paint`." }),
    paint: input(inner.optional(), { doc: "Its paint." }),
  });
  const text = interfacesText(modelOf(definition));
  expect(text).toContain("   * Its colour.\n   * @deprecated Say `paint`.\n   */\n  colour?: pulumi.Input<");
  expect(text).toContain("   * Its shade.\n   * @deprecated Say `light`.\n   */\n  shade: pulumi.Input<");
});

test("each member of a condition has a text for editors: TypeScript shows none that stands behind a brace", () => {
  const file = path.join(repositoryRoot, "src", "generated", "condition.ts");
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const silent: string[] = [];
  const visit = (node: ts.Node): void => {
    const isGiven = ts.isPropertySignature(node) && node.type?.kind !== ts.SyntaxKind.UndefinedKeyword;
    if (isGiven && ts.getJSDocCommentsAndTags(node).length === 0) silent.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(source);
  expect(silent).toEqual([]);
});
