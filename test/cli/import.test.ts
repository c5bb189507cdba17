import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { importCommand } from "../../src/tools/cli/import";
import { testKey } from "../emulator/desk";
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
