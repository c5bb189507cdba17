import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { PulumiCommand } from "../../src/provider/pulumi/runs/cli";
import { testKey } from "../emulator/desk";
import { type ImportDesk, openImportDesk } from "./desk";

const condition = (type: string, targetValue: unknown) => [{ type, targetValue }];
const rules = (conditions: unknown) => [{ name: "a", passPercentage: 100, conditions }];
const segment = (id: string) => ({ name: id, id, type: "rule_based", rules: [] });
const kinds = ["gates", "segments"];

let desk: ImportDesk;
let state: { type: string; urn: string; id: string }[];
beforeEach(async () => {
  state = [];
  desk = await openImportDesk({
    segments: [segment("staff")],
    gates: [{ name: "old", id: "old", rules: rules(condition("passes_segment", "staff")) }],
  });
  await desk.import({ kinds });
});
afterEach(() => desk.close());

/** A `pulumi` that tells of a state, and takes nothing else. */
const pulumi: PulumiCommand = ([verb, what]) => {
  const answers: Record<string, unknown> = {
    "stack ls": [{ name: "dev" }],
    "stack export": { deployment: { resources: state } },
  };
  const answer = answers[`${verb} ${what}`];
  if (answer === undefined) throw new Error(`pulumi ${verb} ${what}`);
  return Promise.resolve({ status: 0, stdout: JSON.stringify(answer), stderr: "" });
};
const addNew = () => desk.import({ kinds, onlyNew: true, stack: "dev" }, pulumi);
const inState = (kind: string, name: string, id = name) => {
  const type = `pulumi-nodejs:dynamic/feature-console:${kind}`;
  state.push({ type, urn: `urn:pulumi:dev::flags::${type}::${name}`, id });
};
const file = (name: string) => path.join(desk.folder, name);

