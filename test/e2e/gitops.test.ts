import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import type { GhCall } from "../support/fake-gh";
import {
  gitopsExample as example,
  reportMarker,
  withRollout,
  withRulesSwapped,
} from "../support/gitops-example";
import { createPackStarter, type PackStarter } from "../support/policy-pack";
import { createPulumiPlace, FIRST_CLI_TIMEOUT_MS, type PulumiPlace } from "../support/pulumi-cli";
import { type RawClient, rawClient } from "../support/raw-client";
import { readOnlyKey, testKey, writesTo } from "./bench";
import {
  branch,
  consoleWorkflow,
  dispatch,
  fileOf,
  flagsWorkflow,
  openRepository,
  pullRequest,
  push,
  type Repository,
  schedule,
} from "./github";

// Some days of a repository on GitHub, with the real CLI and the real commands. What its jobs do otherwise, depending on what these
// return, is in gitops-jobs.test.ts.

jest.setTimeout(600_000);

let emulator: RunningEmulator;
let raw: RawClient;
let starter: PackStarter;
let place: PulumiPlace;
let state: string;
let repository: Repository;
const comments: string[] = [];

beforeAll(async () => {
  emulator = await startEmulator({ profile: "statsig", key: testKey, readOnlyKey });
  raw = rawClient({ profile: "statsig", baseUrl: emulator.url, apiKey: testKey });
  starter = await createPackStarter();
  // The address alone leads to this console instead of the real one.
  const settings = { FEATURE_CONSOLE_BASE_URL: emulator.url, PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
  place = await createPulumiPlace(settings);
  const { PULUMI_BACKEND_URL: backend = "", PULUMI_CONFIG_PASSPHRASE: _, ...env } = place.env;
  state = fileURLToPath(backend);
  repository = await openRepository({
    ...{ env, backend, host: new URL(emulator.url).host, first: [starter.bin] },
  });
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await repository?.close();
  await place?.remove();
  await starter?.remove();
  await emulator?.close();
});

const pwned = path.join(tmpdir(), `feature-console-pwned-${process.pid}`);
const shellText = `$(touch ${pwned}) \`touch ${pwned}\` '; touch ${pwned} # ~~~~~~ $PATH`;
/** Somebody has the description of the limits computed: only a person can write another one there. */
const computed = example.program.replace('"Limits of the shop"', '["Limits of", "the shop"].join(" ")');

test("the first push applies nothing that nobody has read; the digest of its report does, with nothing set up before but secrets and an empty backend", async () => {
  const { apply: first } = await repository.happens(flagsWorkflow, push, computed);
  expect(first).toMatchObject({ failed: "Compare with the review" });
  expect(first?.summary).toContain("checkout_v2");
  expect(writesTo(emulator)).toEqual([]);
  // From here on no run derives the key of a passphrase.
  repository.files["Pulumi.prod.yaml"] = place.secretsSetting + fileOf("Pulumi.prod.yaml");
  const [, digest = ""] = /reviewed=(\w+)$/m.exec(first?.output ?? "") ?? [];
  const { apply } = await repository.happens(flagsWorkflow, dispatch(digest), computed);
  expect(apply).toMatchObject({ code: 0, ran: expect.arrayContaining(["Rules of the house", "Apply"]) });
  expect(await rollout()).toBe(10);
  expect(await raw.dynamicConfig.get({ id: "shop_limits" })).toMatchObject({ name: "shop_limits" });
});

test("a pull request gets a comment that says what it changes, and fails after that where it breaks a rule of the house, as its merge does; nothing is written", async () => {
  const before = await stateText();
  emulator.clearRequests();
  const { preview, comment } = await repository.happens(flagsWorkflow, pullRequest, withRollout(75));
  expect(preview).toMatchObject({
    failed: "Rules of the house",
    ran: [
      "Test the flags",
      "Select the stack",
      "Preview",
      "Report",
      "Update can succeed",
      "Rules of the house",
    ],
  });
  expect(comment).toMatchObject({ code: 0, ran: ["Comment"] });
  expect(preview?.output).toMatch(/rules\[1\] would go from 10 % to 75 % in production/);
  const { args, stdin } = repository.gh.take() as GhCall;
  expect(args).toEqual(["pr", "comment", "7", "--body-file", "report.md"]);
  expect(stdin.startsWith(`${reportMarker}\n`)).toBe(true);
  expect(stdin).toContain('10 % → 75 % of everyone else (rule "Everyone else"); rule "Staff" unchanged');
  expect(stdin).toContain('dynamic config "shop_limits" depends on it');
  expect(stdin.length).toBeLessThan(65_000);
  comments.push(stdin);
  // Merged all the same, it is the update of that comment, and the rule holds there too.
  repository.gh.reviews("7", stdin);
  const { apply } = await repository.happens(flagsWorkflow, push, withRollout(75));
  repository.gh.reviews("", "");
  expect(apply).toMatchObject({
    failed: "Rules of the house",
    ran: expect.arrayContaining(["Compare with the review"]),
  });
  expect(writesTo(emulator)).toEqual([]);
  expect(await rollout()).toBe(10);
  expect(await stateText()).toBe(before);
});

test("a pull request under which a test of the flags fails is not previewed: the rule that decided is named", async () => {
  const { preview } = await repository.happens(flagsWorkflow, pullRequest, withRulesSwapped());
  expect(preview).toMatchObject({ failed: "Test the flags", ran: ["Test the flags"] });
  expect(preview?.output).toContain('checkout_v2 fails: rule "Everyone else" (1 of 2), 10 %');
  expect(repository.gh.take()).toBeUndefined();
});

let rulesAsApplied: object[];

test("what was changed in the console becomes a branch and a pull request that says who changed what, and first what only a person can write", async () => {
  const { rules } = (await raw.gate.get({ id: "checkout_v2" })) as { rules: object[] };
  rulesAsApplied = rules;
  await raw.gate.patch({
    id: "checkout_v2",
    body: { rules: [rules[0], { ...rules[1], passPercentage: 25 }] },
  });
  await raw.gate.patch({ id: "search_suggestions", body: { description: shellText } });
  await raw.dynamicConfig.patch({ id: "shop_limits", body: { description: "Computed" } });
  emulator.clearRequests();
  const { "take-over": taken } = await repository.happens(consoleWorkflow, schedule, computed);
  expect(taken).toMatchObject({
    failed: "What only a person can write",
    output: expect.stringMatching(
      /refused {2}index\.ts:\d+:\d+ {2}dynamic config "shop_limits" description: .* type "Computed"/,
    ),
  });
  const { args, stdin } = repository.gh.take() as GhCall;
  expect(args.slice(0, 6)).toEqual(["pr", "create", "--base", "main", "--head", branch]);
  expect(stdin).toMatch(/rules\[1\]\.passPercentage +10 +25 +10 +changed in the console: a key, \d{4}-/);
  expect(stdin).toContain('"Suggestions while typing"');
  expect(stdin).toMatch(
    /only a person can write it:\n~~~~~~\nrefused {2}index\.ts.* type "Computed"\n\n~~~~~~\n/,
  );
  expect(stdin.split("\n").filter((line) => line === "~~~~~~")).toHaveLength(4);
  comments.push(stdin);
  expect(await repository.branchProgram()).toBe(
    computed
      .replace("passPercentage: 10,", "passPercentage: 25,")
      .replace('"Suggestions while typing"', JSON.stringify(shellText)),
  );
  expect(existsSync(pwned)).toBe(false);
  expect(writesTo(emulator)).toEqual([]);
});

test("once the console has again what was applied, the scheduled check finds a merge that was not applied, and writes nothing", async () => {
  await raw.gate.patch({ id: "checkout_v2", body: { rules: rulesAsApplied } });
  await raw.gate.patch({ id: "search_suggestions", body: { description: "Suggestions while typing" } });
  await raw.dynamicConfig.patch({ id: "shop_limits", body: { description: "Limits of the shop" } });
  const later = computed.replace("passPercentage: 10,", "passPercentage: 30,");
  emulator.clearRequests();
  const { drift } = await repository.happens(flagsWorkflow, schedule, later);
  expect(drift).toMatchObject({
    ...{ code: 7, failed: "Merged and not applied" },
    ran: ["Select the stack", "Changed in the console", "Merged and not applied"],
  });
  expect(emulator.requests.length).toBeGreaterThan(0);
  expect(writesTo(emulator)).toEqual([]);
});

test("neither key is in what was printed, commented or kept", async () => {
  const kept = await stateText();
  expect(repository.printed.length).toBeGreaterThan(5);
  expect(kept).toContain("checkout_v2");
  for (const key of [testKey, readOnlyKey])
    expect([...repository.printed, ...comments, kept].filter((text) => text.includes(key))).toEqual([]);
});

/** The share of users that the console lets into the checkout. */
async function rollout(): Promise<unknown> {
  const { rules } = await raw.gate.get({ id: "checkout_v2" });
  return (rules as { passPercentage: number }[])[1]?.passPercentage;
}

/** Everything in the state backend. */
async function stateText(): Promise<string> {
  const entries = await readdir(state, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return (await Promise.all(files.sort().map((file) => readFile(file, "utf8")))).join("\n");
}
