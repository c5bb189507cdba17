import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { removeTree } from "../../scripts/process/atomic-folder";
import { run } from "../../scripts/process/run";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { nodeProblem } from "../../src/node-version";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { createStack, FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";

const manifest = JSON.parse(readFileSync(path.join(repositoryRoot, "package.json"), "utf8")) as {
  name: string;
  exports: Record<string, unknown>;
  bin: Record<string, string>;
};
const entries = Object.keys(manifest.exports)
  .filter((entry) => !entry.endsWith(".json"))
  .map((entry) => path.posix.join(manifest.name, entry));
const program = 'import * as fc from "pulumi-feature-console";\nnew fc.Gate("a_gate", {});\n';

const folder = mkdtempSync(path.join(tmpdir(), "feature-console-old-node-"));
/** Loaded first, it makes this Node call itself an old one. */
const preload = path.join(folder, "old.cjs");
writeFileSync(preload, 'Object.defineProperty(process.versions, "node", { value: "20.20.2" });\n');

const feigned = { command: process.execPath, args: ["--require", preload], version: "20.20.2" };

/** The first Node on PATH that is too old. */
function realOldNode(): typeof feigned | undefined {
  const commands = (process.env.PATH ?? "").split(path.delimiter).map((place) => path.join(place, "node"));
  for (const command of commands.filter((one) => existsSync(one))) {
    const version = execFileSync(command, ["--version"], { encoding: "utf8" }).trim().slice(1);
    if (nodeProblem(version) !== undefined) return { command, args: [], version };
  }
  return undefined;
}
const real = realOldNode();
const nodes = Object.entries(real === undefined ? { feigned } : { feigned, real });

let project: PackedProject;
beforeAll(async () => {
  project = await createPackedProject({ program });
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await project.remove();
  await removeTree(folder);
});

describe.each(nodes)("on an old Node (%s)", (_, { command: node, args, version }) => {
  const runNode = (...more: string[]) =>
    run(node, [...args, ...more], { cwd: project.folder, timeoutMs: 30_000 });

  test("each entry of the package says which is needed before it loads anything", async () => {
    const text = `
      const report = ({ message, stack }) => {
        const loaded = Object.keys(require.cache).filter((file) => !/node-(guard|version).js$|package.json$|old.cjs$/.test(file));
        return { message, stack, loaded };
      };
      const answers = ${JSON.stringify(entries)}.map((entry) => {
        try { require(entry); return "it was loaded"; } catch (error) { return report(error); }
      });
      console.log(JSON.stringify(answers));`;
    const { stdout, stderr } = await runNode("--eval", text);
    expect(stderr).toBe("");
    const message = nodeProblem(version);
    const answers = JSON.parse(stdout) as unknown[];
    expect(entries.map((entry, index) => [entry, answers[index]])).toEqual(
      entries.map((entry) => [entry, { message, stack: message, loaded: [] }]),
    );
  });

  test("the command line says so in one line", async () => {
    const command = manifest.bin["feature-console"] ?? "";
    const main = path.join(project.folder, "node_modules", manifest.name, command);
    expect(await runNode(main, "emulate", "--port", "0")).toEqual({
      code: 1,
      stdout: "",
      stderr: `${nodeProblem(version)}\n`,
    });
  });
});

test(
  "preview and destroy on an old Node say so once for each place, without a stack and without calling it a bug",
  async () => {
    const stack = await createStack(project, { env: { FEATURE_CONSOLE_PROFILE: "embedded" } });
    try {
      await stack.up();
      for (const command of [["preview"], ["destroy", "--yes", "--skip-preview"]]) {
        const { code, stdout } = await stack.run(command, { env: { NODE_OPTIONS: `--require ${preload}` } });
        expect(code).not.toBe(0);
        const told = stdout.slice(stdout.indexOf("Diagnostics:"));
        expect(told).toContain(nodeProblem("20.20.2"));
        expect(told).not.toMatch(/^\s+at |This is a bug|needs Node.*needs Node/m);
      }
    } finally {
      await stack.remove();
    }
  },
  FIRST_CLI_TIMEOUT_MS,
);

if (real === undefined) test.skip("a real old Node (skipped: no Node on PATH is too old)", () => undefined);
