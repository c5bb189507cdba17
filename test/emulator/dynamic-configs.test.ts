import { describe, expect, test } from "@jest/globals";
import { schemaChecker } from "../../src/emulator/http/json-schema";
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

describe("the checker of schemas", () => {
  const nested = {
    $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } }, required: ["v"] } },
    $ref: "#/$defs/node",
  };
  const noOthers = { properties: { a: { type: "string" } }, additionalProperties: false };

  // What each keyword means is the library's; here are its version, and the ways in which it is lenient.
  test.each<[object | boolean, unknown, boolean]>([
    [true, 1, true],
    [false, 1, false],
    [{}, null, true],
    [{ type: "integer" }, 1.5, false],
    [{ type: "object" }, [], false],
    [{ pattern: "^a" }, "ba", false],
    [noOthers, { a: "x" }, true],
    [{ prefixItems: [{ type: "string" }], items: false }, ["a", 1], false],
    [{ prefixItems: [{}], unevaluatedItems: false }, [1, 2], false],
    [{ dependentSchemas: { a: { required: ["b"] } } }, { a: 1 }, false],
    [nested, { v: 1, next: { v: 2 } }, true],
    [nested, { v: 1, next: {} }, false],
    // 0.3 is a multiple of 0.1, and {} has no member toString.
    [{ multipleOf: 0.1 }, 0.3, true],
    [{ multipleOf: 0.1 }, 0.35, false],
    [{ required: ["toString"] }, {}, false],
    [{ type: "string", format: "email" }, "nobody", true],
    [{ $schema: "http://json-schema.org/draft-07/schema#", type: "string" }, 1, false],
    [{ $async: true, type: "string" }, 1, false],
    [{ "x-note": 1, type: "string" }, 1, false],
    // A schema that cannot be worked with finds nothing.
    [{ $ref: "#" }, 1, true],
    [{ $ref: "https://elsewhere.example/schema" }, 1, true],
    [{ type: "nonsense" }, 1, true],
    [{ pattern: "(" }, "text", true],
  ])("%j takes %j: %s", (schema, value, takes) => {
    expect(schemaChecker(schema)(value).length === 0).toBe(takes);
  });

  test.each<[object, unknown, string[]]>([
    [{ items: { type: "string" } }, ["a", 1, 2], ["1 must be string", "2 must be string"]],
    [{ properties: { list: { items: { type: "string" } } } }, { list: [1] }, ["list/0 must be string"]],
    [{ required: ["size"] }, {}, ["the value must have required property 'size'"]],
    [{ additionalProperties: false }, { b: 1 }, ['the value must NOT have additional properties: "b"']],
    [{ unevaluatedProperties: false }, { b: 1 }, ['the value must NOT have unevaluated properties: "b"']],
    [{ enum: [1, 2] }, 3, ["the value must be equal to one of the allowed values: [1,2]"]],
    [{ const: 1 }, 3, ["the value must be equal to constant: 1"]],
  ])("a finding names the place: %j with %j", (schema, value, findings) => {
    expect(schemaChecker(schema)(value)).toEqual(findings);
  });
});
