import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, jest, test } from "@jest/globals";
import { parse } from "yaml";
import { removeTree } from "../../scripts/process/atomic-folder";
import { run } from "../../scripts/process/run";
import { cleanEnvironment } from "../../scripts/pulumi-cli/clean-environment";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import type { GhCall } from "../support/fake-gh";
import { gitopsExample as example, reportMarker } from "../support/gitops-example";
import { createStandIns, type StandIns } from "../support/stand-ins";
import { fill, type JobResult, jobsFor, type Workflow } from "../support/workflow";
import {
  branch,
  consoleWorkflow,
  fileOf,
  flagsWorkflow,
  openRepository,
  person,
  pullRequest,
  push,
  type Repository,
  repository as repositoryName,
  schedule,
} from "./github";

// What the jobs of the workflows for GitHub do with what the commands return: those are played. gitops.test.ts has the real ones.

jest.setTimeout(600_000);

const { program } = example;
let repository: Repository;
let commands: StandIns;
let folder: string;

beforeAll(async () => {
  commands = createStandIns("pulumi", "npx", "npm");
  folder = await mkdtemp(path.join(tmpdir(), "feature-console-gitops-"));
  repository = await openRepository({
    ...{ env: cleanEnvironment(), first: [commands.folder] },
    ...{ backend: "https://state.example.com", host: "console.example.com" },
  });
});
afterEach(() => commands.answer({}));
afterAll(async () => {
  await removeTree(folder);
  await repository?.close();
  await commands?.remove();
});

test("the next push brings the comment of a pull request up to date, and passes where the rules of the house are kept", async () => {
  const report = "npx --no -- feature-console report --out report.md preview.json";
  commands.answer({ [report]: `printf '%s\\n' '${reportMarker}' '10 % → 25 %' > report.md` });
  repository.gh.lists("4711\n4712\n");
  const { preview } = await repository.happens(flagsWorkflow, pullRequest, program);
  repository.gh.lists("");
  expect([preview?.code, preview?.ran.at(-1)]).toEqual([0, "Rules of the house"]);
  const { args, stdin } = repository.gh.take() as GhCall;
  const comment = "repos/shop/flags/issues/comments/4711";
  expect(args).toEqual(["api", "--method", "PATCH", comment, "--field", "body=@report.md", "--silent"]);
  expect(stdin).toBe(`${reportMarker}\n10 % → 25 %\n`);
});

test("a preview that fails fails the job, says why, and is no comment", async () => {
  const why = "npx --no -- feature-console report --offline preview.json";
  commands.answer({ "pulumi preview --json": "echo '{}'; exit 255", [why]: "echo 'why it failed'" });
  const { preview } = await repository.happens(flagsWorkflow, pullRequest, program);
  expect(preview).toMatchObject({ failed: "Preview", output: expect.stringContaining("why it failed") });
  expect(repository.gh.take()).toBeUndefined();
});

test("a scheduled check without a difference passes", async () => {
  const { drift } = await repository.happens(flagsWorkflow, schedule, program);
  const ran = ["Select the stack", "Changed in the console", "Merged and not applied"];
  expect(drift).toMatchObject({ code: 0, ran });
});

/** The morning on which `drift --accept` makes this of the program, and ends so. */
async function taken(text: string, status = 0): Promise<JobResult | undefined> {
  const file = path.join(folder, "taken.ts");
  await writeFile(file, text);
  const command = "npx --no -- feature-console drift --accept --no-refresh";
  commands.answer({ [command]: `cp '${file}' index.ts; echo "1 changed."; exit ${status}` });
  return (await repository.happens(consoleWorkflow, schedule, program))["take-over"];
}
const withShare = (share: number) => program.replace("passPercentage: 10,", `passPercentage: ${share},`);

test("while a pull request of the console's changes is open, the next morning brings it up to date", async () => {
  expect(await taken(withShare(25))).toMatchObject({ code: 0 });
  expect((repository.gh.take() as GhCall).args.slice(0, 2)).toEqual(["pr", "create"]);
  repository.gh.lists("12\n");
  expect(await taken(withShare(30))).toMatchObject({ code: 0 });
  expect((repository.gh.take() as GhCall).args).toEqual(["pr", "edit", "12", "--body-file", "-"]);
  expect(await repository.branchProgram()).toContain("passPercentage: 30,");
});

