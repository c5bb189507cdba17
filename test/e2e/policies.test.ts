import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { stateRead } from "../../policy/src/pack";
import { rules } from "../../policy/src/rules";
import { readState } from "../../policy/src/state";
import type { CliResult } from "../support/cli-output";
import { createPackStarter, type PackStarter, policyPackName } from "../support/policy-pack";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, nameOf, openBench, writesTo } from "./bench";

jest.setTimeout(300_000);

const always = [{ name: "stocktaking", from: "Mon 00:00", to: "Mon 00:00" }];
const parameters = {
  freeze: { weekly: always, timeZone: "Europe/Berlin", emergencies: "INC-\\d+" },
  "percentage-jump": { most: 25 },
};
const password = ["hunter", "2-of-us"].join("");
const askingForVip =
  'rules: [{ name: "In", passPercentage: 50, conditions: [{ type: "passes_segment", targetValue: "vip" }] }]';
const everyone = (share: number | string) =>
  `rules: [{ name: "Everyone", passPercentage: ${share}, conditions: [{ type: "public" }] }]`;

let bench: Bench;
let starter: PackStarter;

beforeAll(async () => {
  const gates = [
    { id: "busy", name: "busy" },
    { id: "forgotten", name: "forgotten", type: "STALE", typeReason: "STALE_PROBABLY_LAUNCHED" },
  ];
  bench = await openBench(undefined, { gates });
  starter = await createPackStarter();
  await bench.project.write("policies.json", JSON.stringify(parameters));
  await bench.write(`
    new fc.Gate("checkout", { type: "PERMANENT", ${everyone(10)} });
    new fc.Gate("dark", { type: "PERMANENT", ${everyone(0)} });
    new fc.Gate("busy", { adopt: true });
    new fc.Gate("forgotten", { adopt: true });
    new fc.Gate("unclear", { type: "PERMANENT", ${everyone(10)} });
    new fc.Segment("vip", { type: "rule_based" });
    new fc.Gate("asks", { type: "PERMANENT", ${askingForVip} });`);
  await bench.stack.up();
}, FIRST_CLI_TIMEOUT_MS);

afterAll(async () => {
  await starter?.remove();
  await bench?.close();
});

const violated: Record<string, RegExp> = {
  "percentage-jump": /gate "checkout": rules\[0\] would go from 10 % to 60 % in production/,
  "sudden-launch": /gate "dark": rules\[0\] would go from 0 % to 100 % in production/,
  freeze: /gate "checkout" would change in the freeze "stocktaking" until Mon .* Europe\/Berlin/,
  "still-in-use": /segment "vip" would be deleted, and gate "asks" still refers to it/,
  owner: /gate "checkout" names no owner/,
  "expiry-tag": /gate "forgotten" is temporary and has no tag with its last day/,
  expired: /gate "dark" has expired: the day in its tag is 2020-12-31/,
  naming: /gate "New-Checkout" is not named as the house names a gate/,
  "unreachable-rule": /gate "New-Checkout": no check comes to rules\[2\], because rules\[0\] decides/,
  "dead-rule":
    /gate "New-Checkout": rules\[1\] passes no user: rules\[1\].conditions\[0\].targetValue is an empty list/,
  "secret-in-config": /dynamic config "prices": defaultValue.api.url looks like a key or a password/,
  "write-key": /key "deploy" may write to the console, and whoever can decrypt the state/,
};

test("every rule that is not kept is told by its message, what is mandatory fails, and nothing is sent", async () => {
  await bench.write(`
      new fc.Gate("checkout", { type: "PERMANENT", ${everyone(60)} });
      new fc.Gate("dark", { type: "TEMPORARY", tags: ["expires-2020-12-31"], ${everyone(100)} });
      new fc.Gate("forgotten", { adopt: true });
      new fc.Gate("asks", { type: "PERMANENT", ${askingForVip} });
      new fc.Gate("New-Checkout", { type: "PERMANENT", rules: [
        { name: "Everyone", passPercentage: 5, conditions: [] },
        { name: "Nobody", passPercentage: 5, conditions: [{ type: "country", operator: "any", targetValue: [] }] },
        { name: "New Zealand", passPercentage: 5, conditions: [{ type: "country", operator: "any", targetValue: ["NZ"] }] },
      ] });
      new fc.Key("deploy", { description: "Deploys", type: "CONSOLE", scopes: ["omni_read_write"] });
      const late = new fc.Segment("late", { type: "rule_based" });
      new fc.Gate("unclear", { type: "PERMANENT", ${everyone("late.id.apply((id) => id.length)")} });
      new fc.DynamicConfig("prices", { defaultValue: { api: { url: pulumi.secret("https://shop:${password}@example.com") } } });`);
  bench.emulator.clearRequests();
  const preview = await policed(starter);
  expect(preview.code).not.toBe(0);
  expect(Object.keys(violated)).toEqual(rules.map(({ name }) => name));
  for (const [name, message] of Object.entries(violated)) {
    expect(preview.stdout).toMatch(message);
    expect(preview.stdout).toContain(name);
  }
  expect(preview.stdout).toMatch(
    /advisory.*percentage-jump.*unclear\)\n.*rules.0.passPercentage can't be known/,
  );
  expect(preview.stdout).not.toContain(password);
  expect(preview.stdout).not.toContain(stateRead);
  expect(writesTo(bench.emulator)).toEqual([]);
});

test("a program that keeps them all passes, and a named emergency passes a freeze", async () => {
  const owned = 'tags: ["team:shop", "expires-2099-12-31"]';
  await bench.write(`
      new fc.Gate("checkout", { type: "PERMANENT", ${owned}, ${everyone(35)} });
      new fc.Gate("dark", { type: "TEMPORARY", ${owned}, ${everyone(1)} });
      new fc.Gate("busy", { adopt: true, ${owned} });
      new fc.Segment("vip", { type: "rule_based" });
      new fc.Gate("asks", { type: "PERMANENT", ${owned}, ${askingForVip} });
      new fc.DynamicConfig("prices", { ${owned}, defaultValue: { api: { url: "https://example.com" } } });`);
  const preview = await policed(starter, { FEATURE_CONSOLE_EMERGENCY: "INC-4711" });
  expect(preview.stdout).toContain('The freeze "stocktaking" until');
  expect(preview.stdout).toContain("is passed by the emergency INC-4711.");
  for (const message of Object.values(violated)) expect(preview.stdout).not.toMatch(message);
  expect(preview.code).toBe(0);
});

test("a pack that Pulumi starts in the folder of the program reads the same state, or says why it cannot", async () => {
  const readWith = (environment: NodeJS.ProcessEnv) =>
    readState("urn:pulumi:test::packed::any::any", { folder: bench.project.folder, environment });
  const blind = await readWith({ ...bench.stack.env, PATH: path.dirname(process.execPath) });
  expect(blind).toEqual({ problem: expect.stringMatching(/./) });
  const state = await readWith(bench.stack.env);
  const objects = "objects" in state ? state.objects : [];
  expect(objects.map(({ urn }) => nameOf(urn)).sort()).toEqual([
    ...["asks", "busy", "checkout", "dark", "forgotten", "unclear", "vip"],
  ]);
});

async function policed({ bin }: PackStarter, env: Record<string, string> = {}): Promise<CliResult> {
  const pack = ["--policy-pack", `node_modules/${policyPackName}`, "--policy-pack-config", "policies.json"];
  const args = ["preview", ...pack];
  const found = [bin, bench.stack.env.PATH].join(path.delimiter);
  return bench.stack.run(args, { env: { ...env, PATH: found } });
}
