import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { createEmulator } from "../../src/emulator";
import { importCommand } from "../../src/tools/cli/import";
import { consoleOf, importProject, requireEmbeddedConsole } from "../../src/tools/import";

let top: string;
const cwd = process.cwd();
const profile = process.env.FEATURE_CONSOLE_PROFILE;
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), "import-embedded-")));
});
afterEach(() => {
  process.chdir(cwd);
  if (profile === undefined) delete process.env.FEATURE_CONSOLE_PROFILE;
  else process.env.FEATURE_CONSOLE_PROFILE = profile;
  rmSync(top, { recursive: true });
});

/** A project with an embedded console that has a gate. */
function project(): string {
  const folder = path.join(top, "shop");
  mkdirSync(folder);
  writeFileSync(path.join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  const data = path.join(folder, ".feature-console", "console.db");
  createEmulator({
    profile: "embedded",
    data,
    seed: { gates: [{ id: "checkout", name: "Checkout" }] },
  }).close();
  return folder;
}

test.each([".", "src"])("import --out DIR from %s of a project with an embedded console", async (below) => {
  const folder = project();
  mkdirSync(path.join(folder, "src"));
  process.chdir(path.join(folder, below));
  process.env.FEATURE_CONSOLE_PROFILE = "embedded";
  const out = path.join(top, "out");
  await expect(importCommand.run(["--out", out, "--no-run"])).rejects.toThrow(
    `there is no embedded console in ${out}/.feature-console/console.db: its path counts from the folder of the program, ` +
      "and nothing was written. The project of this folder has one. Its program and the new one share it by its whole path: " +
      `FEATURE_CONSOLE_EMBEDDED_PATH=${folder}/.feature-console/console.db`,
  );
  expect(readdirSync(top)).toEqual(["shop"]);
});

test("with the whole path, as the message says, the gate is imported", async () => {
  const folder = project();
  const environment = {
    FEATURE_CONSOLE_PROFILE: "embedded",
    FEATURE_CONSOLE_EMBEDDED_PATH: path.join(folder, ".feature-console", "console.db"),
  };
  const out = path.join(top, "out");
  requireEmbeddedConsole(environment, out, folder);
  const silent = () => undefined;
  const { objects } = await importProject(
    {
      ...{ folder: out, by: "kind", language: "typescript", owners: false, force: false },
      ...{ dryRun: true, run: false, onlyNew: false },
    },
    {
      console: consoleOf(environment, out, silent),
      pulumi: () => Promise.reject(new Error("no state is asked for")),
      progress: { listed: silent, detailed: silent },
      report: silent,
      versions: { own: "1", sdk: "1" },
    },
  );
  expect(objects.map(({ id }) => id)).toContain("checkout");
});

test("where no project has one, the message says how to name one; other profiles need no file", () => {
  const environment = { FEATURE_CONSOLE_PROFILE: "embedded", FEATURE_CONSOLE_EMBEDDED_PATH: "data/none.db" };
  expect(() => requireEmbeddedConsole(environment, top, top)).toThrow(
    "Set FEATURE_CONSOLE_EMBEDDED_PATH to the whole path of its file",
  );
  requireEmbeddedConsole({ FEATURE_CONSOLE_PROFILE: "statsig" }, top, top);
});
