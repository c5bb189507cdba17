import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { createEmulator, type RunningEmulator, startEmulator } from "../../src/emulator";
import { importCommand } from "../../src/tools/cli/import";
import { requireEmbeddedConsole } from "../../src/tools/import/console";
import { testKey } from "../emulator/desk";
import { importInto } from "../import/desk";
import { freshFolder } from "../support/folders";
import { stackAnswers } from "../support/stand-ins";
import { runCommand } from "./run-command";

const readingKey = `${testKey}-that-reads`;
const names = ["first", "second"];
const seed = {
  gates: names.map((id) => ({ id })),
  keys: [
    { description: "writes", key: testKey, type: "CONSOLE", scopes: ["omni_read_write", "can_access_keys"] },
    { description: "reads", key: readingKey, type: "CONSOLE", scopes: ["omni_read_only"] },
  ],
};

let folder: string;
let console: RunningEmulator | undefined;
beforeEach(() => {
  folder = freshFolder();
});
afterEach(() => console?.close());

/** Imports all gates into a folder with a space in its path. */
async function importGates(key: string) {
  console = await startEmulator({ key: testKey, readOnlyKey: readingKey, seed });
  const out = path.join(folder, "my flags");
  mkdirSync(out);
  const settings = { FEATURE_CONSOLE_PROFILE: "custom", FEATURE_CONSOLE_BASE_URL: console.url };
  const env = { ...settings, FEATURE_CONSOLE_API_KEY: key };
  const args = ["--kinds", "gates", "--no-run", "--out", out];
  const ended = await runCommand(importCommand, args, { env });
  expect(ended.out + ended.errors).not.toContain(key);
  return { ...ended, file: path.join(out, "gates.ts"), folder: out };
}

// What a console may do meanwhile is in test/import/import-faults.test.ts.
test.each([
  [readingKey, false],
  [testKey, true],
])(
  "every gate is in the program, what to type is told, and a key that could write",
  async (key, couldWrite) => {
    const { status, out, file, folder } = await importGates(key);
    expect(status).toBe(0);
    const code = readFileSync(file, "utf8");
    expect(names.filter((name) => !code.includes(`new fc.Gate("${name}"`))).toEqual([]);
    expect(out).toContain("2 objects");
    expect(out).toContain(`  cd '${folder}'\n`);
    expect(out.includes("The key could write too")).toBe(couldWrite);
  },
);

test("a project whose stack has the settings needs none in the environment", async () => {
  console = await startEmulator({ key: testKey, seed });
  const pulumi = stackAnswers({ profile: "custom", baseUrl: console.url, apiKey: testKey });
  writeFileSync(path.join(folder, "Pulumi.yaml"), "name: flags\nruntime: nodejs\n");
  try {
    const args = ["--kinds", "gates", "--no-run", "--stack", "dev", "--dry-run"];
    const env = { PATH: `${pulumi.folder}:${process.env.PATH}` };
    const { status, out, errors } = await runCommand(importCommand, args, { cwd: folder, env });
    expect(errors).toBe("");
    expect([status, out]).toEqual([0, expect.stringContaining("2 objects")]);
    expect(pulumi.take().map(({ line }) => line)).toEqual([
      expect.stringMatching(/^pulumi config .* --stack dev /),
    ]);
  } finally {
    await pulumi.remove();
  }
});

describe("a project with an embedded console", () => {
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
    const environment = {
      FEATURE_CONSOLE_PROFILE: "embedded",
      FEATURE_CONSOLE_EMBEDDED_PATH: "data/none.db",
    };
    expect(() => requireEmbeddedConsole({ environment, config }, top, top)).toThrow(
      "Set FEATURE_CONSOLE_EMBEDDED_PATH to the whole path of its file",
    );
    requireEmbeddedConsole({ environment: { FEATURE_CONSOLE_PROFILE: "statsig" }, config }, top, top);
  });
});
