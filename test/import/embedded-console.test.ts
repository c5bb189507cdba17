import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "@jest/globals";
import { createEmulator } from "../../src/emulator";
import { importCommand } from "../../src/tools/cli/import";
import { requireEmbeddedConsole } from "../../src/tools/import/console";
import { runCommand } from "../cli/run-command";
import { freshFolder } from "../support/folders";
import { importInto } from "./desk";

const config = () => undefined;
let top: string;
let folder: string;
let data: string;
/** A project with an embedded console that has a gate. */
beforeEach(() => {
  top = freshFolder();
  folder = path.join(top, "shop");
  data = path.join(folder, ".feature-console", "console.db");
  mkdirSync(path.join(folder, "src"), { recursive: true });
  writeFileSync(path.join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  const seed = { gates: [{ id: "checkout", name: "Checkout" }] };
  createEmulator({ profile: "embedded", data, seed }).close();
});

test.each([".", "src"])("import --out DIR from %s of a project with an embedded console", async (below) => {
  const out = path.join(top, "out");
  const { errors } = await runCommand(importCommand, ["--out", out, "--no-run"], {
    ...{ cwd: path.join(folder, below), env: { FEATURE_CONSOLE_PROFILE: "embedded" } },
  });
  expect(errors).toContain(
    `there is no embedded console in ${out}/.feature-console/console.db: its path counts from the folder of the program, ` +
      "and nothing was written. The project of this folder has one. Its program and the new one share it by its whole path: " +
      `FEATURE_CONSOLE_EMBEDDED_PATH=${data}`,
  );
  expect(readdirSync(top)).toEqual(["shop"]);
});

test("with the whole path, as the message says, the gate is imported", async () => {
  const environment = { FEATURE_CONSOLE_PROFILE: "embedded", FEATURE_CONSOLE_EMBEDDED_PATH: data };
  const out = path.join(top, "out");
  requireEmbeddedConsole({ environment, config }, out, folder);
  const { objects } = await importInto(out, environment, {}, { dryRun: true });
  expect(objects.map(({ id }) => id)).toContain("checkout");
});

test("where no project has one, the message says how to name one; other profiles need no file", () => {
  const environment = { FEATURE_CONSOLE_PROFILE: "embedded", FEATURE_CONSOLE_EMBEDDED_PATH: "data/none.db" };
  expect(() => requireEmbeddedConsole({ environment, config }, top, top)).toThrow(
    "Set FEATURE_CONSOLE_EMBEDDED_PATH to the whole path of its file",
  );
  requireEmbeddedConsole({ environment: { FEATURE_CONSOLE_PROFILE: "statsig" }, config }, top, top);
});
