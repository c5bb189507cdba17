import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { readObservations } from "../../src/tools/cli/emulate";
import { verify as command } from "../../src/tools/cli/verify";
import { folderOfFile } from "../support/folders";
import { stackAnswers } from "../support/stand-ins";
import { runCommand } from "./run-command";

jest.setTimeout(60_000);

const key = ["console", "test"].join("-");
let emulator: RunningEmulator;
beforeAll(async () => {
  const seed = { gates: [{ name: "checkout" }] };
  emulator = await startEmulator({ profile: "custom", key, behaviour: { unknownTags: "refuse" }, seed });
});
afterAll(() => emulator.close());
const folder = folderOfFile();

const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...{ ...process.env, FEATURE_CONSOLE_PROFILE: "custom", FEATURE_CONSOLE_BASE_URL: emulator.url },
  ...{ FEATURE_CONSOLE_API_KEY: key, ...more },
});

const verify = (args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
  runCommand(command, args, { env: environment(more) });

const write = ["--write", "--yes", "--only"];

test("reads alone without --write; --write asks before it writes, and where nobody can answer it writes nothing", async () => {
  const read = await verify([]);
  expect(read.out).toContain("object");
  expect(read.out).toContain("Nothing was written.");
  expect(read.status).toBe(0);
  const asked = await verify(["--write"]);
  expect([asked.status, asked.errors]).toEqual([2, expect.stringContaining("give --yes")]);
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("in the folder of a project, the settings of its stack count, and the environment before them", async () => {
  writeFileSync(join(folder, "Pulumi.yaml"), "name: flags\nruntime: nodejs\n");
  const pulumi = stackAnswers({ profile: "custom", baseUrl: emulator.url, apiKey: key });
  try {
    const verified = (env: NodeJS.ProcessEnv = {}) =>
      runCommand(command, [], { cwd: folder, env: { PATH: `${pulumi.folder}:${process.env.PATH}`, ...env } });
    expect(await verified()).toMatchObject({
      status: 0,
      out: expect.stringContaining("Nothing was written."),
    });
    expect((await verified({ FEATURE_CONSOLE_API_KEY: ["other", "key"].join("-") })).errors).toContain(
      "Check the key",
    );
    pulumi.answer({ "pulumi config": "echo 'error: no stack selected' >&2; exit 255" });
    expect((await verified()).errors).toContain("pulumi config failed: error: no stack selected");
    expect((await verified({ ...environment(), PATH: pulumi.folder })).status).toBe(0);
  } finally {
    await pulumi.remove();
  }
});

test("what is otherwise ends with 3, goes to a file, and an emulator behaves by that file", async () => {
  const out = join(folder, "observations.json");
  const { status, out: told } = await verify([...write, "unknownTags,templateTypes", "--out", out]);
  expect(told).toMatch(
    /^Otherwise than assumed \(1\)\n {2}unknownTags: What happens to a tag that does not exist\?\n {4}refuse\. /m,
  );
  expect(told).toContain("feature-console emulate --behaviour unknownTags=refuse");
  expect(status).toBe(3);
  expect(readFileSync(out, "utf8")).not.toContain(key);

  expect(readObservations(out)).toEqual({ unknownTags: "refuse", templateTypes: "said" });
});

test("a wrong key, a wrong address and an unknown question are one clear line", async () => {
  const wrongKey = { FEATURE_CONSOLE_API_KEY: ["another", "key"].join("-") };
  const nowhere = { FEATURE_CONSOLE_BASE_URL: "http://127.0.0.1:9" };
  for (const [args, env, status, message] of [
    [[], wrongKey, 1, "Check the key"],
    [[], nowhere, 1, "no answer from 127.0.0.1:9"],
    [["--only", "colour"], {}, 2, 'not "colour"'],
  ] as const) {
    const ended = await verify(args, env);
    expect([ended.status, ended.errors]).toEqual([status, expect.stringContaining(message)]);
  }
});
