import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { codeOwnersText, organizationOf } from "../../src/tools/import/code-owners";
import { addingPlan, planFolder, writeFolder } from "../../src/tools/import/folder";
import { projectFiles } from "../../src/tools/import/pulumi-project";
import { otherMain, projectName } from "../../src/tools/stack/project";
import { freshFolder } from "../support/folders";
import { type ImportDesk, openImportDesk } from "./desk";

type Files = Readonly<Record<string, string>>;

let folder: string;
beforeEach(() => {
  folder = freshFolder();
});

/** What the command would do in the folder. */
const plan = (files: Files) => planFolder(folder, new Map(Object.entries(files)));
const write = (files: Files, planned = plan(files), overwrite = false) => {
  writeFolder(folder, new Map(Object.entries(files)), planned, overwrite);
  return planned;
};
const edit = (files: Files) => {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
};
const textOf = (file: string) => readFileSync(path.join(folder, file), "utf8");

test("what it wrote it writes again, and what it writes no more goes", () => {
  expect(write({ "gates.ts": "one", "ids/a.txt": "a" }).write).toEqual(["gates.ts", "ids/a.txt"]);
  const again = write({ "gates.ts": "two" });
  expect(again).toMatchObject({ write: ["gates.ts"], remove: ["ids/a.txt"], foreign: [] });
  expect(textOf("gates.ts")).toBe("two");
  expect(existsSync(path.join(folder, "ids/a.txt"))).toBe(false);
});

test("a file that somebody else wrote, or changed since, is left alone, unless it has the wanted text", () => {
  write({ "gates.ts": "one" });
  edit({ "index.ts": "mine", "gates.ts": "one, and more", "tags.ts": "same" });
  const files = { "index.ts": "new", "gates.ts": "two", "tags.ts": "same" };
  const planned = plan(files);
  expect(planned).toMatchObject({ write: [], foreign: ["index.ts", "gates.ts"], same: ["tags.ts"] });
  write(files, planned, true);
  expect([textOf("index.ts"), textOf("gates.ts")]).toEqual(["new", "two"]);
});

test("after a kill in the middle of writing the next run knows each file that was begun", () => {
  write({ "a.ts": "1", "b.ts": "1" });
  const files = { "a.ts": "2", "b.ts": "2", "c.ts": "2" };
  // The first of two files is written, then the process is gone.
  expect(() => write(files, { ...plan(files), write: ["a.ts", "nowhere/\0"] })).toThrow();
  expect([textOf("a.ts"), textOf("b.ts")]).toEqual(["2", "1"]);
  expect(plan(files)).toMatchObject({ foreign: [], write: ["b.ts", "c.ts"], same: ["a.ts"] });
});

test("a file is added to, and what its owner made of it stays its owner's", () => {
  write({ "gates.ts": "one", "tags.ts": "one" });
  edit({ "gates.ts": "one, and more" });
  const files = { "gates.ts": "one, and more, and new", "tags.ts": "one, and new" };
  const planned = addingPlan(plan(files));
  expect(planned).toMatchObject({ foreign: [], remove: [], appended: ["gates.ts"], write: ["tags.ts"] });
  write(files, planned);
  expect([textOf("gates.ts"), textOf("tags.ts")]).toEqual(["one, and more, and new", "one, and new"]);
  const other = plan({ "gates.ts": "other", "tags.ts": "other" });
  expect(other).toMatchObject({ foreign: ["gates.ts"], write: ["tags.ts"] });
});

test("line ends that a checkout has changed are no change", () => {
  write({ "gates.ts": "one\ntwo\n" });
  edit({ "gates.ts": "one\r\ntwo\r\n" });
  expect(plan({ "gates.ts": "one\ntwo\n" }).same).toEqual(["gates.ts"]);
  expect(plan({ "gates.ts": "three\n" })).toMatchObject({ write: ["gates.ts"], foreign: [] });
});

test("a note of what was written that leads out of the folder removes nothing", () => {
  const note = ".feature-console/import.json";
  const notes = () => JSON.parse(textOf(note)) as { files: Record<string, string[]> };
  const [outer, inner] = [folder, path.join(folder, "inner")];
  write({ "mine.ts": "mine" });
  const { files } = notes();
  folder = inner;
  write({ "a.ts": "1" });
  edit({ [note]: JSON.stringify({ files: { ...notes().files, "../mine.ts": files["mine.ts"] } }) });
  const { remove } = plan({ "a.ts": "1" });
  folder = outer;
  expect(remove).toEqual([]);
});

