import { expect, test } from "@jest/globals";
import { inventory } from "../../scripts/generate/files";
import { modelOf } from "../../scripts/generate/shapes";
import { terraformText } from "../../scripts/generate/terraform";
import published from "../../spec/published-attributes.json";

const models = inventory.resources.map((definition) => modelOf(definition));

test("every argument of the published provider has its place here", () => {
  const text = terraformText(models);
  const names = Object.values(published.attributes).flat();
  expect(names.filter((one) => !text.includes(`\`${one}\``))).toEqual([]);
  expect(names).toHaveLength(206);
});

test("one that nothing here stands for is an error that names it", () => {
  const attributes = { ...published.attributes, Gate: [...published.attributes.Gate, "moon_phases"] };
  expect(() => terraformText(models, { ...published, attributes })).toThrow(
    "spec/published-attributes.json: nothing of Gate stands for moon_phases.",
  );
});
