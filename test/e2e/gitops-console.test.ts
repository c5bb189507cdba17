import { existsSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { parse } from "yaml";
import { removeTree } from "../../scripts/process/atomic-folder";
import { run } from "../../scripts/process/run";
import { cleanEnvironment } from "../../scripts/pulumi-cli/clean-environment";
import { isolatedState, pulumiEnvironment } from "../../scripts/pulumi-cli/environment";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { exampleContent } from "../support/examples";
import { createFakeGh, type FakeGh, type GhCall } from "../support/fake-gh";
import { createPackedProject, type PackedProject } from "../support/packed-project";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type RawClient, rawClient } from "../support/raw-client";
import { createStandIns, type StandIns } from "../support/stand-ins";
import { type JobResult, runJob, type Workflow } from "../support/workflow";
import { readOnlyKey, testKey, writesTo } from "./bench";

jest.setTimeout(600_000);

const example = exampleContent("gitops");
const [flags, fromConsole] = ["flags.yml", "console.yml"].map(
  (name) => parse(example.files?.[`.github/workflows/${name}`] ?? "") as Workflow,
) as [Workflow, Workflow];
const branch = "changed-in-the-console";
const shellText = "$(touch pwned) `touch pwned` '; touch pwned # ~~~~~~ $PATH";

let emulator: RunningEmulator;
let raw: RawClient;
let gh: FakeGh;
let drift: StandIns;
let folder: string;
let origin: string;
let env: NodeJS.ProcessEnv;
let program = example.program;

beforeAll(async () => {
  const pulumi = await pulumiEnvironment(cleanEnvironment());
  emulator = await startEmulator({ profile: "statsig", key: testKey, readOnlyKey });
  raw = rawClient({ profile: "statsig", baseUrl: emulator.url, apiKey: testKey });
  gh = createFakeGh();
  drift = createStandIns("npx");
  folder = await mkdtemp(path.join(tmpdir(), "feature-console-gitops-"));
  origin = path.join(folder, "origin.git");
  env = {
    ...pulumi.env,
    ...{ CI: "true", PULUMI_HOME: path.join(folder, "home"), FEATURE_CONSOLE_BASE_URL: emulator.url },
    PATH: [gh.folder, pulumi.env.PATH].join(path.delimiter),
  };
  await git(folder, "init", "--quiet", "--bare", "--initial-branch", "main", origin);
  expect(await happens(flags, "apply")).toMatchObject({ code: 0 });
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await removeTree(folder);
  await drift?.remove();
  await gh?.remove();
  await emulator?.close();
});

test("what was changed in the console becomes a branch and a pull request that says who changed what, and first what only a person can write", async () => {
  program = example.program.replace('"Limits of the shop"', '["Limits of", "the shop"].join(" ")');
  const { rules } = (await raw.gate.get({ id: "checkout_v2" })) as { rules: object[] };
  await raw.gate.patch({
    id: "checkout_v2",
    body: { rules: [rules[0], { ...rules[1], passPercentage: 25 }] },
  });
  await raw.gate.patch({ id: "search_suggestions", body: { description: shellText } });
  await raw.dynamicConfig.patch({ id: "shop_limits", body: { description: "Computed" } });
  emulator.clearRequests();
  expect(await happens(fromConsole, "take-over")).toMatchObject({
    failed: "What only a person can write",
    output: expect.stringMatching(
      /refused {2}index\.ts:\d+:\d+ {2}dynamic config "shop_limits" description: .* type "Computed"/,
    ),
  });
  const { args, stdin } = gh.take() as GhCall;
  expect(args.slice(0, 6)).toEqual(["pr", "create", "--base", "main", "--head", branch]);
  expect(stdin).toMatch(/rules\[1\]\.passPercentage +10 +25 +10 +changed in the console: a key, \d{4}-/);
  expect(stdin).toContain('"Suggestions while typing"');
  expect(stdin).toMatch(
    /only a person can write it:\n~~~~~~\nrefused {2}index\.ts.* type "Computed"\n\n~~~~~~\n/,
  );
  expect(stdin.split("\n").filter((line) => line === "~~~~~~")).toHaveLength(4);
  expect(await branchProgram()).toBe(
    program
      .replace("passPercentage: 10,", "passPercentage: 25,")
      .replace('"Suggestions while typing"', JSON.stringify(shellText)),
  );
  expect(existsSync(path.join(folder, "pwned"))).toBe(false);
  expect(writesTo(emulator)).toEqual([]);
});

test("merging it sends nothing to the console", async () => {
  program = await branchProgram();
  await raw.dynamicConfig.patch({ id: "shop_limits", body: { description: "Limits of the shop" } });
  emulator.clearRequests();
  expect((await happens(flags, "apply")).code).toBe(0);
  expect(writesTo(emulator)).toEqual([]);
});

