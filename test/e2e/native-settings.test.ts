import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { testKey } from "../emulator/desk";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { createYamlProject, type YamlProject } from "../support/yaml-project";

jest.setTimeout(240_000);

let project: YamlProject;
let here: RunningEmulator;
let elsewhere: RunningEmulator;
beforeAll(async () => {
  [here, elsewhere] = await Promise.all([startEmulator({ key: testKey }), startEmulator({ key: testKey })]);
  const gate = "  checkout:\n    type: feature-console:Gate\n";
  project = await createYamlProject(`name: flags\nruntime: yaml\nresources:\n${gate}`, {});
  await set("profile", "custom");
  await set("baseUrl", here.url);
  await set("apiKey", testKey, "--secret");
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await project?.close();
  await Promise.all([here?.close(), elsewhere?.close()]);
});

const set = (name: string, value: string, ...options: string[]) =>
  project.stack.run(["config", "set", ...options, `feature-console:${name}`, value]);
const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await project.stack.run(args);
  return { code, text: stdout + stderr };
};
const destroy = ["destroy", "--yes", "--skip-preview"];

test("a refresh and a destroy go by the stack's configuration of now, and leave an object of another console", async () => {
  expect((await run("up", "--yes", "--skip-preview")).code).toBe(0);
  await set("baseUrl", elsewhere.url);
  for (const args of [["preview"], ["refresh", "--yes", "--skip-preview"], destroy]) {
    const { code, text } = await run(...args);
    expect(text).toContain("is in another console");
    expect(code).not.toBe(0);
  }
  expect(elsewhere.requests).toEqual([]);
  await set("baseUrl", here.url);
  await set("apiKey", `${testKey}-rotated`, "--secret");
  expect((await run(...destroy)).text).toContain("answered 401");
  await set("apiKey", testKey, "--secret");
  expect((await run(...destroy)).code).toBe(0);
});
