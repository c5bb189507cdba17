import { describe, expect, test } from "@jest/globals";
import { ruleFor } from "./desk";
import { sharedDesk } from "./test-desk";

const { ask, must, list, refused } = sharedDesk();

const make = (body: object = {}) => must("POST", "/dynamic_configs", { name: "config", ...body });
const patch = (body: object) => must("PATCH", "/dynamic_configs/config", body);

test("an archived config takes no write and stays in lists, which cannot ask for it", async () => {
  await make();
  await must("PUT", "/dynamic_configs/config/archive", { forceArchive: false, archiveReason: "old" });
  expect((await ask("PATCH", "/dynamic_configs/config", { description: "x" })).status).toBe(400);
  const [plain] = await list("/dynamic_configs");
  expect([plain?.status, plain?.archiveReason]).toEqual(["Archived", undefined]);
  const shown = await must("GET", "/dynamic_configs/config?includeArchiveMetadata=true");
  expect(shown).toMatchObject({ archiveReason: "old", archivedByName: "CONSOLE API" });
  expect(await list("/dynamic_configs?includeArchiveMetadata=true")).toEqual([shown]);
});

describe("values and their JSON5 text", () => {
  test.each<[object, object]>([
    [{ defaultValue: { a: [1] } }, { defaultValueJson5: '{"a":[1]}' }],
    [{ defaultValueJson5: "{a: 1, /* why */}" }, { defaultValue: { a: 1 } }],
    [{ defaultValue: { a: 1 }, defaultValueJson5: "{a: 1}" }, {}],
    [{ schemaJson5: "{type: 'object'}" }, { schema: '{"type":"object"}' }],
    [{ schema: '{"type": "object"}' }, { schemaJson5: '{"type": "object"}' }],
  ])("%j is stored, with %j", async (body, other) => {
    expect(await make(body)).toMatchObject({ ...body, ...other });
  });

  test("a change of one changes the other, null clears both", async () => {
    await make({ defaultValueJson5: "{a: 1}", schema: "{}" });
    const none = { schema: null, schemaJson5: null };
    const changed = await patch({ defaultValue: { b: 2 }, schemaJson5: null });
    expect(changed).toMatchObject({ defaultValueJson5: '{"b":2}', ...none });
    const bare = { isEnabled: true, description: "", rules: [] };
    const empty = { defaultValue: {}, defaultValueJson5: "{}" };
    expect(await must("POST", "/dynamic_configs/config", bare)).toMatchObject(empty);
  });

  test("what JSON5 alone can say is refused: the other view could not hold it", async () => {
    for (const number of ["Infinity", "NaN", "-1e400"]) {
      const body = { name: "endless", defaultValueJson5: `{a: ${number}}` };
      const message = "400 defaultValueJson5: Expected JSON values";
      expect(await refused("POST", "/dynamic_configs", body)).toBe(message);
    }
  });

  const json5Rule = { ...ruleFor("r"), returnValue: {}, returnValueJson5: "{a: 1}" };
  test.each([
    ["name", { name: undefined }],
    ["defaultValueJson5", { defaultValue: { a: 1 }, defaultValueJson5: "{a: 2}" }],
    ["defaultValueJson5", { defaultValueJson5: "{a: " }],
    ["defaultValueJson5", { defaultValueJson5: "[1]" }],
    ["schema", { schema: "{a: 1}" }],
    ["schema", { schema: "[]" }],
    ["rules.0.returnValueJson5", { rules: [json5Rule] }],
    ["defaultValue", { defaultValue: [] }],
  ])("refused at %s: %j", async (property, body) => {
    const reason = await refused("POST", "/dynamic_configs", { name: "config", ...body });
    expect(reason).toMatch(new RegExp(`^400 ${property}: [^;]+$`));
  });
});

describe("a schema", () => {
  const properties = { size: { type: "integer" } };
  const schema = JSON.stringify({ type: "object", required: ["size"], properties });
  const good = { size: 1 };

  test("is what default and return values must satisfy", async () => {
    await make({ schema, defaultValue: good });
    const variants = [{ name: "v", passPercentage: 1, returnValue: {} }];
    for (const [property, body] of Object.entries({
      defaultValue: { defaultValue: {} },
      "rules.0.returnValue": { rules: [{ ...ruleFor("r"), returnValue: { size: "x" } }] },
      "rules.0.variants.0.returnValue": { rules: [{ ...ruleFor("r"), variants }] },
    }))
      expect(await refused("PATCH", "/dynamic_configs/config", body)).toContain(`400 ${property}: `);
    await patch({ rules: [{ ...ruleFor("r"), returnValue: good }] });
  });

  test("is refused while stored values do not satisfy it", async () => {
    await make();
    expect((await ask("PATCH", "/dynamic_configs/config", { schema })).status).toBe(400);
    expect(await patch({ schema, defaultValue: good })).toMatchObject({ schema });
  });
});

test("[A8] a dry run of a config is asked for in the query, of its rules too", async () => {
  await must("POST", "/dynamic_configs?dryRun=true", { name: "one" });
  expect(await list("/dynamic_configs")).toEqual([]);
  const { rules } = await make({ rules: [{ name: "r", passPercentage: 100, conditions: [] }] });
  const at = "/dynamic_configs/config";
  await must("PATCH", `${at}?dryRun=true`, { description: "new" });
  await must("PATCH", `${at}/rule/${rules[0]?.id}?dryRun=true`, { passPercentage: 5 });
  const unchanged = { description: "", version: 1, rules: [{ passPercentage: 100 }] };
  expect(await must("GET", at)).toMatchObject(unchanged);
});