test("what somebody has committed to its branch is not written over", async () => {
  const mine = ["commit-tree", `${branch}^{tree}`, "-p", branch, "-m", "Mine"];
  const commit = (await repository.git(...person, ...mine)).trim();
  await repository.git("update-ref", `refs/heads/${branch}`, commit);
  expect((await taken(withShare(40)))?.code).toBe(0);
  expect(repository.gh.take()?.stdin).toContain("Somebody has committed to this branch");
  expect(await repository.git("log", "-1", "--format=%s", branch)).toBe("Mine\n");
  await repository.git("branch", "--delete", "--force", branch);
  expect((await taken(withShare(40)))?.code).toBe(0);
  expect(await repository.branchProgram()).toContain("passPercentage: 40,");
  repository.gh.take();
});

test("when nothing is left it is closed, and where none is open there is no pull request", async () => {
  expect(await taken(program, 7)).toMatchObject({
    failed: "What only a person can write",
    output: expect.stringContaining("Nothing was changed in the console"),
  });
  // One that is still open would write what the console does not have any more.
  expect((repository.gh.take() as GhCall).args.slice(0, 4)).toEqual(["pr", "close", "12", "--comment"]);
  repository.gh.lists("");
  expect((await taken(program))?.code).toBe(0);
  expect(repository.gh.take()).toBeUndefined();
});

test("a fork's pull request and a push to another branch start nothing", () => {
  const github = { repository: repositoryName };
  const head = { repo: { full_name: "stranger/flags" } };
  const fork = { ...pullRequest, event: { pull_request: { number: 8, head } } };
  expect(jobsFor(flagsWorkflow, { github: { ...github, ...fork } })).toEqual([]);
  expect(jobsFor(flagsWorkflow, { github: { ...github, ...push, ref_name: "topic" } })).toEqual([]);
});

test("what writes the state waits for its like, and a preview pushes none of it out of the queue", () => {
  const group = (github: object) => fill(flagsWorkflow.concurrency?.group ?? "", { github });
  expect(flagsWorkflow.concurrency?.["cancel-in-progress"]).toBe(false);
  expect(group(push)).toBe(group(schedule));
  expect(group(pullRequest)).not.toBe(group(push));
});

/** Names of the jobs whose text has this. */
const jobsWith = ({ jobs }: Workflow, text: string) =>
  Object.entries(jobs).flatMap(([name, job]) => (JSON.stringify(job).includes(text) ? [name] : []));

test("only a merge gets the key that may write, and makes the stack: all else works with what it can only read", () => {
  for (const text of ["secrets.FEATURE_CONSOLE_API_KEY", "--create"])
    expect(jobsWith(flagsWorkflow, text)).toEqual(["apply"]);
  expect(fileOf(".github/workflows/console.yml")).not.toContain("secrets.FEATURE_CONSOLE_API_KEY");
});

test("keys stand only in steps that use them, none of which installs anything; credentials do not stay", () => {
  for (const { env, jobs } of [flagsWorkflow, consoleWorkflow]) {
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

test("rights are the least, scripts hold no expressions, and confirmations are not skipped", () => {
  const rights = Object.values(flagsWorkflow.jobs).map(({ permissions }) => permissions);
  const read = { contents: "read" };
  expect(rights).toEqual([{ ...read, "pull-requests": "write" }, read, read]);
  for (const workflow of [flagsWorkflow, consoleWorkflow]) {
    expect(workflow.permissions).toEqual({});
    const jobs = Object.values(workflow.jobs);
    const steps = jobs.flatMap((job) => job.steps);
    expect(steps.filter(({ run }) => run?.includes("${{"))).toEqual([]);
    const environments = [workflow, ...jobs, ...steps].map(({ env }) => env);
    expect(JSON.stringify(environments)).not.toContain("PULUMI_SKIP_CONFIRMATIONS");
  }
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
