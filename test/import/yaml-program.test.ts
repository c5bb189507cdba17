import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import type { Seed } from "../../src/emulator";
import type { ProgramObject } from "../../src/tools/import/program/program-object";
import { madeInYaml, yamlFile } from "../../src/tools/import/program/yaml-program";
import { languages } from "../../src/tools/import/program-language";
import { type ImportDesk, openImportDesk } from "./desk";

const rules = (type: string, targetValue: string) => [
  { name: "One", passPercentage: 100, conditions: [{ type, targetValue }] },
];
const seed: Seed = {
  gates: [
    { id: "checkout_v2", name: "checkout_v2", rules: rules("passes_segment", "staff") },
    { id: "odd", name: "odd", description: "costs $$5 or ${nothing}\u200b" },
    { id: "yes", name: "yes", description: "no", tags: ["1_000", "2026-01-01"] },
    { id: "staff", name: "staff" },
  ],
  layers: [{ id: "spaced_name", name: "Spaced: name", idType: "userID" }],
  segments: [
    { id: "staff", name: "staff", type: "rule_based" },
    { id: "many", name: "many", type: "id_list", ids: Array.from({ length: 101 }, (_, at) => `u${at}`) },
  ],
};

let api: ImportDesk;
beforeEach(async () => {
  api = await openImportDesk(seed);
});
afterEach(() => api.close());

type Program = {
  resources: Record<string, { type: string; name?: string; properties?: Record<string, unknown> }>;
};
const program = (): Program => parse(api.read(yamlFile), { schema: "yaml-1.1" }) as Program;

describe("a console in YAML", () => {
  beforeEach(() => api.import({ language: "yaml", kinds: ["gates", "layers", "segments"] }));

  test("is a project that Pulumi runs without npm", () => {
    expect(api.read("Pulumi.yaml")).toContain("runtime: yaml\n");
    expect(() => api.read("package.json")).toThrow("ENOENT");
  });

  test("has each resource under its name, and under another key where two kinds share the name", () => {
    const { resources } = program();
    expect(Object.keys(resources).sort()).toEqual([
      ...["checkout_v2", "many", "odd", "spacedName", "staffGate", "staffSegment", "yes"],
    ]);
    expect(resources.spacedName).toMatchObject({
      type: "feature-console:Layer",
      properties: { name: "Spaced: name" },
    });
    expect(madeInYaml(api.read(yamlFile))).toContainEqual({ kind: "Layer", name: "spacedName" });
  });

  // Pulumi's converters drop `name:` of a resource, and call it by its key.
  test("calls no resource otherwise than by its key, and sets what would be made of that name", () => {
    const { resources } = program();
    for (const one of Object.values(resources)) expect(one).not.toHaveProperty("name");
    const named = Object.entries(resources).map(([key, { properties = {} }]) => [
      key,
      properties.key ?? properties.name,
    ]);
    expect(Object.fromEntries(named)).toMatchObject({
      ...{ checkout_v2: "checkout_v2", odd: "odd", yes: "yes", many: "many" },
      ...{ staffGate: "staff", staffSegment: "staff", spacedName: "Spaced: name" },
    });
  });

  test("refers to other resources, and keeps texts that look like references", () => {
    const { resources } = program();
    expect(JSON.stringify(resources.checkout_v2)).toContain('"targetValue":"${staffSegment.id}"');
    expect(resources.odd?.properties?.description).toBe("costs $$$5 or $${nothing}\u200b");
    expect(api.read(yamlFile)).toContain("\\u200b");
  });

  test("quotes what YAML would take for another value, and takes long lists of ids from files", () => {
    const { resources } = program();
    expect(resources.yes?.properties).toMatchObject({ description: "no", tags: ["1_000", "2026-01-01"] });
    expect(resources.many?.properties?.ids).toEqual({ "fn::fileAsset": "./ids/many.txt" });
    expect(api.read("ids/many.txt").split("\n")).toHaveLength(102);
  });
});

test.each([
  [{ a: [1, { b: null }] }, /null/],
  [{ a: { "fn::secret": 1 } }, /"fn::secret"/],
  [{ a: [1, "x", {}] }, undefined],
])("%j: what YAML cannot say is left out with the reason", (value, why) => {
  const found = languages.yaml.whyNot?.({ args: value } as unknown as ProgramObject);
  if (why === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(why);
});

test.each([
  ["name: flags\nruntime: nodejs\n", "a program for the runtime nodejs"],
  ["name: flags\nruntime: yaml\nmain: program\n", "Pulumi runs program in"],
  ["name: flags\nruntime: yaml\nresources: {}\n", "Pulumi runs Pulumi.yaml in"],
])("a folder in which Pulumi runs another program is refused: %j", async (project, told) => {
  api.write("Pulumi.yaml", project);
  await expect(api.import({ language: "yaml", kinds: ["gates"], run: true })).rejects.toThrow(told);
  expect(() => api.read(yamlFile)).toThrow("ENOENT");
});

test.each([
  ["python", "Give --language python, or another folder with --out, or --no-run,"],
  ["dotnet", "Give another folder with --out, or --no-run,"],
])(
  "in a folder of a program for the runtime %s, the refusal names the language to type",
  async (runtime, told) => {
    api.write("Pulumi.yaml", `name: flags\nruntime: ${runtime}\n`);
    await expect(api.import({ kinds: ["gates"], run: true })).rejects.toThrow(told);
  },
);
