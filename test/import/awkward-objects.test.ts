import { afterEach, expect, test } from "@jest/globals";
import type { Seed } from "../../src/emulator";
import { catalog } from "../../src/provider/definitions";
import { kindsNamed } from "../../src/tools/import/selection";
import { deskOf } from "../emulator/desk";
import { type ImportDesk, openImportDesk } from "./desk";

let api: ImportDesk;
afterEach(() => api.close());

/** Opens a console whose list of a kind is told with another text in the place of one. */
async function openTold(seed: Seed, list: string, before: string, after: string): Promise<void> {
  api = await openImportDesk(seed);
  const { body: shown } = await deskOf(api.emulator).ask("GET", `${list}?limit=100&page=1`);
  const text = JSON.stringify(shown);
  expect(text).toContain(before);
  const body = text.replaceAll(before, after);
  // A pattern, which unlike a beginning leaves reads of one object alone.
  api.emulator.addFaults([
    { path: `${list.slice(0, -1)}*`, times: 50, body, contentType: "application/json" },
  ]);
}

const config = (defaultValue: object) => ({
  dynamic_configs: [{ name: "limits", id: "limits", defaultValue }],
});

test("objects that no request can name are left out by name, and the others are there", async () => {
  api = await openImportDesk({ tags: [".", "..", "shop"].map((name) => ({ name, description: "" })) });
  const { objects, leftOut } = await api.import({ kinds: ["tags"] });
  expect(objects.map(({ name }) => name)).toEqual(["shop"]);
  expect(leftOut).toEqual([
    { object: 'tag "."', why: 'no request can name what is called "."' },
    { object: 'tag ".."', why: 'no request can name what is called ".."' },
  ]);
});

test.each([
  ["a text that Pulumi takes for an unknown value", { token: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" }],
  ["a member by which Pulumi marks a secret", { deep: [{ "4dabf18193072939515e22adb298388d": "x" }] }],
])("%s: the object is left out by name", async (_, value) => {
  api = await openImportDesk(config(value));
  const { objects, leftOut } = await api.import({ kinds: ["dynamic-configs"] });
  expect(objects).toEqual([]);
  expect(leftOut).toEqual([
    { object: 'dynamic config "limits"', why: expect.stringMatching(/^it holds (a|the) .* by which Pulumi/) },
  ]);
});

test.each([
  ["a member __proto__", '{"__proto__":{"a":1},"b":2}', "defaultValue.__proto__"],
  ["half a character", '{"b":"\\ud83d","c":["\\ud83d"]}', "defaultValue.b"],
  ["a number of too many digits", '{"b":12345678901234567891,"c":0.1}', "defaultValue.b"],
])("%s in a value is told, in the report and beside the code", async (_, value, path) => {
  await openTold(config({ b: "told" }), "/dynamic_configs", '{"b":"told"}', value);
  const { objects } = await api.import({ kinds: ["dynamic-configs"] });
  expect(objects[0]?.notExpressible.map((one) => one.path)).toContain(path);
  expect(api.read("dynamic-configs.ts")).toContain(`// Not as in the console: ${path} (`);
});

test("two objects whose ids came with half a character are left out, and the rest is read", async () => {
  const tags = ["one", "two", "fine"].map((name) => ({ name, description: "" }));
  await openTold({ tags }, "/tags", '"one"', '"\\ud83d"');
  const { objects, leftOut } = await api.import({ kinds: ["tags"] });
  expect(objects.map(({ name }) => name)).toEqual(["fine", "two"]);
  expect(leftOut.map(({ why }) => why)).toEqual(["the console does not show what leads to it"]);
});

test("a long list with an id that no line can say is a file of JSON", async () => {
  const ids = [" padded ", ...Array.from({ length: 500 }, (_, at) => `u${at}`)];
  api = await openImportDesk({ segments: [{ name: "many", id: "many", type: "id_list", ids }] });
  await api.import({ kinds: ["segments"] });
  expect(api.read("segments.ts")).toContain('ids: JSON.parse(readFileSync("ids/many.json", "utf8")),');
  expect(api.read("segments.ts")).toContain('import { readFileSync } from "node:fs";\n');
  expect((JSON.parse(api.read("ids/many.json")) as string[]).toSorted()).toEqual(ids.toSorted());
});

test("what no list shows is found by one read of each place, and said with what leads to it", async () => {
  api = await openImportDesk({
    ingestions: [
      { source_name: "shop::web", dataset: "Events", type: "snowflake-v2" },
      { source_name: "shop", dataset: "Metrics", type: "s3", enabled: false },
    ],
  });
  const { objects, leftOut } = await api.import({ kinds: ["ingestions"] });
  expect(leftOut).toEqual([]);
  // A source that its resource is called by need not be said.
  expect(objects.map(({ id, name, args }) => [id, name, args])).toEqual([
    ["shop::Metrics::s3", "shop", { dataset: "Metrics", type: "s3", enabled: false }],
    ["shop::web::Events::snowflake-v2", "shop::web", { dataset: "Events", type: "snowflake-v2" }],
  ]);
  // An import that names no kinds asks no place.
  const usual = kindsNamed(undefined).map(({ kind }) => kind);
  expect(usual).toContain("Prompt");
  for (const kind of ["Ingestion", "IngestionSchedule", "GateOverrides"]) expect(usual).not.toContain(kind);
  expect(kindsNamed(["ingestions"])).toEqual([catalog.ingestion]);
});
