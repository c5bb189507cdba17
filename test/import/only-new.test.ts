import { readdirSync, renameSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { PulumiCommand } from "../../src/provider/pulumi/runs/cli";
import { deskOf } from "../emulator/desk";
import { type ImportDesk, inState, openImportDesk, pulumiOf } from "./desk";

const asking = (targetValue: string) => [
  { name: "a", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue }] },
];
const kinds = ["gates", "segments"];

let desk: ImportDesk;
let state: ReturnType<typeof inState>[];
beforeEach(async () => {
  state = [];
  desk = await openImportDesk({
    segments: [{ name: "staff", id: "staff", type: "rule_based", rules: [] }],
    gates: [{ name: "old", id: "old", rules: asking("staff") }],
  });
  await desk.import({ kinds });
});
afterEach(() => desk.close());

const pulumi = pulumiOf(() => state);
const addNew = () => desk.import({ kinds, onlyNew: true, stack: "dev" }, pulumi);
const readBoth = () => [desk.read("gates.ts"), desk.read("segments.ts")];
const makeGate = (name: string, more = {}) =>
  deskOf(desk.emulator).must("POST", "/gates", { name, id: name, ...more });
const makeNewOnes = async () => {
  await deskOf(desk.emulator).must("POST", "/segments", { name: "friends", type: "rule_based" });
  await makeGate("fresh", { rules: asking("friends") });
};

test("what is new stands at the end of the files that were written, and a second run adds nothing", async () => {
  const [gates = "", segments = ""] = readBoth();
  await makeNewOnes();
  const { folder } = await addNew();
  expect([...folder.write, ...folder.appended].sort()).toEqual(["gates.ts", "segments.ts"]);
  expect(desk.read("segments.ts").startsWith(segments)).toBe(true);
  expect(desk.read("gates.ts")).toContain('import { staff, friends } from "./segments";\n');
  expect(desk.read("gates.ts").replace("staff, friends", "staff").startsWith(gates)).toBe(true);
  expect(desk.read("gates.ts")).toMatch(
    /\n\nexport const fresh = new fc\.Gate\("fresh", \{[\s\S]*targetValue: friends/,
  );
  const shown = () => [readdirSync(desk.folder), desk.read("gates.ts"), desk.read("index.ts")];
  const before = shown();
  const again = (await addNew()).folder;
  expect([...again.write, ...again.appended]).toEqual([]);
  expect(shown()).toEqual(before);
});

test("an edited file keeps every edit, its line ends, and the names that it uses", async () => {
  const edited = desk
    .read("gates.ts")
    .replace("export const", "// ours: never touch\nconst fresh   = 1 ;void fresh\nexport const")
    .replaceAll("\n", "\r\n");
  desk.write("gates.ts", edited);
  await makeGate("fresh");
  expect((await addNew()).folder.appended).toEqual(["gates.ts"]);
  expect(desk.read("gates.ts")).toBe(`${edited}\r\nexport const freshGate = new fc.Gate("fresh");\r\n`);
  await expect(desk.import({ kinds })).rejects.toThrow("not as this command wrote them: gates.ts");
  // Time after time.
  for (const name of ["second", "third"]) {
    await makeGate(name);
    expect((await addNew()).folder).toMatchObject({ appended: ["gates.ts"], write: [] });
  }
  const { files } = JSON.parse(desk.read(".feature-console/import.json")) as { files: object };
  expect(Object.keys(files)).toEqual(Object.keys(files).toSorted());
});

test("a file that was renamed or that is somebody else's gets a new one beside it, which the index loads", async () => {
  renameSync(desk.at("gates.ts"), desk.at("flags.ts"));
  desk.write("gates.ts", "export const mine = 1;\n");
  desk.write("index.ts", 'import "./flags";\n');
  desk.write(".feature-console/import.json", "{}");
  const before = [...readBoth(), desk.read("flags.ts")];
  await makeNewOnes();
  await addNew();
  expect([...readBoth(), desk.read("flags.ts")]).toEqual(before);
  expect(desk.read("gates-new.ts")).toContain('import { friends } from "./segments-new";');
  expect(desk.read("index.ts")).toBe('import "./flags";\nimport "./segments-new";\nimport "./gates-new";\n');
});

test("files that would load each other in a circle stay as they are", async () => {
  desk.write("segments.ts", `import "./others";\n${desk.read("segments.ts")}`);
  desk.write("others.ts", 'export * from "./gates.js";\n');
  const loadingNone = desk.read("gates.ts").replace(/import \{ staff.*\n/, "");
  desk.write("gates.ts", loadingNone.replace("staff", '"staff"'));
  await makeNewOnes();
  const before = readBoth();
  await addNew();
  expect(readBoth()).toEqual(before);
  const files = readdirSync(desk.folder).filter((name) => name.includes("-new"));
  expect(files.sort()).toEqual(["gates-new.ts", "segments-new.ts"]);
});

test("what the state has is not said again, and a name that it has for another object is left to that", async () => {
  state = [
    inState("Gate", "old"),
    inState("Gate", "fresh", "another"),
    inState("Segment", "the staff", "staff"),
  ];
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
