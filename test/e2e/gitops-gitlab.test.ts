import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { parse } from "yaml";
import { removeTree } from "../../scripts/process/atomic-folder";
import { run } from "../../scripts/process/run";
import { cleanEnvironment } from "../../scripts/pulumi-cli/clean-environment";
import { isolatedState, pulumiEnvironment } from "../../scripts/pulumi-cli/environment";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { type FakeGitLab, type PipelineResult, runPipeline, startFakeGitLab } from "../support/gitlab";
import {
  gitopsExample as example,
  withRollout,
  withRulesSwapped,
  withSegmentDescribed,
} from "../support/gitops-example";
import { createPackedProject } from "../support/packed-project";
import { createPackStarter, type PackStarter } from "../support/policy-pack";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type RawClient, rawClient } from "../support/raw-client";
import { changesTo, readOnlyKey, testKey } from "./bench";

jest.setTimeout(600_000);

const file = example.files?.[".gitlab-ci.yml"] ?? "";
const marker = "<!-- feature-console report gitops/prod -->";
const reviewToken = ["gitlab", "review"].join("-");
const push = { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "main", CI_DEFAULT_BRANCH: "main" };
const schedule = { ...push, CI_PIPELINE_SOURCE: "schedule" };
const mergeRequest = { CI_PIPELINE_SOURCE: "merge_request_event", CI_MERGE_REQUEST_IID: "7" };

let emulator: RunningEmulator;
let raw: RawClient;
let gitLab: FakeGitLab;
let starter: PackStarter;
let folder: string;
let env: NodeJS.ProcessEnv;
let shared: Record<string, string>;
const said: string[] = [];

beforeAll(async () => {
  const pulumi = await pulumiEnvironment(cleanEnvironment());
  emulator = await startEmulator({ profile: "statsig", key: testKey, readOnlyKey });
  raw = rawClient({ profile: "statsig", baseUrl: emulator.url, apiKey: testKey });
  gitLab = await startFakeGitLab(reviewToken, "/api/v4/projects/42/merge_requests/7/notes");
  folder = await mkdtemp(path.join(tmpdir(), "feature-console-gitops-"));
  const { PULUMI_BACKEND_URL = "", PULUMI_HOME } = await isolatedState(folder);
  starter = await createPackStarter();
  const PATH = [starter.bin, pulumi.env.PATH].join(path.delimiter);
  env = { ...pulumi.env, PATH, PULUMI_HOME, CI: "true", FEATURE_CONSOLE_BASE_URL: emulator.url };
  shared = {
    PULUMI_BACKEND_URL,
    FEATURE_CONSOLE_ALLOWED_HOSTS: new URL(emulator.url).host,
    ...{ PULUMI_CONFIG_PASSPHRASE: "correct horse", FEATURE_CONSOLE_READ_ONLY_KEY: readOnlyKey },
    ...{ CI_API_V4_URL: `${gitLab.url}/api/v4`, CI_PROJECT_ID: "42", REVIEW_TOKEN: reviewToken },
  };
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await removeTree(folder);
  await starter?.remove();
  await gitLab?.close();
  await emulator?.close();
});

test("a merge applies the flags, with nothing set up before but variables and an empty backend", async () => {
  const { code, jobs } = await happens({ ...push, FEATURE_CONSOLE_WRITE_KEY: testKey }, example.program);
  expect({ code, jobs }).toEqual({ code: 0, jobs: ["apply"] });
  expect(await rollout()).toBe(10);
});

test("a merge request gets one note, which later pipelines bring up to date, and nothing is written", async () => {
  emulator.clearRequests();
  gitLab.addNote("Looks good to me");
  for (const percentage of [25, 50]) {
    const { code, jobs } = await happens(mergeRequest, withRollout(percentage));
    expect({ code, jobs }).toEqual({ code: 0, jobs: ["preview"] });
    const [other, ...mine] = gitLab.notes;
    expect(other?.body).toBe("Looks good to me");
    expect(mine.map(({ body }) => body)).toEqual([expect.stringContaining(marker)]);
    expect(mine[0]?.body).toMatch(new RegExp(`10 %[^\\n]*${percentage} %`));
  }
  expect(changesTo(emulator)).toEqual([]);
  expect(await rollout()).toBe(10);
});