async function make(collection: string, body: unknown): Promise<void> {
  const answer = await fetch(`${desk.emulator.url}/console/v1/${collection}`, {
    method: "POST",
    headers: { "SERVICE-API-KEY": testKey, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(201);
}
const makeNewOnes = async () => {
  await make("segments", { name: "friends", id: "friends", type: "rule_based" });
  await make("gates", { name: "fresh", id: "fresh", rules: rules(condition("passes_segment", "friends")) });
};

test("what is new stands at the end of the files that were written, and a second run adds nothing", async () => {
  const [gates, segments] = [desk.read("gates.ts"), desk.read("segments.ts")];
  await makeNewOnes();
  const { folder } = await addNew();
  expect([...folder.write, ...folder.appended].sort()).toEqual(["gates.ts", "segments.ts"]);
  expect(desk.read("segments.ts").startsWith(segments)).toBe(true);
  expect(desk.read("gates.ts")).toContain('import { staff, friends } from "./segments";\n');
  expect(desk.read("gates.ts").replace("staff, friends", "staff").startsWith(gates)).toBe(true);
  expect(desk.read("gates.ts")).toMatch(
    /\n\nexport const fresh = new fc\.Gate\("fresh", \{[\s\S]*targetValue: friends/,
  );
  const all = readdirSync(desk.folder).map((name) => [name, existsSync(file(name))]);
  const before = [desk.read("gates.ts"), desk.read("index.ts")];
  const again = (await addNew()).folder;
  expect([...again.write, ...again.appended]).toEqual([]);
  expect([desk.read("gates.ts"), desk.read("index.ts")]).toEqual(before);
  expect(readdirSync(desk.folder).map((name) => [name, existsSync(file(name))])).toEqual(all);
});

test("an edited file keeps every edit, its line ends, and the names that it uses", async () => {
  const edited = desk
    .read("gates.ts")
    .replace("export const", "// ours: never touch\nconst fresh   = 1 ;void fresh\nexport const")
    .replaceAll("\n", "\r\n");
  writeFileSync(file("gates.ts"), edited);
  await make("gates", { name: "fresh", id: "fresh" });
  const { folder } = await addNew();
  expect(folder.appended).toEqual(["gates.ts"]);
  expect(desk.read("gates.ts")).toBe(`${edited}\r\nexport const freshGate = new fc.Gate("fresh");\r\n`);
  await expect(desk.import({ kinds })).rejects.toThrow("not as this command wrote them: gates.ts");
});

test("an edited file gets what is new time after time", async () => {
  writeFileSync(file("gates.ts"), `${desk.read("gates.ts")}\n// ours\n`);
  for (const name of ["first", "second", "third"]) {
    await make("gates", { name, id: name });
    expect((await addNew()).folder).toMatchObject({ appended: ["gates.ts"], write: [] });
  }
  const { files } = JSON.parse(desk.read(".feature-console/import.json")) as { files: object };
  expect(Object.keys(files)).toEqual(Object.keys(files).toSorted());
});

test("a file that was renamed or that is somebody else's gets a new one beside it, which the index loads", async () => {
  renameSync(file("gates.ts"), file("flags.ts"));
  writeFileSync(file("gates.ts"), "export const mine = 1;\n");
  writeFileSync(file("index.ts"), 'import "./flags";\n');
  writeFileSync(file(".feature-console/import.json"), "{}");
  const [flags, segments] = [desk.read("flags.ts"), desk.read("segments.ts")];
  await makeNewOnes();
  await addNew();
  expect([desk.read("flags.ts"), desk.read("segments.ts"), desk.read("gates.ts")]).toEqual([
    ...[flags, segments, "export const mine = 1;\n"],
  ]);
  expect(desk.read("gates-new.ts")).toContain('import { friends } from "./segments-new";');
  expect(desk.read("index.ts")).toBe('import "./flags";\nimport "./segments-new";\nimport "./gates-new";\n');
});

test("files that would load each other in a circle stay as they are", async () => {
  writeFileSync(file("segments.ts"), `import "./others";\n${desk.read("segments.ts")}`);
  writeFileSync(file("others.ts"), 'export * from "./gates.js";\n');
  writeFileSync(
    file("gates.ts"),
    desk
      .read("gates.ts")
      .replace(/import \{ staff.*\n/, "")
      .replace("staff", '"staff"'),
  );
  await makeNewOnes();
  const before = [desk.read("gates.ts"), desk.read("segments.ts")];
  await addNew();
  expect([desk.read("gates.ts"), desk.read("segments.ts")]).toEqual(before);
  const files = readdirSync(desk.folder).filter((name) => name.includes("-new"));
  expect(files.sort()).toEqual(["gates-new.ts", "segments-new.ts"]);
});

test("what the state has is not said again, and a name that it has for another object is left to that", async () => {
  inState("Gate", "old");
  inState("Gate", "fresh", "another");
  inState("Segment", "the staff", "staff");
  await makeNewOnes();
  const { objects } = await addNew();
  expect(objects.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    "Gate fresh (fresh)",
    "Segment friends",
  ]);
  expect(desk.read("gates.ts")).toContain('new fc.Gate("fresh (fresh)", {\n  key: "fresh"');
});

test("a dry run makes no stack", async () => {
  const asked: string[] = [];
  const noting: PulumiCommand = (args) => {
    asked.push(args.join(" "));
    return pulumi(args);
  };
  await desk.import({ kinds, onlyNew: true, stack: "elsewhere", dryRun: true }, noting);
  expect(asked).toEqual(["stack ls --json"]);
});

test("a stack that has an object under another name is told, and nothing is brought in", async () => {
  inState("Gate", "the old one", "old");
  const modules = path.join(desk.folder, "node_modules", "pulumi-feature-console");
  mkdirSync(modules, { recursive: true });
  writeFileSync(path.join(modules, "package.json"), '{"name":"pulumi-feature-console"}');
  await expect(desk.import({ kinds, run: true, stack: "dev" }, pulumi)).rejects.toThrow(
    'stack dev has these under other names, or other objects under these names: gate "old" (there as "the old one")',
  );
});

test("a new project that would be called as another one does not take its stack, and leaves no file", async () => {
  for (const name of readdirSync(desk.folder)) rmSync(file(name), { recursive: true });
  inState("Gate", "of another folder");
  const options = { kinds, run: true, stack: "dev" };
  await expect(desk.import(options, pulumi)).rejects.toThrow(
    /^stack dev of project .* is there, with 1 resource outside .* such as "of another folder"/,
  );
  expect(readdirSync(desk.folder)).toEqual([]);
  // One that was there is its owner's, whatever else its stack has.
  writeFileSync(file("Pulumi.yaml"), "name: mine\nruntime: nodejs\n");
  await expect(desk.import(options, pulumi)).rejects.toThrow("its packages are not installed");
  expect(readdirSync(desk.folder)).toContain("gates.ts");
});
