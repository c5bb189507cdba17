// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of Pulumi's YAML look so.
import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { packedNodeModules } from "../support/built-package";
import { createPackStarter, type PackStarter, policyPackName } from "../support/policy-pack";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { createYamlProject, type YamlProject } from "../support/yaml-project";
import { settingsFor, testKey, writesTo } from "./bench";

jest.setTimeout(240_000);

let emulator: RunningEmulator;
let yaml: YamlProject;
let starter: PackStarter;
beforeAll(async () => {
  const gates = [{ id: "busy", name: "busy", checksPerHour: 48_000 }];
  emulator = await startEmulator({ key: testKey, seed: { gates } });
  yaml = await createYamlProject(program({}), settingsFor(emulator));
  starter = await createPackStarter();
  await yaml.stack.up();
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await starter?.remove();
  await yaml?.close();
  await emulator?.close();
});

const busy = `  busy:
    type: feature-console:Gate
    properties: { adopt: true, type: PERMANENT, tags: ["team:shop"] }
`;
const vip = `  vip:
    type: feature-console:Segment
    properties: { type: rule_based }
`;
const program = ({ share = 10, segment = vip, asked = "${vip.id}", rest = busy }) => `name: policed
runtime: yaml
resources:
${segment}  checkout:
    type: feature-console:Gate
    properties:
      type: PERMANENT
      tags: ["team:shop"]
      rules:
        - name: Important
          passPercentage: 100
          conditions: [{ type: passes_segment, targetValue: ["${asked}"] }]
        - name: Everyone
          passPercentage: ${share}
          conditions: [{ type: public }]
${rest}`;

async function policed() {
  const pack = path.join(await packedNodeModules(), policyPackName);
  const { PATH } = yaml.stack.env;
  const env = { PATH: [starter.bin, PATH].join(path.delimiter) };
  return yaml.stack.run(["preview", "--policy-pack", pack], { env });
}

test("rules over the state and over the program judge a program in YAML, and nothing is sent", async () => {
  const rest = `  New-Checkout:
    type: feature-console:Gate
    properties: { type: PERMANENT }
`;
  await yaml.write(program({ share: 75, segment: "", asked: "vip", rest }));
  emulator.clearRequests();
  const { code, stdout } = await policed();
  expect(code).not.toBe(0);
  for (const message of [
    'gate "checkout": rules[1] would go from 10 % to 75 % in production in one update',
    'gate "busy" would be archived, and applications check it 48,000 times an hour',
    'segment "vip" would be deleted, and gate "checkout" still refers to it',
    'gate "New-Checkout" names no owner',
    'gate "New-Checkout" is not named as the house names a gate',
  ])
    expect(stdout).toContain(message);
  expect(writesTo(emulator)).toEqual([]);
});

test("a program in YAML that keeps the rules passes", async () => {
  await yaml.write(program({ share: 50 }));
  const { code, stdout } = await policed();
  expect(stdout).not.toMatch(/would|names no owner|is not named/);
  expect(code).toBe(0);
});