const versions = { own: "1", sdk: "1" };

test.each([
  ["My Flags!", "name: my-flags\n"],
  ["2024", 'name: "2024"\n'],
  ["true", 'name: "true"\n'],
  ["__", "name: flags\n"],
])("a folder called %s becomes a project with a name that is a text", (name, line) => {
  const text = projectFiles(path.join(folder, name), "nodejs", versions).get("Pulumi.yaml");
  expect(text?.startsWith(line)).toBe(true);
});

test.each([
  ["Pulumi.yaml", "name: 'shop' # ours\nruntime: nodejs\n"],
  ["Pulumi.yml", "runtime: nodejs\nname: shop\n"],
  ["Pulumi.json", '{\n  "name": "shop",\n  "runtime": "nodejs"\n}'],
])("a project in a %s stays one, and its name is read", (file, text) => {
  edit({ [file]: text });
  expect([...projectFiles(folder, "nodejs", versions).keys()]).toEqual([
    "package.json",
    "tsconfig.json",
    ".gitignore",
  ]);
  expect(projectName(folder)).toBe("shop");
});

test.each(["", "flags", path.join("a", "b")])(
  'a new project of another language, at "%s" under the npm package, leads Pulumi to its plugin',
  (place) => {
    edit({ [path.join("node_modules", "pulumi-feature-console", "plugin", "one")]: "" });
    const projectAt = (runtime: string) =>
      projectFiles(path.join(folder, place), runtime, versions).get("Pulumi.yaml");
    const found = parse(projectAt("python") ?? "").plugins.providers;
    const way = "../".repeat(place === "" ? 0 : place.split(path.sep).length);
    const plugin = `${way}node_modules/pulumi-feature-console/plugin`;
    expect(found).toEqual([{ name: "feature-console", path: plugin }]);
    expect(projectAt("nodejs")).not.toContain("plugins");
  },
);

test.each<[string, Files, string | undefined]>([
  ["the folder itself", {}, undefined],
  ["a package without main", { "package.json": "{}" }, undefined],
  ["index.ts", { "package.json": '{ "main": "index.ts" }' }, undefined],
  ["./index.js", { "package.json": '{ "main": "./index.js" }' }, undefined],
  ["a build", { "package.json": '{ "main": "bin/" }' }, "bin"],
  ["a folder of Pulumi.yaml", { "Pulumi.yaml": "name: a\nmain: src # here\n" }, "src"],
  [
    "a package in a folder of Pulumi.yaml",
    { "Pulumi.yaml": "main: src\n", "src/package.json": '{ "main": "go.ts" }' },
    path.join("src", "go.ts"),
  ],
  ["a package back in this folder", { "Pulumi.yaml": "main: ./\n" }, undefined],
])("Pulumi runs %s", (_, files, other) => {
  edit(files);
  expect(otherMain(folder)).toBe(other);
});