test("what breaks a rule of the house fails the job, and its note is written all the same", async () => {
  const { code, output } = await happens(mergeRequest, withRollout(90));
  expect(code).not.toBe(0);
  expect(output).toMatch(/rules\[1\] would go from 10 % to 90 % in production/);
  expect(gitLab.notes.at(-1)?.body).toMatch(/10 %[^\n]*90 %/);
  expect(await rollout()).toBe(10);
});

test("a merge request under which a test of the flags fails is not previewed: the rule that decided is named", async () => {
  const before = gitLab.notes.map(({ body }) => body);
  emulator.clearRequests();
  const refused = await happens(mergeRequest, withRollout(250));
  expect(refused.output).toContain("rules[1].passPercentage: found 250");
  const swapped = await happens(mergeRequest, withRulesSwapped());
  expect(swapped.output).toContain('checkout_v2 fails: rule "Everyone else" (1 of 2), 10 %');
  for (const { code, output } of [refused, swapped]) {
    expect(code).not.toBe(0);
    expect(output).not.toContain("pulumi preview");
  }
  expect(emulator.requests).toEqual([]);
  expect(gitLab.notes.map(({ body }) => body)).toEqual(before);
});

test("a preview that fails fails the job, says why, and leaves the note as it was", async () => {
  const before = gitLab.notes.map(({ body }) => body);
  const { code, output } = await happens(mergeRequest, withSegmentDescribed());
  expect(code).not.toBe(0);
  expect(output).toContain("pulumi preview");
  expect(output).toContain("description");
  expect(gitLab.notes.map(({ body }) => body)).toEqual(before);
});

test("the scheduled check finds what was changed in the console, and writes nothing", async () => {
  await raw.gate.patch({ id: "checkout_v2", body: { description: "Drift" } });
  emulator.clearRequests();
  const { code, jobs, output } = await happens(schedule, example.program);
  expect(code).not.toBe(0);
  expect(jobs).toEqual(["drift"]);
  expect(output).toMatch(/"New checkout" +"Drift" +"New checkout"/);
  expect(changesTo(emulator)).toEqual([]);
});

test("a push to another branch starts nothing", async () => {
  expect((await happens({ ...push, CI_COMMIT_BRANCH: "topic" }, example.program)).jobs).toEqual([]);
});

test("no key and no token is in what was printed or noted", () => {
  expect(said.length).toBeGreaterThan(4);
  const texts = [...said, ...gitLab.notes.map(({ body }) => body)];
  for (const secret of [testKey, readOnlyKey, reviewToken])
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
});

test("only a merge gets the key that may write; jobs that use the state wait for one another", () => {
  const jobs = parse(file) as Record<string, { resource_group?: string }>;
  const holding = (name: string) =>
    Object.entries(jobs).flatMap(([job, text]) => (JSON.stringify(text).includes(name) ? [job] : []));
  expect(holding("$FEATURE_CONSOLE_WRITE_KEY")).toEqual(["apply"]);
  expect(jobs.drift?.resource_group).toBe(jobs.apply?.resource_group);
  expect(file).not.toMatch(/PULUMI_SKIP_CONFIRMATIONS=|artifacts:/);
});

test("the README names every variable that the pipeline uses", () => {
  const names = new Set(file.match(/(?:FEATURE_CONSOLE|PULUMI|REVIEW)_[A-Z_]+/g));
  for (const name of ["FEATURE_CONSOLE_API_KEY", "PULUMI_SKIP_CONFIRMATIONS"]) names.delete(name);
  expect(names.size).toBe(6);
  for (const name of names) expect(example.files?.["README.md"]).toContain(`\`${name}\``);
});

/** Lets something happen to a repository with this program. */
async function happens(variables: Record<string, string>, program: string): Promise<PipelineResult> {
  const project = await createPackedProject({ ...example, files: { ...example.files, "index.ts": program } });
  const git = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  for (const args of [
    ["init", "--quiet", "--initial-branch", "main"],
    ["add", "index.ts", ".gitlab-ci.yml"],
    [...git, "commit", "--quiet", "--message", "Flags"],
    ["remote", "add", "origin", "https://gitlab.example.com/shop/flags.git"],
  ])
    await run("git", args, { cwd: project.folder });
  const result = await runPipeline(project.folder, { ...shared, ...variables }, env);
  said.push(result.output);
  await project.remove();
  return result;
}

/** The share of users that the console lets into the checkout. */
async function rollout(): Promise<unknown> {
  const { rules } = (await raw.gate.get({ id: "checkout_v2" })) as { rules: { passPercentage: number }[] };
  return rules[1]?.passPercentage;
}