/** Lets the job run where `drift --accept` makes this of the program and ends so. */
async function taken(text: string, status = 0): Promise<JobResult> {
  await writeFile(path.join(folder, "taken.ts"), text);
  const command = "npx --no -- feature-console drift --accept --no-refresh";
  drift.answer({ [command]: `cp '${folder}/taken.ts' index.ts; echo "1 changed."; exit ${status}` });
  return happens(fromConsole, "take-over", drift.folder);
}

test("while it is open, the next morning brings it up to date", async () => {
  gh.lists("12\n");
  const result = await taken(program.replace("passPercentage: 25,", "passPercentage: 30,"));
  expect([result.failed, result.code]).toEqual([undefined, 0]);
  expect((gh.take() as GhCall).args).toEqual(["pr", "edit", "12", "--body-file", "-"]);
  expect(await branchProgram()).toContain("passPercentage: 30,");
});

test("what somebody has committed to its branch is not written over", async () => {
  const clone = path.join(folder, "clone");
  await git(folder, "clone", "--quiet", "--branch", branch, origin, clone);
  const who = ["-c", "user.name=Ana", "-c", "user.email=ana@example.com"];
  await git(clone, ...who, "commit", "--quiet", "--allow-empty", "--message", "Mine");
  await git(clone, "push", "--quiet", "origin", branch);
  const later = program.replace("passPercentage: 25,", "passPercentage: 40,");
  expect((await taken(later)).code).toBe(0);
  expect(gh.take()?.stdin).toContain("Somebody has committed to this branch");
  expect(await git(origin, "log", "-1", "--format=%s", branch)).toBe("Mine\n");
  await git(origin, "branch", "--delete", "--force", branch);
  expect((await taken(later)).code).toBe(0);
  expect(await branchProgram()).toContain("passPercentage: 40,");
  gh.take();
});

test("when nothing is left it is closed, and where none is open there is no pull request", async () => {
  expect(await taken(program, 7)).toMatchObject({
    failed: "What only a person can write",
    output: expect.stringContaining("Nothing was changed in the console"),
  });
  // One that is still open would write what the console does not have any more.
  expect((gh.take() as GhCall).args.slice(0, 4)).toEqual(["pr", "close", "12", "--comment"]);
  gh.lists("");
  expect((await taken(program)).code).toBe(0);
  expect(gh.take()).toBeUndefined();
});

test("it reads with the key that may read, and its scripts hold no expressions", () => {
  const text = example.files?.[".github/workflows/console.yml"] ?? "";
  expect(text).not.toContain("secrets.FEATURE_CONSOLE_API_KEY");
  const steps = Object.values(fromConsole.jobs).flatMap((job) => job.steps);
  expect(steps.filter(({ run: script }) => script?.includes("${{"))).toEqual([]);
  expect(fromConsole.permissions).toEqual({});
});

/** Runs a job on a fresh runner, in a fresh checkout of `main` with this program. `first`: a folder for the front of PATH. */
async function happens(workflow: Workflow, job: string, first?: string): Promise<JobResult> {
  const project = await createPackedProject({ ...example, files: { ...example.files, "index.ts": program } });
  await checkOut(project);
  const contexts = {
    github: { repository: "shop/flags", token: ["github", "token"].join("-") },
    secrets: {
      FEATURE_CONSOLE_API_KEY: testKey,
      FEATURE_CONSOLE_READ_ONLY_KEY: readOnlyKey,
      PULUMI_CONFIG_PASSPHRASE: "correct horse",
    },
    vars: {
      PULUMI_BACKEND_URL: (await isolatedState(folder)).PULUMI_BACKEND_URL,
      FEATURE_CONSOLE_ALLOWED_HOSTS: new URL(emulator.url).host,
    },
  };
  const PATH = [...(first === undefined ? [] : [first]), env.PATH].join(path.delimiter);
  const runner = { folder: project.folder, env: { ...env, PATH }, done: ["npm ci"] };
  const result = await runJob(workflow, job, contexts, runner);
  await project.remove();
  return result;
}

async function checkOut({ folder: checkout }: PackedProject): Promise<void> {
  await git(checkout, "init", "--quiet", "--initial-branch", "main");
  await git(checkout, "add", "index.ts", "package.json", "Pulumi.yaml", "Pulumi.prod.yaml");
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  await git(checkout, ...who, "commit", "--quiet", "--message", "Flags");
  await git(checkout, "remote", "add", "origin", origin);
  await git(checkout, "push", "--quiet", "--force", "origin", "main");
}

async function branchProgram(): Promise<string> {
  return git(origin, "show", `${branch}:index.ts`);
}

async function git(cwd: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run("git", args, { cwd });
  if (code !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`);
  return stdout;
}
