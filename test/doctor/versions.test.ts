import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { minVersion, satisfies } from "semver";
import { packageManagers, startLines } from "../../scripts/package/managers";
import { run } from "../../scripts/process/run";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { folderOnPath } from "../../scripts/pulumi-cli/on-path";
import { CLI_VERSION } from "../../scripts/pulumi-cli/versions";
import { nodeProblem } from "../../src/node-version";
import { testedVersions } from "../../src/tested-versions";
import { checks, type DoctorPorts, examine } from "../../src/tools/doctor";
import { versionsToPlay } from "../start/versions";
import { folderOfFile, freshFolder } from "../support/folders";

/** A project whose packages are files with a version. */
interface Installed {
  readonly files?: Readonly<Record<string, string>>;
  readonly packages?: Readonly<Record<string, string>>;
  readonly node?: string;
  readonly pulumi?: string;
}

/** What the doctor finds by one check, in a project of its own: Node remembers where it has found a package. */
async function finding(name: string, { files = {}, packages = {}, node, pulumi }: Installed) {
  const folder = freshFolder();
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  const manifest = JSON.stringify({ dependencies: { "pulumi-feature-console": "*" } });
  const program = { "Pulumi.yaml": "name: a\nruntime: nodejs\n", "package.json": manifest, "index.ts": "" };
  for (const [file, text] of Object.entries({ ...program, ...files })) write(file, text);
  for (const [one, version] of Object.entries(packages))
    write(`node_modules/${one}/package.json`, JSON.stringify({ name: one, version }));
  const cli = { status: 0, stdout: `v${pulumi ?? testedVersions.pulumi.newest}\n`, stderr: "" };
  const ports: DoctorPorts = {
    ...{ folder, stack: undefined, environment: {}, purpose: "preview", now: Date.now, isAlive: () => true },
    ...{ node: node ?? testedVersions.node.newest, versions: { own: "1.2.3", sdk: ">=3.268.0 <4" } },
    pulumi: async () => cli,
  };
  const wanted = checks.filter((check) => ["project", name].includes(check.name));
  const found = (await examine(ports, () => undefined, wanted)).find((one) => one.name === name);
  return [found?.verdict, found?.text, found?.advice];
}

const sdk = { "@pulumi/pulumi": testedVersions.sdk.newest };

describe("TypeScript", () => {
  const named = '{"packageManager": "pnpm@10.1.0", "dependencies": {"pulumi-feature-console": "*"}}';
  test.each<[string, Record<string, string>, string]>([
    ["npm", {}, "npm install"],
    ["npm", { "package-lock.json": "{}" }, "npm install"],
    ["pnpm", { "pnpm-lock.yaml": "" }, "pnpm add"],
    ["yarn", { "yarn.lock": "" }, "yarn add"],
    ["bun", { "bun.lock": "" }, "bun add"],
    ["bun before 1.2", { "bun.lockb": "" }, "bun add"],
    ["the one that package.json names", { "package.json": named, "package-lock.json": "{}" }, "pnpm add"],
  ])("7, added by %s", async (_, files, advice) => {
    const text = `7.0.2: Pulumi's Node.js host fails with TypeScript 7 ("TypeError: … readFile")`;
    const found = await finding("typescript", { files, packages: { ...sdk, typescript: "7.0.2" } });
    expect(found).toEqual(["failed", text, `${advice} typescript@6`]);
  });

  test("7, and a program in JavaScript: the host loads it all the same", async () => {
    const packages = { ...sdk, typescript: "7.1.0" };
    expect((await finding("typescript", { packages, files: { "index.js": "" } }))[0]).toBe("failed");
  });

  test("none", async () => {
    expect(await finding("typescript", { packages: sdk, files: { "yarn.lock": "" } })).toEqual([
      "failed",
      "not installed: Pulumi's own, 3.8, does not understand the types of this package",
      "yarn add typescript@6",
    ]);
  });

  test("the one that Pulumi's SDK finds counts", async () => {
    const packages = { ...sdk, typescript: "7.0.2", "@pulumi/pulumi/node_modules/typescript": "6.0.3" };
    const [verdict, text] = await finding("typescript", { packages });
    expect([verdict, text]).toEqual(["ok", "6.0.3, no tsconfig.json, none is needed"]);
  });
});

test("Yarn Plug'n'Play: Pulumi finds no SDK, and the doctor names the line", async () => {
  const files = { "yarn.lock": "", ".pnp.cjs": "" };
  const line = "yarn config set nodeLinker node-modules && yarn install";
  const text = "Yarn Plug'n'Play keeps the packages in archives, where Pulumi finds no SDK";
  expect(await finding("sdk", { files })).toEqual(["failed", text, line]);
  expect((await finding("package", { files })).slice(2)).toEqual([line]);
});

