import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { parse } from "yaml";
import { removeTree } from "../../scripts/process/atomic-folder";
import { run } from "../../scripts/process/run";
import { cleanEnvironment } from "../../scripts/pulumi-cli/clean-environment";
import { isolatedState, pulumiEnvironment, repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { type ConsoleClient, createClient } from "../../src/provider/client";
import { createFakeGh, type FakeGh, type GhCall } from "../support/fake-gh";
import {
  gitopsExample as example,
  reportMarker,
  withRollout,
  withRulesSwapped,
  withSegmentDescribed,
} from "../support/gitops-example";
import { createPackedProject } from "../support/packed-project";
import { createPackStarter, type PackStarter } from "../support/policy-pack";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { fill, type JobResult, jobsFor, runJob, type Workflow } from "../support/workflow";
import { readOnlyKey, testKey } from "./bench";

jest.setTimeout(600_000);

const workflow = parse(fileOf(".github/workflows/flags.yml")) as Workflow;
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
/** A checkout of the test has the packed package in it, as `npm ci` would have put it there. */
const installed = ["npm ci"];
/** For a program whose tests of the flags are not the question. */
const tested = [...installed, "npm test"];

const repository = "shop/flags";
const push = { event_name: "push", ref_name: "main", event: {} };
const schedule = { event_name: "schedule", ref_name: "main", event: {} };
const pullRequest = {
  event_name: "pull_request",
  ref_name: "7/merge",
  event: { pull_request: { number: 7, head: { repo: { full_name: repository } } } },
};

let emulator: RunningEmulator;
let raw: ConsoleClient;
let gh: FakeGh;
let starter: PackStarter;
let pulumi: Awaited<ReturnType<typeof pulumiEnvironment>>;
let state: string;
const said: string[] = [];

beforeAll(async () => {
  pulumi = await pulumiEnvironment(cleanEnvironment());
  emulator = await startEmulator({ profile: "statsig", key: testKey, readOnlyKey });
  raw = createClient({ profile: "statsig", baseUrl: emulator.url, apiKey: testKey });
  gh = createFakeGh();
  starter = await createPackStarter();
  state = await mkdtemp(path.join(tmpdir(), "feature-console-gitops-"));
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await removeTree(state);
  await gh?.remove();
  await starter?.remove();
  await emulator?.close();
});

test("a merge applies the flags, with nothing set up before but secrets and an empty backend", async () => {
  const { apply } = await happens(push, example.program);
  expect(apply).toMatchObject({ code: 0, ran: ["Select the stack", "Apply"] });
  expect(await rollout()).toBe(10);
  expect(await raw.dynamicConfig.get({ id: "shop_limits" })).toMatchObject({ name: "shop_limits" });
});

test("a pull request gets a comment that says what it changes, and nothing is written", async () => {
  const before = await stateText();
  emulator.clearRequests();
  const { preview } = await happens(pullRequest, withRollout(25));
  expect(preview).toMatchObject({
    code: 0,
    ran: ["Test the flags", "Select the stack", "Preview", "Report", "Comment", "Rules of the house"],
  });
  const { args, stdin } = gh.take() as GhCall;
  expect(args).toEqual(["pr", "comment", "7", "--body-file", "report.md"]);
  expect(stdin.startsWith(`${reportMarker}\n`)).toBe(true);
  expect(stdin).toContain('10 % → 25 % of everyone else (rule "Everyone else"); rule "Staff" unchanged');
  expect(stdin).toContain('dynamic config "shop_limits" depends on it');
  expect(stdin.length).toBeLessThan(65_000);
  said.push(stdin);
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(await rollout()).toBe(10);
  expect(await stateText()).toBe(before);
});

test("the next push brings the comment up to date, and fails after that when it breaks a rule of the house", async () => {
  gh.lists("4711\n4712\n");
  const { preview } = await happens(pullRequest, withRollout(100), tested);
  gh.lists("");
  expect(preview).toMatchObject({ failed: "Rules of the house" });
  expect(preview?.output).toMatch(/rules\[1\] would go from 10 % to 100 % in production/);
  const { args, stdin } = gh.take() as GhCall;
  const comment = "repos/shop/flags/issues/comments/4711";
  expect(args).toEqual(["api", "--method", "PATCH", comment, "--field", "body=@report.md", "--silent"]);
  expect(stdin).toContain("10 % → 100 % of everyone");
});

test("a pull request under which a test of the flags fails is not previewed: the rule that decided is named", async () => {
  const { preview: refused } = await happens(pullRequest, withRollout(250));
  expect(refused).toMatchObject({ failed: "Test the flags", ran: ["Test the flags"] });
  expect(refused?.output).toContain("rules[1].passPercentage: found 250");

  const { preview: swapped } = await happens(pullRequest, withRulesSwapped());
  expect(swapped).toMatchObject({ failed: "Test the flags", ran: ["Test the flags"] });
  expect(swapped?.output).toContain('checkout_v2 fails: rule "Everyone else" (1 of 2), 10 %');
  expect(gh.take()).toBeUndefined();
});

test("a preview that fails fails the job, and is no comment", async () => {
  const { preview } = await happens(pullRequest, withSegmentDescribed(), tested);
  expect(preview).toMatchObject({ failed: "Preview", output: expect.stringContaining("description") });
  expect(gh.take()).toBeUndefined();
});

test("the scheduled check finds a merge that was not applied; once it is, it passes and writes nothing", async () => {
  const { drift: unapplied } = await happens(schedule, withRollout(25));
  expect(unapplied).toMatchObject({ code: 7, failed: "Merged and not applied" });

  const { apply } = await happens(push, withRollout(25));
  expect(apply?.code).toBe(0);
  expect(await rollout()).toBe(25);

  emulator.clearRequests();
  const { drift: calm } = await happens(schedule, withRollout(25));
  expect(calm).toMatchObject({
    code: 0,
    ran: ["Select the stack", "Changed in the console", "Merged and not applied"],
  });
  expect(emulator.requests.length).toBeGreaterThan(0);
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("the scheduled check finds what somebody changed in the console", async () => {
  await raw.gate.patch({ id: "checkout_v2", body: { description: "Drift" } });
  const { drift } = await happens(schedule, withRollout(25));
  expect(drift).toMatchObject({ code: 7, failed: "Changed in the console" });
  expect(drift?.output).toMatch(/"New checkout" +"Drift" +"New checkout"/);
});

test("neither key is in what was printed, commented or kept", async () => {
  const kept = await stateText();
  expect(said.length).toBeGreaterThan(5);
  expect(kept).toContain("checkout_v2");
  for (const key of [testKey, readOnlyKey])
    expect([...said, kept].filter((text) => text.includes(key))).toEqual([]);
});

test("a fork's pull request and a push to another branch start nothing", () => {
  const head = { repo: { full_name: "stranger/flags" } };
  const fork = { ...pullRequest, event: { pull_request: { number: 8, head } } };
  expect(jobsFor(workflow, { github: { ...fork, repository } })).toEqual([]);
  expect(jobsFor(workflow, { github: { ...push, ref_name: "topic", repository } })).toEqual([]);
});

test("what writes the state waits for its like, and a preview pushes none of it out of the queue", () => {
  const group = (github: object) => fill(workflow.concurrency?.group ?? "", { github });
  expect(workflow.concurrency?.["cancel-in-progress"]).toBe(false);
  expect(group(push)).toBe(group(schedule));
  expect(group(pullRequest)).not.toBe(group(push));
});

test("only a merge gets the key that may write", () => {
  const withIt = Object.entries(workflow.jobs).filter(([, job]) =>
    JSON.stringify(job).includes("secrets.FEATURE_CONSOLE_API_KEY"),
  );
  expect(withIt.map(([name]) => name)).toEqual(["apply"]);
});

test("keys stand only in steps that use them, none of which installs anything; credentials do not stay", () => {
  for (const name of ["flags.yml", "console.yml"]) {
    const { env, jobs } = parse(fileOf(`.github/workflows/${name}`)) as Workflow;
    expect(JSON.stringify([env, Object.values(jobs).map((job) => job.env)])).not.toContain("secrets.");
    for (const step of Object.values(jobs).flatMap((job) => job.steps)) {
      if (JSON.stringify(step.env ?? {}).includes("secrets."))
        expect(step.run).toMatch(/pulumi|feature-console/);
      if (step.run?.includes("npm ")) expect(step.env).toBeUndefined();
      if (step.uses?.startsWith("actions/checkout@"))
        expect((step as { with?: object }).with).toMatchObject({ "persist-credentials": false });
    }
  }
});

test("a release publishes in a job that installs nothing, and what installs may not publish", () => {
  const text = readFileSync(path.join(repositoryRoot, ".github/workflows/release.yml"), "utf8");
  const { jobs } = parse(text) as Workflow;
  const mayPublish = Object.entries(jobs).filter(
    ([, { permissions }]) => permissions?.["id-token"] === "write",
  );
  expect(mayPublish.map(([name]) => name)).toEqual(["publish"]);
  expect(JSON.stringify(jobs.publish)).not.toMatch(/npm (ci|install|test)/);
  expect(jobs.build?.permissions).toEqual({ contents: "read" });
  for (const { run } of jobs.version?.steps ?? [])
    if (run?.includes("npm ci")) expect(run).toContain("--ignore-scripts");
});

test("only a merge makes the stack: previews and the drift check work with a state that they can only read", () => {
  const creating = Object.entries(workflow.jobs).filter(([, job]) =>
    JSON.stringify(job).includes("--create"),
  );
  expect(creating.map(([name]) => name)).toEqual(["apply"]);
});

test("rights are the least, scripts hold no expressions, and confirmations are not skipped", () => {
  expect(workflow.permissions).toEqual({});
  const rights = Object.values(workflow.jobs).map(({ permissions }) => permissions);
  const read = { contents: "read" };
  expect(rights).toEqual([{ ...read, "pull-requests": "write" }, read, read]);
  expect(steps.filter(({ run }) => run?.includes("${{"))).toEqual([]);
  const environments = [workflow, ...Object.values(workflow.jobs), ...steps].map(({ env }) => env);
  expect(JSON.stringify(environments)).not.toContain("PULUMI_SKIP_CONFIRMATIONS");
});

test("GitHub's own parser finds nothing wrong in any workflow", async () => {
  const folders = ["examples/gitops/.github/workflows", ".github/workflows"];
  const files = folders.flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)));
  expect(files.length).toBeGreaterThan(3);
  const tsx = path.join("node_modules", ".bin", "tsx");
  const checked = await run(tsx, ["test/support/workflow-problems.mts", ...files], { cwd: repositoryRoot });
  expect(checked).toMatchObject({ code: 0, stdout: "[]\n" });
});

