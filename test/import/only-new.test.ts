import { readdirSync, renameSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { PulumiCommand } from "../../src/provider/pulumi/runs/cli";
import { deskOf } from "../emulator/desk";
import { type ImportDesk, inState, openImportDesk, pulumiOf } from "./desk";

const asking = (targetValue: string) => [
  { name: "a", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue }] },
];
const kinds = ["gates", "segments"];

let api: ImportDesk;
let state: ReturnType<typeof inState>[];
beforeEach(async () => {
  state = [];
  api = await openImportDesk({
    segments: [{ name: "staff", id: "staff", type: "rule_based", rules: [] }],
    gates: [{ name: "old", id: "old", rules: asking("staff") }],
  });
  await api.import({ kinds });
});
afterEach(() => api.close());

const pulumi = pulumiOf(() => state);
const addNew = () => api.import({ kinds, onlyNew: true, stack: "dev" }, pulumi);
const readBoth = () => [api.read("gates.ts"), api.read("segments.ts")];
const makeGate = (name: string, more = {}) =>
  deskOf(api.emulator).must("POST", "/gates", { name, id: name, ...more });
const makeNewOnes = async () => {
  await deskOf(api.emulator).must("POST", "/segments", { name: "friends", type: "rule_based" });
  await makeGate("fresh", { rules: asking("friends") });
};

test("what is new stands at the end of the files that were written, and a second run adds nothing", async () => {
  const [gates = "", segments = ""] = readBoth();
  await makeNewOnes();
  const { folder } = await addNew();
  expect([...folder.write, ...folder.appended].sort()).toEqual(["gates.ts", "segments.ts"]);
  expect(api.read("segments.ts").startsWith(segments)).toBe(true);
  expect(api.read("gates.ts")).toContain('import { staff, friends } from "./segments";\n');
  expect(api.read("gates.ts").replace("staff, friends", "staff").startsWith(gates)).toBe(true);
  expect(api.read("gates.ts")).toMatch(
    /\n\nexport const fresh = new fc\.Gate\("fresh", \{[\s\S]*targetValue: friends/,
  );
  const shown = () => [readdirSync(api.folder), api.read("gates.ts"), api.read("index.ts")];
  const before = shown();
  const again = (await addNew()).folder;
  expect([...again.write, ...again.appended]).toEqual([]);
  expect(shown()).toEqual(before);
});

test("an edited file keeps every edit, its line ends, and the names that it uses", async () => {
  const edited = api
    .read("gates.ts")
    .replace("export const", "// ours: never touch\nconst fresh   = 1 ;void fresh\nexport const")
    .replaceAll("\n", "\r\n");
  api.write("gates.ts", edited);
  await makeGate("fresh");
  expect((await addNew()).folder.appended).toEqual(["gates.ts"]);
  expect(api.read("gates.ts")).toBe(`${edited}\r\nexport const freshGate = new fc.Gate("fresh");\r\n`);
  await expect(api.import({ kinds })).rejects.toThrow("not as this command wrote them: gates.ts");
  // Time after time.
  for (const name of ["second", "third"]) {
    await makeGate(name);
    expect((await addNew()).folder).toMatchObject({ appended: ["gates.ts"], write: [] });
  }
  const { files } = JSON.parse(api.read(".feature-console/import.json")) as { files: object };
  expect(Object.keys(files)).toEqual(Object.keys(files).toSorted());
});

test("a file that was renamed or that is somebody else's gets a new one beside it, which the index loads", async () => {
  renameSync(api.at("gates.ts"), api.at("flags.ts"));
  api.write("gates.ts", "export const mine = 1;\n");
  api.write("index.ts", 'import "./flags";\n');
  api.write(".feature-console/import.json", "{}");
  const before = [...readBoth(), api.read("flags.ts")];
  await makeNewOnes();
  await addNew();
  expect([...readBoth(), api.read("flags.ts")]).toEqual(before);
  expect(api.read("gates-new.ts")).toContain('import { friends } from "./segments-new";');
  expect(api.read("index.ts")).toBe('import "./flags";\nimport "./segments-new";\nimport "./gates-new";\n');
});

test("files that would load each other in a circle stay as they are", async () => {
  api.write("segments.ts", `import "./others";\n${api.read("segments.ts")}`);
  api.write("others.ts", 'export * from "./gates.js";\n');
  const loadingNone = api.read("gates.ts").replace(/import \{ staff.*\n/, "");
  api.write("gates.ts", loadingNone.replace("staff", '"staff"'));
  await makeNewOnes();
  const before = readBoth();
  await addNew();
  expect(readBoth()).toEqual(before);
  const files = readdirSync(api.folder).filter((name) => name.includes("-new"));
  expect(files.sort()).toEqual(["gates-new.ts", "segments-new.ts"]);
});

test("what the state has is not said again, and a name that it has for another object is left to that", async () => {
  state = [inState("Gate", "old"), inState("Gate", "fresh", "another"), inState("Segment", "ours", "staff")];
  await makeNewOnes();
  const { objects } = await addNew();
  expect(objects.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    "Gate fresh (fresh)",
    "Segment friends",
  ]);
  expect(api.read("gates.ts")).toContain('new fc.Gate("fresh (fresh)", {\n  key: "fresh"');
});

test("a dry run makes no stack", async () => {
  const asked: string[] = [];
  const noting: PulumiCommand = (args) => {
    asked.push(args.join(" "));
    return pulumi(args);
  };
  await api.import({ kinds, onlyNew: true, stack: "elsewhere", dryRun: true }, noting);
  expect(asked).toEqual(["stack ls --json"]);
});
