import { describe, expect, test } from "@jest/globals";
import { finding, ruleFor } from "./desk";
import { sharedDesk } from "./test-desk";

const desk = sharedDesk();

test("the name is required", async () => {
  expect((await desk.ask("POST", "/dynamic_configs", { id: "config" })).body).toEqual(
    finding("name", "Required"),
  );
});

test.each([
  [["disable"], "Disabled", false],
  [["disable", "enable"], "Enabled", true],
  [["archive"], "Archived", true],
  [["disable", "archive", "unarchive"], "Disabled", false],
  [["archive", "unarchive"], "Enabled", true],
])("after %j a config is %s", async (actions, status, isEnabled) => {
  await desk.must("POST", "/dynamic_configs", { name: "config" });
  for (const action of actions) await desk.must("PUT", `/dynamic_configs/config/${action}`, {});
  expect(await desk.must("GET", "/dynamic_configs/config")).toMatchObject({ status, isEnabled });
});

test("an archived config takes no write and stays in lists, which cannot ask for it", async () => {
  await desk.must("POST", "/dynamic_configs", { name: "config" });
  await desk.must("PUT", "/dynamic_configs/config/archive", { forceArchive: false, archiveReason: "old" });
  expect((await desk.ask("PATCH", "/dynamic_configs/config", { description: "x" })).status).toBe(400);
  expect(await desk.list("/dynamic_configs")).toMatchObject([{ status: "Archived" }]);
  const [plain] = await desk.list("/dynamic_configs");
  expect(plain).not.toHaveProperty("archiveReason");
  const shown = await desk.must("GET", "/dynamic_configs/config?includeArchiveMetadata=true");
  expect(shown).toMatchObject({ archiveReason: "old", archivedByName: "CONSOLE API" });
  expect(await desk.list("/dynamic_configs?includeArchiveMetadata=true")).toEqual([shown]);
});

describe("values and their JSON5 text", () => {
  test("what JSON5 alone can say is refused: the other view could not hold it", async () => {
    await desk.must("POST", "/dynamic_configs", { name: "endless" });
    for (const number of ["Infinity", "NaN", "-1e400"])
      expect(
        (await desk.ask("PATCH", "/dynamic_configs/endless", { defaultValueJson5: `{a: ${number}}` })).body,
      ).toEqual(finding("defaultValueJson5", "Expected JSON values"));
  });

  const commented = "{a: 1, /* why */}";
  test.each<[object, object]>([
    [{ defaultValue: { a: [1] } }, { defaultValueJson5: '{"a":[1]}' }],
    [{ defaultValueJson5: commented }, { defaultValue: { a: 1 } }],
    [{ defaultValue: { a: 1 }, defaultValueJson5: "{a: 1}" }, {}],
    [{ schemaJson5: "{type: 'object'}" }, { schema: '{"type":"object"}' }],
    [{ schema: '{"type": "object"}' }, { schemaJson5: '{"type": "object"}' }],
  ])("%j is stored, with %j", async (body, other) => {
    const shown = { ...body, ...other };
    expect(await desk.must("POST", "/dynamic_configs", { name: "config", ...body })).toMatchObject(shown);
  });

  test("a change of one changes the other, null clears both", async () => {
    await desk.must("POST", "/dynamic_configs", {
      name: "config",
      defaultValueJson5: "{a: 1}",
      schema: "{}",
    });
    const change = { defaultValue: { b: 2 }, schemaJson5: null };
    expect(await desk.must("PATCH", "/dynamic_configs/config", change)).toMatchObject({
      defaultValueJson5: '{"b":2}',
      schema: null,
      schemaJson5: null,
    });
    const bare = { isEnabled: true, description: "", rules: [] };
    expect(await desk.must("POST", "/dynamic_configs/config", bare)).toMatchObject({
      defaultValue: {},
      defaultValueJson5: "{}",
    });
  });

  test.each([
    [{ defaultValue: { a: 1 }, defaultValueJson5: "{a: 2}" }, "defaultValueJson5"],
    [{ defaultValueJson5: "{a: " }, "defaultValueJson5"],
    [{ defaultValueJson5: "[1]" }, "defaultValueJson5"],
    [{ schema: "{a: 1}" }, "schema"],
    [{ schema: "[]" }, "schema"],
    [
      { rules: [{ ...ruleFor("r"), returnValue: {}, returnValueJson5: "{a: 1}" }] },
      "rules.0.returnValueJson5",
    ],
    [{ defaultValue: [] }, "defaultValue"],
  ])("%j is refused", async (body, property) => {
    const { status, body: answer } = await desk.ask("POST", "/dynamic_configs", { name: "config", ...body });
    expect(status).toBe(400);
    expect(answer.errors).toEqual([{ property, errorMessage: expect.any(String) }]);
  });
});

describe("a schema", () => {
  const schema = JSON.stringify({
    type: "object",
    required: ["size"],
    properties: { size: { type: "integer" } },
  });
  const good = { size: 1 };

  test("is what default and return values must satisfy", async () => {
    await desk.must("POST", "/dynamic_configs", { name: "config", schema, defaultValue: good });
    const refusals: [object, string][] = [
      [{ defaultValue: {} }, "defaultValue"],
      [{ rules: [{ ...ruleFor("r"), returnValue: { size: "x" } }] }, "rules.0.returnValue"],
      [
        { rules: [{ ...ruleFor("r"), variants: [{ name: "v", passPercentage: 1, returnValue: {} }] }] },
        "rules.0.variants.0.returnValue",
      ],
    ];
    for (const [body, property] of refusals) {
      const { status, body: answer } = await desk.ask("PATCH", "/dynamic_configs/config", body);
      expect([status, answer.errors]).toMatchObject([400, [{ property }]]);
    }
    await desk.must("PATCH", "/dynamic_configs/config", { rules: [{ ...ruleFor("r"), returnValue: good }] });
  });

  test("is refused while stored values do not satisfy it", async () => {
    await desk.must("POST", "/dynamic_configs", { name: "config" });
    expect((await desk.ask("PATCH", "/dynamic_configs/config", { schema })).status).toBe(400);
    expect(await desk.must("PATCH", "/dynamic_configs/config", { schema, defaultValue: good })).toMatchObject(
      { schema },
    );
  });
});

test("[A8] a dry run of a config is asked for in the query, of its rules too", async () => {
  const rule = { name: "r", passPercentage: 100, conditions: [] };
  await desk.must("POST", "/dynamic_configs?dryRun=true", { name: "one" });
  expect(await desk.list("/dynamic_configs")).toEqual([]);
  const { rules } = await desk.must("POST", "/dynamic_configs", { name: "one", rules: [rule] });
  await desk.must("PATCH", "/dynamic_configs/one?dryRun=true", { description: "new" });
  await desk.must("PATCH", `/dynamic_configs/one/rule/${rules[0]?.id}?dryRun=true`, { passPercentage: 5 });
  expect(await desk.must("GET", "/dynamic_configs/one")).toMatchObject({
    ...{ description: "", version: 1 },
    rules: [{ passPercentage: 100 }],
  });
});
