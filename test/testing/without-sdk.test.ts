import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { run } from "../../scripts/process/run";
import { cleanEnvironment } from "../../scripts/pulumi-cli/clean-environment";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { installPacked } from "../support/built-package";
import { folderOfFile } from "../support/folders";

/** What a project may have that never asks the SDK for anything, and one that forgot to install it. */
const program = `import * as fc from "pulumi-feature-console";
import { createClient } from "pulumi-feature-console/client";
import { startEmulator } from "pulumi-feature-console/emulator";
import { type FlagUser, flagsOf, mocks, type Share } from "pulumi-feature-console/testing";

const ann: FlagUser = { userID: "ann" };
const flags = flagsOf(() => {
  new fc.Gate("checkout_v2", { isEnabled: true });
});
flags.then(
  (some) => {
    const share: Share = some.share("checkout_v2", ann);
    const rule: string | null = some.gate("checkout_v2", ann).rule;
    console.log(share.percent, rule);
  },
  (error: Error) => console.log(error.message),
);
export const loaded = [createClient, startEmulator, mocks];
`;
const compilerOptions = {
  ...{ target: "es2023", module: "node20", strict: true, exactOptionalPropertyTypes: true },
  ...{ skipLibCheck: false, types: ["node"], noEmit: true },
};
const seed = { gates: [{ id: "checkout_v2", name: "checkout_v2" }] };
const advice = "and it is not installed: npm install --save-dev statsig-node";
const command = "node_modules/pulumi-feature-console/dist/tools/cli/main.js";

const folder = folderOfFile();
let child: ChildProcess | undefined;
beforeAll(async () => {
  await installPacked(folder, ["@types/node"]);
  const files = {
    "package.json": '{ "name": "shop", "private": true, "type": "module" }\n',
    "tsconfig.json": JSON.stringify({ compilerOptions, files: ["index.ts"] }),
    "index.ts": program,
    "seed.json": JSON.stringify(seed),
  };
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(folder, file), text);
}, 300_000);
afterAll(() => {
  child?.kill("SIGKILL");
});

const node = (...args: string[]) =>
  run(process.execPath, args, { cwd: folder, env: cleanEnvironment(), timeoutMs: 120_000 });

test("types of a project are right, its libraries' too", async () => {
  const compiler = path.join(repositoryRoot, "node_modules", "typescript-7", "bin", "tsc");
  const { code, stdout } = await node(compiler, "--checkers", "1", "--project", folder);
  expect([code, stdout]).toEqual([0, ""]);
}, 150_000);

test("flagsOf says what to install", async () => {
  const { code, stdout, stderr } = await node("index.ts");
  expect(stdout).toBe(`flags are evaluated by the service's own SDK, ${advice}\n`);
  expect([code, stderr]).toEqual([0, ""]);
}, 150_000);

test("a console runs with its page, and whoever asks who passes is told what to install", async () => {
  const data = path.join(folder, "console.db");
  child = spawn(process.execPath, [command, "emulate", "--ui", "--seed", "seed.json", "--data", data], {
    ...{ cwd: folder, env: cleanEnvironment() },
  });
  const [line] = child.stdout === null ? [] : await once(child.stdout, "data");
  const url = String(line).trim().replace("listening on ", "");
  const page = await fetch(`${url}/?kind=gate&id=checkout_v2`);
  expect(await page.text()).toContain("Who passes?");
  const asked = await fetch(`${url}/ui/evaluate`, {
    method: "POST",
    headers: { origin: url, "content-type": "application/json" },
    body: JSON.stringify({ kind: "gate", id: "checkout_v2", users: '{"userID":"1"}' }),
  });
  expect(await asked.text()).toContain(advice);
  const here = await node(command, "evaluate", "checkout_v2", "--user", "{}", "--data", data);
  const there = await node(
    ...[command, "evaluate", "checkout_v2", "--user", "{}", "--url", url, "--server-key", "secret-any"],
  );
  for (const { code, stdout, stderr } of [here, there]) {
    expect(stderr).toContain(
      `feature-console evaluate: flags are evaluated by the service's own SDK, ${advice}\n`,
    );
    expect([code, stdout]).toEqual([1, ""]);
  }
}, 150_000);