describe("modes of files", () => {
  let api: ImportDesk;
  beforeEach(async () => {
    api = await openImportDesk({
      gates: [{ id: "checkout", name: "Checkout", description: "New checkout" }],
    });
  });
  afterEach(() => api.close());

  const modeOf = (...names: string[]) => statSync(api.at(...names)).mode & 0o777;
  const usualMode = 0o666 & ~process.umask();

  test("what holds the console's data is for this user alone, and git sees the program alone", async () => {
    await api.import();
    expect(modeOf(".feature-console")).toBe(0o700);
    for (const name of readdirSync(api.at(".feature-console")))
      expect([name, modeOf(".feature-console", name)]).toEqual([name, 0o600]);
    expect(modeOf("gates.ts")).toBe(usualMode);
    spawnSync("git", ["init", "-q"], { cwd: api.folder });
    const { stdout } = spawnSync("git", ["status", "--porcelain", "-uall"], { cwd: api.folder });
    const seen = String(stdout)
      .split("\n")
      .filter((line) => line.includes(".feature-console"));
    expect(seen).toEqual(["?? .feature-console/import.json"]);
  });

  test("what an earlier version made open is closed, and a source keeps its mode", async () => {
    await api.import();
    chmodSync(api.at(".feature-console"), 0o755);
    for (const name of ["import.json", "import-dev.json"]) chmodSync(api.at(".feature-console", name), 0o644);
    chmodSync(api.at("gates.ts"), 0o640);
    api.write("gates.ts", `${api.read("gates.ts")}// mine\n`);
    await api.import({ force: true });
    expect(modeOf(".feature-console")).toBe(0o700);
    expect(modeOf(".feature-console", "import.json")).toBe(0o600);
    expect(modeOf(".feature-console", "import-dev.json")).toBe(0o600);
    expect(modeOf("gates.ts")).toBe(0o640);
  });

  test("a file that is read-only is refused before anything is written", async () => {
    api.write("gates.ts", "// mine\n");
    chmodSync(api.at("gates.ts"), 0o444);
    const before = readdirSync(api.folder);
    await expect(api.import({ force: true })).rejects.toThrow(
      /gates\.ts cannot be written: it is read-only; "chmod u\+w .*gates\.ts" makes it writable\. Nothing was written$/,
    );
    expect(readdirSync(api.folder)).toEqual(before);
    expect(api.read("gates.ts")).toBe("// mine\n");
  });
});

describe("CODEOWNERS", () => {
  let api: ImportDesk;
  beforeEach(async () => {
    const gates = [
      { name: "checkout", team: "Growth & Co" },
      { name: "search", team: "core" },
      { name: "m" },
    ];
    const ids = Array.from({ length: 101 }, (_, at) => `user-${at}`);
    api = await openImportDesk({ gates, segments: [{ name: "vip", type: "id_list", team: "core", ids }] });
  });
  afterEach(() => api.close());

  const importBy = (by: "team" | "kind", folder = api.folder) =>
    api.import({ by, folder, kinds: ["gates", "segments"] });

  const git = (...args: string[]) => execFileSync("git", ["-C", api.folder, ...args], { stdio: "ignore" });
  const linesOf = (folder: string) =>
    readFileSync(path.join(folder, "CODEOWNERS"), "utf8")
      .split("\n")
      .filter((line) => line.startsWith("/"));

  test("an import by team makes each team the owner of its files, and nobody of the rest", async () => {
    git("init");
    git("remote", "add", "origin", "git@github.com:acme/flags.git");
    const folder = api.at("infra", "flags");
    mkdirSync(folder, { recursive: true });
    await importBy("team", folder);
    expect(linesOf(folder)).toEqual([
      "/infra/flags/core.ts @acme/core",
      "/infra/flags/growth-co.ts @acme/growth-co",
      "/infra/flags/ids/vip.txt @acme/core",
    ]);
    expect(readFileSync(path.join(folder, "CODEOWNERS"), "utf8")).toContain("at the root of the repository");
  });

  test("a second import leaves a file that people changed, and prints the lines", async () => {
    await importBy("team");
    // An import that groups otherwise takes its own file away.
    await importBy("kind");
    expect(() => linesOf(api.folder)).toThrow("ENOENT");
    await importBy("team");
    expect(linesOf(api.folder)[0]).toBe("/core.ts @ORGANIZATION/core");
    api.write("CODEOWNERS", "* @acme/platform\n");
    await importBy("team");
    expect(api.read("CODEOWNERS")).toBe("* @acme/platform\n");
    expect(api.lines.filter((line) => line.startsWith("CODEOWNERS stays as it is"))).toEqual([
      expect.stringContaining("/core.ts @ORGANIZATION/core"),
    ]);
  });

  test.each([
    ["git@github.com:acme/flags.git", "acme"],
    ["https://github.com/acme/flags", "acme"],
    ["ssh://git@gitlab.example.com:2222/acme/platform/flags.git", "acme/platform"],
    ["", undefined],
    ["../flags.git", undefined],
  ])("the organization of %j is %j", (remote, organization) => {
    expect(organizationOf(remote)).toBe(organization);
  });

  test("a space in a path is escaped", () => {
    const text = codeOwnersText(new Map([["core.ts", "core"]]), {
      organization: "acme",
      prefix: "my flags/",
    });
    expect(text.trimEnd().split("\n").at(-1)).toBe("/my\\ flags/core.ts @acme/core");
  });
});