describe("versions that no test ran with", () => {
  const { node, pulumi, sdk: tested, typescript } = testedVersions;
  const newer = (found: string, newest: string) =>
    `${found}: newer than ${newest}, the newest version tested`;
  const older = (found: string, oldest: string) =>
    `${found}: older than ${oldest}, the oldest version tested`;
  const newSdk = { packages: { "@pulumi/pulumi": "3.999.0" } };
  const oldTypescript = { packages: { ...sdk, typescript: "4.9.5" } };
  const noConfig = "4.9.5, no tsconfig.json, none is needed";

  test.each<[string, Installed, string]>([
    ["node", { node: node.oldest }, node.oldest],
    ["node", { node: "99.1.0" }, newer("99.1.0", node.newest)],
    ["pulumi", { pulumi: pulumi.oldest }, pulumi.oldest],
    ["pulumi", { pulumi: pulumi.newest }, pulumi.newest],
    ["pulumi", { pulumi: "3.274.9" }, "3.274.9"],
    ["pulumi", { pulumi: "3.216.0" }, older("3.216.0", pulumi.oldest)],
    ["pulumi", { pulumi: "3.999.0" }, newer("3.999.0", pulumi.newest)],
    ["sdk", newSdk, newer("@pulumi/pulumi 3.999.0", tested.newest)],
    ["typescript", oldTypescript, older(noConfig, typescript.oldest)],
  ])("are a warning, others ok: %s %j", async (name, installed, text) => {
    const [verdict, said, advice] = await finding(name, installed);
    const isUntested = /tested$/.test(text);
    expect([verdict, said]).toEqual([isUntested ? "warning" : "ok", text]);
    if (isUntested) expect(advice).toMatch(/install /);
  });
});

test("the range of each is that of the package, and the newest is the one that these tests run with", () => {
  const read = (file: string) =>
    JSON.parse(readFileSync(path.join(__dirname, "..", "..", file), "utf8")) as {
      version: string;
      engines: { node: string };
      peerDependencies: Record<string, string>;
    };
  const { engines, peerDependencies } = read("package.json");
  const range = peerDependencies["@pulumi/pulumi"] ?? "";
  expect(minVersion(engines.node)?.version).toBe(testedVersions.node.oldest);
  expect(minVersion(range)?.version).toBe(testedVersions.sdk.oldest);
  expect(satisfies(testedVersions.sdk.newest, range)).toBe(true);
  expect(read("node_modules/@pulumi/pulumi/package.json").version).toBe(testedVersions.sdk.newest);
  expect(read("node_modules/typescript/package.json").version).toBe(testedVersions.typescript.newest);
  expect(CLI_VERSION).toBe(testedVersions.pulumi.newest);
});

test("README.md has the line of npm, and links the page that has those of the others", () => {
  const read = (file: string) => readFileSync(path.join(__dirname, "..", "..", file), "utf8");
  const { version } = JSON.parse(read("package.json")) as { version: string };
  for (const manager of packageManagers)
    for (const line of startLines(manager, `~/pulumi-feature-console-${version}.tgz`))
      expect(read(manager.name === "npm" ? "README.md" : "docs/versions.md")).toContain(line);
  expect(read("README.md")).toContain("(docs/versions.md)");
});

test("every page and example that installs TypeScript names version 6", () => {
  const root = path.join(__dirname, "..", "..");
  const pages = ["docs", "examples", "policy"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(md|json|ya?ml)$/.test(file) && !/node_modules|package-lock/.test(file))
      .map((file) => path.join(folder, file)),
  );
  const unpinned = ["README.md", "CONTRIBUTING.md", ...pages].filter((file) =>
    /\b(?:install|add)\b[^\n|]*\stypescript(?!@6)\b/.test(readFileSync(path.join(root, file), "utf8")),
  );
  expect(unpinned).toEqual([]);
});

// `npm run prove -- managers` plays the start of README.md with every package manager, and test/e2e/readme.test.ts with npm.

test("the proof of versions plays the oldest, the newest, and an SDK and a CLI of different age", () => {
  const [oldest, newest, ...crossed] = versionsToPlay();
  expect(oldest).not.toEqual(newest);
  expect(crossed.map(({ pulumi, sdk }) => [pulumi, sdk])).toEqual([
    [oldest?.pulumi, newest?.sdk],
    [newest?.pulumi, oldest?.sdk],
  ]);
});

describe("the version of Node", () => {
  test.each([
    "22.19.0",
    "22.19.1",
    "22.20.0",
    "23.0.0",
    "24.9.0",
    "100.0.0",
    "22.19.0-nightly2025",
    "25.0.0-rc.1",
  ])("%s runs", (version) => expect(nodeProblem(version)).toBeUndefined());

  test.each(["22.18.9", "22.2.0", "22.0.0", "20.20.2", "18.0.0", "9.22.0", "0.10.48", ""])(
    "%j is told to be too old, with what is needed and what to do",
    (version) =>
      expect(nodeProblem(version)).toBe(
        `pulumi-feature-console needs Node 22.19 or newer; this is ${version}. Install a newer Node, or put one first on PATH.`,
      ),
  );
});

const commands = folderOfFile();
const launcher = path.join(repositoryRoot, "plugin", "pulumi-resource-feature-console");
const needed = "pulumi-feature-console needs Node 22.19 or newer, and PATH has none.";

test("the plugin of the npm package says that no Node is there", async () => {
  for (const name of ["sh", "dirname"])
    symlinkSync(path.join(folderOnPath(name, process.env.PATH ?? "") ?? "", name), path.join(commands, name));
  const without = await run(launcher, [], { env: { PATH: commands } });
  expect([without.code, without.stderr]).toEqual([1, expect.stringContaining(needed)]);

  // Any program called so gets the plugin and its arguments.
  symlinkSync(
    path.join(folderOnPath("echo", process.env.PATH ?? "") ?? "", "echo"),
    path.join(commands, "node"),
  );
  const started = await run(launcher, ["127.0.0.1:1"], { env: { PATH: commands } });
  expect(started.stdout).toBe(`${path.join(repositoryRoot, "plugin")}/../dist/plugin.js 127.0.0.1:1\n`);
  expect(readFileSync(`${launcher}.cmd`, "utf8")).toContain(needed);
});
