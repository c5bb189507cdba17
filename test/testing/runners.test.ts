import { writeFile } from "node:fs/promises";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, expect, test } from "@jest/globals";
import { run } from "../../scripts/process/run";
import { cleanEnvironment } from "../../scripts/pulumi-cli/clean-environment";
import { installPacked } from "../support/built-package";
import { folderOfFile } from "../support/folders";
import { playsAll } from "../support/sample";

const program = (...order: ("staff" | "zealand")[]) => `import * as fc from "pulumi-feature-console";

const staff: fc.GateRuleArgs = {
  name: "Staff",
  passPercentage: 100,
  conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }],
};
const zealand: fc.GateRuleArgs = {
  name: "New Zealand",
  passPercentage: 10,
  conditions: [{ type: "country", operator: "any", targetValue: ["NZ"] }],
};
export const checkout = new fc.Gate("checkout_v2", { rules: [${order.join(", ")}] });
`;

/** A file of tests for a runner whose assertions compare the SDK's answer as a whole. */
const expecting = (runner: string) => `import { beforeAll, expect, test } from "${runner}";
import { type Flags, flagsOf } from "pulumi-feature-console/testing";

const ann = { userID: "ann", email: "ann@example.com", country: "NZ" };
let flags: Flags;
beforeAll(async () => {
  flags = await flagsOf(() => import("./index.ts"));
});

test("staff pass", () => {
  expect(flags.gate("checkout_v2", ann)).toMatchObject({ value: true, rule: "Staff" });
});
test("New Zealand gets 10 %", () => {
  const { low, high } = flags.share("checkout_v2", { country: "NZ" });
  expect(low).toBeLessThan(10);
  expect(high).toBeGreaterThan(10);
});
test("staff pass where somebody swapped the rules", async () => {
  const swapped = await flagsOf(() => import("./swapped.ts"));
  expect(swapped.gate("checkout_v2", ann)).toMatchObject({ value: true, rule: "Staff" });
});
`;

/** The same for Node's own runner, with a sentence for a message. */
const asserting = `import assert from "node:assert/strict";
import { before, test } from "node:test";
import { type Flags, flagsOf } from "pulumi-feature-console/testing";

const ann = { userID: "ann", email: "ann@example.com", country: "NZ" };
let flags: Flags;
before(async () => {
  flags = await flagsOf(() => import("./index.ts"));
});

test("staff pass", () => {
  const { value, why } = flags.gate("checkout_v2", ann);
  assert.equal(value, true, why);
});
test("New Zealand gets 10 %", () => {
  const { low, high } = flags.share("checkout_v2", { country: "NZ" });
  assert.ok(low < 10 && high > 10);
});
test("staff pass where somebody swapped the rules", async () => {
  const { value, why } = (await flagsOf(() => import("./swapped.ts"))).gate("checkout_v2", ann);
  assert.equal(value, true, why);
});
`;

const jestConfig = (moduleType: string, more: object) => {
  const swc = { jsc: { parser: { syntax: "typescript" }, target: "es2023" }, module: { type: moduleType } };
  const config = { testMatch: ["**/jest.test.ts"], transform: { "^.+\\.ts$": ["@swc/jest", swc] }, ...more };
  return `module.exports = ${JSON.stringify(config)};\n`;
};

const files = {
  "package.json": '{ "name": "shop", "private": true, "main": "index.ts" }\n',
  "index.ts": program("staff", "zealand"),
  "swapped.ts": program("zealand", "staff"),
  "jest.test.ts": expecting("@jest/globals"),
  "jest.config.cjs": jestConfig("commonjs", {}),
  "jest-modules.config.cjs": jestConfig("es6", { extensionsToTreatAsEsm: [".ts"] }),
  "vitest.test.ts": expecting("vitest"),
  "node.test.ts": asserting,
};

const folder = folderOfFile();
beforeAll(async () => {
  await installPacked(folder, ["statsig-node", "jest", "@jest/globals", "@swc/jest", "vitest", "tsx"]);
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(folder, file), text);
}, 300_000);

const jestFile = "node_modules/jest/bin/jest.js";
const vitestFile = "node_modules/vitest/vitest.mjs";
const untyped = "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON";
const ruleInDifference = /[-+] +"rule": "Staff",[\s\S]*[-+] +"rule": "New Zealand",/;
const sentence =
  'checkout_v2 fails: rule "New Zealand" (1 of 2), 10 % of users in NZ, and the user is outside that share';

type Runner = [what: string, args: string[], count: RegExp, message: RegExp | string];
const runners: Runner[] = [
  ["Jest", [jestFile, "--ci"], /1 failed, 2 passed/, ruleInDifference],
  ["Vitest", [vitestFile, "run", "vitest.test.ts"], /1 failed \| 2 passed/, ruleInDifference],
];
/** Node's own runner has the flags of examples/gitops in test/e2e/gitops.test.ts. */
const moreRunners: Runner[] = [
  [
    "Jest with ES modules",
    ["--experimental-vm-modules", jestFile, "--ci", "--config", "jest-modules.config.cjs"],
    /1 failed, 2 passed/,
    ruleInDifference,
  ],
  ["Node", [untyped, "--test", "node.test.ts"], /pass 2\n.*fail 1\n/, sentence],
  ["Node with tsx", ["--import", "tsx", "--test", "node.test.ts"], /pass 2\n.*fail 1\n/, sentence],
];

test.each([...runners, ...(playsAll ? moreRunners : [])])(
  "flagsOf under %s: two tests pass, and one names the rule that decided",
  async (_runner, args, count, message) => {
    const env = cleanEnvironment();
    const { code, stdout, stderr, problem } = await run(process.execPath, args, {
      ...{ cwd: folder, env, timeoutMs: 60_000 },
    });
    const output = stripVTControlCharacters(stdout + stderr);
    expect(problem).toBeUndefined();
    expect(output).toMatch(count);
    expect(output).toMatch(message);
    expect(code).toBe(1);
  },
  120_000,
);
