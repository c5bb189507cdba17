import { rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { createYamlProject, type YamlProject } from "../support/yaml-project";
import { settingsFor, testKey, toldInAll } from "./bench";

jest.setTimeout(120_000);

const stored = `name: flags
runtime: yaml
resources:
  checkout:
    type: feature-console:Gate
`;
/** A new gate and a lookup stand first. */
const newFirst = `${stored}    options:
      dependsOn:
        - \${first}
  first:
    type: feature-console:Gate
`;
const lookedUp = `${stored}variables:
  seen:
    fn::invoke:
      function: feature-console:getGate
      arguments:
        id: checkout
`;

let own: RunningEmulator;
let elsewhere: RunningEmulator;
let project: YamlProject;

beforeAll(async () => {
  own = await startEmulator({ key: testKey });
  elsewhere = await startEmulator({ key: testKey });
  project = await createYamlProject(stored, settingsFor(own));
  await project.stack.up();
  // From now on, this CLI is called by its whole path alone.
  await rm(path.join(project.folder, ".commands", "pulumi"));
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await project?.close();
  await Promise.all([own, elsewhere].map((one) => one?.close()));
});

const onLinux = process.platform === "linux" ? test : test.skip;

onLinux.each([
  ["a new gate", newFirst],
  ["a lookup", lookedUp],
])("%s first, with a CLI that is on no PATH: nothing is sent to another address", async (_, text) => {
  await project.write(text);
  const result = await project.stack.up({ mayFail: true, env: settingsFor(elsewhere) });
  expect(result.code).not.toBe(0);
  expect(toldInAll(result)).toContain("FEATURE_CONSOLE_MOVE=1");
  expect(elsewhere.requests).toEqual([]);
});
