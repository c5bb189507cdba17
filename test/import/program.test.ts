import { existsSync, readdirSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Seed } from "../../src/emulator";
import type { ImportOptions } from "../../src/tools/import/import-project";
import { importReport } from "../../src/tools/import/report";
import { rendered } from "../../src/tools/render/report";
import { deskOf } from "../emulator/desk";
import { type ImportDesk, openImportDesk } from "./desk";

const condition = (type: string, targetValue: unknown) => [{ type, targetValue }];
const rule = (name: string, conditions: unknown) => [{ name, passPercentage: 12.5, conditions }];
const seed: Seed = {
  tags: [{ name: "shop", description: "The shop" }],
  segments: [
    { name: "staff", id: "staff", type: "rule_based", rules: rule("mail", []) },
    { name: "many", id: "many", type: "id_list", ids: Array.from({ length: 101 }, (_, at) => `u${at}`) },
  ],
  gates: [
    { name: "default", id: "default", tags: ["shop"], rules: rule("a", condition("passes_gate", "new")) },
    { name: "new", id: "new", rules: rule("a", condition("passes_gate", "default")) },
    { name: "Checkout", id: "checkout", rules: rule("Staff", condition("passes_segment", "staff")) },
  ],
};

let api: ImportDesk;
beforeAll(async () => {
  api = await openImportDesk(seed);
});
afterAll(() => api.close());

const linesOf = (result: Parameters<typeof importReport>[0], out: string) =>
  rendered(importReport(result, out), "text").trimEnd().split("\n");

const imported = (options: Partial<ImportOptions> = {}) =>
  api.import({ kinds: ["gates", "segments", "tags"], ...options });
const read = (file: string) => api.read(file);

test("a dry run tells what it would write, and writes nothing", async () => {
  const dry = await imported({ dryRun: true });
  expect(dry.folder.write).toContain("gates.ts");
  expect(linesOf(dry, ".")[1]).toMatch(/^ {2}write: .*gates\.ts/);
  expect(readdirSync(api.folder)).toEqual([]);
});

test("a project becomes a program as a careful engineer writes it", async () => {
  const result = await imported();
  expect(result.leftOut).toEqual([]);
  expect(read("index.ts")).toBe('import "./segments";\nimport "./tags";\nimport "./gates";\n');
  expect(read("gates.ts")).toBe(`import * as fc from "pulumi-feature-console";
import { staff } from "./segments";
import { shop } from "./tags";

export const checkout = new fc.Gate("checkout", {
  name: "Checkout",
  rules: [
    {
      name: "Staff",
      passPercentage: 12.5,
      conditions: [{ type: "passes_segment", targetValue: staff }],
    },
  ],
});

// This and gate "default" refer to each other: here by its id.
export const newGate = new fc.Gate("new", {
  rules: [
    {
      name: "a",
      passPercentage: 12.5,
      conditions: [{ type: "passes_gate", targetValue: "default" }],
    },
  ],
});

export const defaultGate = new fc.Gate("default", {
  rules: [
    {
      name: "a",
      passPercentage: 12.5,
      conditions: [{ type: "passes_gate", targetValue: newGate }],
    },
  ],
  tags: [shop],
});
`);
  expect(read("segments.ts")).toContain('ids: { file: "ids/many.txt" }');
  expect(read("ids/many.txt").split("\n")).toHaveLength(102);
  expect(api.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  const entries = JSON.parse(read(".feature-console/import-dev.json")) as { resources: unknown[] };
  expect(entries.resources).toHaveLength(6);
  expect(linesOf(result, "flags").at(-1)).toBe("6 objects");
});

test("the same console gives the same bytes, and what somebody changed is not overwritten", async () => {
  expect((await imported()).folder).toMatchObject({ write: [], remove: [], foreign: [] });
  api.write("tags.ts", "// mine\n");
  await expect(imported()).rejects.toThrow("not as this command wrote them: tags.ts. Nothing was written");
  expect(read("tags.ts")).toBe("// mine\n");
  expect((await imported({ force: true })).folder.foreign).toEqual(["tags.ts"]);
  expect(read("tags.ts")).toContain("new fc.Tag");
});

test("a part is chosen by kinds, tags and names", async () => {
  const names = async (options: Partial<ImportOptions>) =>
    (await imported({ dryRun: true, ...options })).objects.map(({ name }) => name).sort();
  expect(await names({ kinds: ["Tag"] })).toEqual(["shop"]);
  expect(await names({ tags: ["shop"] })).toEqual(["default"]);
  expect(await names({ match: "Check*" })).toEqual(["checkout"]);
  await expect(names({ kinds: ["gatez"] })).rejects.toThrow('there is no kind "gatez"');
  expect(existsSync(api.at("gates-new.ts"))).toBe(false);
});

test("a part of the console does not take the rest out of a program that is there, unless it is forced", async () => {
  await imported();
  const before = read("gates.ts");
  await expect(imported({ match: "nothing" })).rejects.toThrow("Nothing was written. Give --only-new");
  await expect(imported({ tags: ["shop"] })).rejects.toThrow("resources outside what is asked for");
  expect(read("gates.ts")).toBe(before);
  const dry = await imported({ dryRun: true, tags: ["shop"] });
  expect(linesOf(dry, "flags")[0]).toMatch(/^flags: \d+ files? to write/);
  await imported({ tags: ["shop"], force: true });
  expect(read("gates.ts")).not.toContain("checkout");
});

test("a program that Pulumi would not run is refused before anything is written or asked", async () => {
  api.write("package.json", '{ "main": "bin/" }');
  api.emulator.clearRequests();
  await expect(imported({ run: true })).rejects.toThrow(/^Pulumi runs bin in .*, not index\.ts/);
  expect(api.emulator.requests).toEqual([]);
});

test("objects that are to be deleted are told with what to do about it", () => {
  const change = { name: "staff", type: "a:b:Segment", op: "delete", paths: [] };
  const state = { stack: "dev", added: 1, changes: [change] };
  const files = { write: [], same: [], remove: [], foreign: [], appended: [] };
  const rest = {
    objects: [],
    leftOut: [],
    unwanted: 2,
    archived: 3,
    keyCanWrite: undefined,
    isDry: false,
    commands: [],
  };
  const lines = linesOf({ ...rest, folder: files, state }, ".");
  expect(lines).toContain('  delete Segment "staff"');
  expect(lines.join("\n")).toContain("Look before you update");
  expect(lines).toContain("Left as they are: 2 objects that the stack has already.");
  expect(lines).toContain("Archived, and left out: 3 objects; --archived takes them in.");
});

test("archived objects are counted where they are left out, and where nothing else would leave them out", async () => {
  await deskOf(api.emulator).must("PUT", "/gates/checkout/archive", { archiveReason: "old" });
  expect((await imported({ dryRun: true })).archived).toBe(1);
  expect((await imported({ dryRun: true, match: "d*" })).archived).toBe(0);
  expect((await imported({ dryRun: true, archived: true })).archived).toBe(0);
});