test("the README names every secret and variable that the workflow uses", () => {
  const used = fileOf(".github/workflows/flags.yml").matchAll(/(?:secrets|vars)\.(\w+)/g);
  const names = new Set(Array.from(used, ([, name]) => name));
  expect(names.size).toBe(5);
  for (const name of names) expect(fileOf("README.md")).toContain(`\`${name}\``);
});

/** Lets an event happen to a repository with this program: a fresh runner and checkout for each job that it starts. */
async function happens(
  event: object,
  program: string,
  done: readonly string[] = installed,
): Promise<Record<string, JobResult | undefined>> {
  const contexts = {
    github: { ...event, repository, token: ["github", "token"].join("-") },
    secrets: {
      FEATURE_CONSOLE_API_KEY: testKey,
      FEATURE_CONSOLE_READ_ONLY_KEY: readOnlyKey,
      PULUMI_CONFIG_PASSPHRASE: "correct horse",
    },
    vars: {
      PULUMI_BACKEND_URL: (await isolatedState(state)).PULUMI_BACKEND_URL,
      FEATURE_CONSOLE_ALLOWED_HOSTS: new URL(emulator.url).host,
    },
  };
  const results: Record<string, JobResult> = {};
  for (const job of jobsFor(workflow, contexts)) {
    const project = await createPackedProject({
      ...example,
      files: { ...example.files, "index.ts": program },
    });
    const home = await mkdtemp(path.join(tmpdir(), "feature-console-runner-"));
    // The address alone leads to this console instead of the real one.
    const own = { CI: "true", PULUMI_HOME: home, FEATURE_CONSOLE_BASE_URL: emulator.url };
    const env = {
      ...pulumi.env,
      ...own,
      PATH: [gh.folder, starter.bin, pulumi.env.PATH].join(path.delimiter),
    };
    const result = await runJob(workflow, job, contexts, { folder: project.folder, env, done });
    said.push(result.output);
    results[job] = result;
    await project.remove();
    await removeTree(home);
  }
  return results;
}

function fileOf(name: string): string {
  return example.files?.[name] ?? "";
}

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
