import { expect, test } from "@jest/globals";
import { z } from "zod";
import { check } from "../../src/provider/decisions/check";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { input } from "../../src/provider/schema/field";
import { isObject } from "../../src/provider/schema/json";
import type { ValueType } from "../../src/provider/schema/value-type";
import { quoteField } from "../../src/provider/texts/issue-text";
import { canonical, changedPaths, sameMeaning } from "../../src/provider/values/compare";
import { stateOf } from "../../src/provider/values/managed";

/** Texts of which only the number of characters is kept. */
const length: ValueType = {
  canonical: (value) => (typeof value === "string" ? { length: value.length } : value),
  isCanonical: (value) => isObject(value) && typeof value.length === "number",
  meaning: (value) => (isObject(value) && value.length !== 0 ? value.length : undefined),
  describe: (value) => (typeof value === "string" ? `${value.length} characters` : undefined),
  types: { taken: "string", read: { length: "number" } },
};

const { tag } = catalog;
const measured: ResourceDefinition = {
  ...tag,
  fields: {
    ...tag.fields,
    description: input(z.string().optional(), { doc: "Measured.", valueType: length }),
  },
};

test("a value type decides what is kept, compared and told of a field", () => {
  const { inputs, problems } = check(measured, {}, { name: "a", description: "four" });
  expect(problems).toEqual([]);
  expect(inputs).toMatchObject({ name: "a", description: { length: 4 } });
  expect(check(measured, inputs, inputs)).toMatchObject({ inputs, problems: [] });
  const live = { name: "a", description: "five5" };
  expect(stateOf(measured, live, inputs)).toMatchObject({ description: { length: 5 } });
  expect(stateOf(tag, live, live)).toMatchObject({ description: "five5" });

  expect(canonical(measured, "description", canonical(measured, "description", "six"))).toEqual({
    length: 3,
  });
  expect(sameMeaning(measured, "description", "four", "five")).toBe(true);
  expect(sameMeaning(measured, "description", "", null)).toBe(true);
  expect(changedPaths(measured, "description", "four", "three")).toEqual(["description"]);
  expect(changedPaths(tag, "description", "four", "five")).toEqual(["description"]);

  expect(quoteField(measured, "description", "four")).toBe("4 characters");
  expect(quoteField(measured, "description", undefined)).toBe("nothing");
  expect(quoteField(tag, "description", "four")).toBe('"four"');
});

test("a value that is not of the type is told by the schema of its argument", () => {
  const { problems } = check(measured, {}, { name: "a", description: 5 });
  expect(problems).toEqual([{ path: ["description"], message: "found 5; text is needed" }]);
});
