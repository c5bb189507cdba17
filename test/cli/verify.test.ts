import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { run as runCommand } from "../../scripts/process/run";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { readObservations } from "../../src/tools/cli/emulate";
import { commandLine } from "../support/command-line";

jest.setTimeout(60_000);

const key = ["console", "test"].join("-");
let emulator: RunningEmulator;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "verify-"));
  emulator = await startEmulator({
    profile: "custom",
    key,
    behaviour: { unknownTags: "refuse" },
    seed: { gates: [{ name: "checkout" }] },
  });
});
afterAll(async () => {
  await emulator.close();
  rmSync(folder, { recursive: true });
});

function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return {
    ...process.env,
    FEATURE_CONSOLE_PROFILE: "custom",
    FEATURE_CONSOLE_BASE_URL: emulator.url,
    FEATURE_CONSOLE_API_KEY: key,
    ...more,
  };
}

const made = () =>
  emulator.requests.filter(({ method, path }) => method === "POST" && path.endsWith("/gates"));

function verify(args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const env = environment(more);
  return runCommand(process.execPath, [...commandLine, "verify", ...args], {
    cwd: process.cwd(),
    env,
  });
}

test("reads alone without --write; --write asks before it writes, and where nobody can answer it writes nothing", async () => {
  const read = await verify([]);
  expect(read.stdout).toContain("object");
  expect(read.stdout).toContain("Nothing was written.");
  expect(read.code).toBe(0);
  const asked = await verify(["--write"]);
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining("give --yes")]);
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("what is otherwise ends with 3, goes to a file, and an emulator behaves by that file", async () => {
  const out = join(folder, "observations.json");
  const { code, stdout } = await verify([
    "--write",
    "--yes",
    "--only",
    "unknownTags,templateTypes",
    "--out",
    out,
  ]);
  expect(stdout).toMatch(
    /^Otherwise than assumed \(1\)\n {2}unknownTags: What happens to a tag that does not exist\?\n {4}refuse\. /m,
  );
  expect(stdout).toContain("feature-console emulate --behaviour unknownTags=refuse");
  expect(code).toBe(3);
  expect(readFileSync(out, "utf8")).not.toContain(key);

  expect(readObservations(out)).toEqual({ unknownTags: "refuse", templateTypes: "said" });
});

test("killed in the middle, the next run removes what was left", async () => {
  const child = spawn(process.execPath, [...commandLine, "verify", "--write", "--yes"], {
    env: environment(),
  });
  const ended = once(child, "close");
  while (made().length < 12) await sleep(10);
  child.kill("SIGKILL");
  await ended;
  const { stderr } = await verify(["--write", "--yes", "--only", "templateTypes"]);
  expect(stderr).toMatch(/^Removing \d+ objects of an interrupted run\.$/m);
  const { stderr: after } = await verify(["--write", "--yes", "--only", "templateTypes"]);
  expect(after).not.toContain("interrupted run");
});

test("a wrong key, a wrong address and an unknown question are one clear line", async () => {
  const wrongKey = await verify([], { FEATURE_CONSOLE_API_KEY: ["another", "key"].join("-") });
  expect([wrongKey.code, wrongKey.stderr]).toEqual([1, expect.stringContaining("Check the key")]);
  const nowhere = await verify([], { FEATURE_CONSOLE_BASE_URL: "http://127.0.0.1:9" });
  expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining("no answer from 127.0.0.1:9")]);
  const unknown = await verify(["--only", "colour"]);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('not "colour"')]);
});
