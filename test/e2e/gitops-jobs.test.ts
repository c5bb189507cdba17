import { readdirSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, jest, test } from "@jest/globals";
import { removeTree } from "../../scripts/process/atomic-folder";
import { run } from "../../scripts/process/run";
import { cleanEnvironment } from "../../scripts/pulumi-cli/clean-environment";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import type { GhCall } from "../support/fake-gh";
import { gitopsExample as example, reportMarker } from "../support/gitops-example";
import { createStandIns, type StandIns } from "../support/stand-ins";
import { fill, type JobResult, jobsFor, type Workflow } from "../support/workflow";
import { readOnlyKey, testKey } from "./bench";
import {
  branch,
  consoleWorkflow,
  dispatch,
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

/** Each preview leads to this report. */
const reports = (text: string, status = 0) =>
  Object.fromEntries(
    ["main/policies", "policies"].map((folder) => [
      `npx --no --prefix ${folder} -- feature-console report --fail-on will-fail --out report.md preview.json`,
      `printf '%s\\n' '${reportMarker}' '${text}' > report.md; exit ${status}`,
    ]),
  );

test("the next push brings the comment of a pull request up to date, and passes where the rules of the house are kept", async () => {
  commands.answer(reports("10 % → 25 %"));
  repository.gh.lists("4711\n4712\n");
  const { preview, comment: job } = await repository.happens(flagsWorkflow, pullRequest, program);
  repository.gh.lists("");
  expect([preview?.code, preview?.ran.at(-1)]).toEqual([0, "Rules of the house"]);
  expect(job).toMatchObject({ code: 0, ran: ["Comment"] });
  const { args, stdin } = repository.gh.take() as GhCall;
  const comment = "repos/shop/flags/issues/comments/4711";
  expect(args).toEqual(["api", "--method", "PATCH", comment, "--field", "body=@report.md", "--silent"]);
  expect(stdin).toBe(`${reportMarker}\n10 % → 25 %\n`);
});

test("an update that is bound to fail has its comment, and then fails the job; on main nothing of it is applied", async () => {
  commands.answer(reports("This update will fail.", 7));
  const { preview, comment } = await repository.happens(flagsWorkflow, pullRequest, program);
  expect(preview).toMatchObject({ failed: "Update can succeed" });
  expect(comment).toMatchObject({ code: 0, ran: ["Comment"] });
  expect((repository.gh.take() as GhCall).args.slice(0, 2)).toEqual(["pr", "comment"]);
  const { apply } = await repository.happens(flagsWorkflow, push, program);
  expect(apply?.ran).not.toContain("Apply");
  // A report that could not be made is no comment.
  commands.answer(reports("", 1));
  expect(await repository.happens(flagsWorkflow, pullRequest, program)).toMatchObject({
    preview: { failed: "Report" },
  });
});

test("a preview that fails fails the job, says why, and is no comment", async () => {
  const why = "npx --no --prefix main/policies -- feature-console report --offline preview.json";
  commands.answer({ "pulumi preview --json": "echo '{}'; exit 255", [why]: "echo 'why it failed'" });
  const { preview, comment } = await repository.happens(flagsWorkflow, pullRequest, program);
  expect(preview).toMatchObject({ failed: "Preview", output: expect.stringContaining("why it failed") });
  expect([comment, repository.gh.take()]).toEqual([undefined, undefined]);
});

test("what was reviewed is applied, and no other change: that waits for somebody who has read its report", async () => {
  const pushed = async (event: object = push) => {
    commands.take();
    const { apply } = await repository.happens(flagsWorkflow, event, program);
    const up = commands.take().filter(({ line }) => line.startsWith("pulumi up"));
    expect(up).toEqual(apply?.code === 0 ? [{ line: expect.any(String), key: testKey }] : []);
    return apply;
  };
  commands.answer(reports("10 % → 25 %"));
  // GitHub may keep line ends of its own.
  repository.gh.reviews("7", `${reportMarker}\r\n10 % → 25 %\n`);
  expect((await pushed())?.ran.slice(-3)).toEqual(["Compare with the review", "Rules of the house", "Apply"]);

  repository.gh.reviews("7", `${reportMarker}\n10 % → 20 %\n`);
  const other = await pushed();
  expect(other).toMatchObject({ failed: "Compare with the review" });
  expect(other?.summary).toContain("10 % → 25 %");
  const [, digest = ""] = /--field reviewed=(\w{64})$/m.exec(other?.output ?? "") ?? [];
  repository.gh.reviews("", "");
  expect(await pushed()).toMatchObject({ failed: "Compare with the review" });
  expect(await pushed(dispatch(digest))).toMatchObject({ code: 0 });
  commands.answer(reports("10 % → 90 %"));
  expect(await pushed(dispatch(digest))).toMatchObject({ failed: "Compare with the review" });

  // A freeze has begun since the review.
  const rules = "pulumi preview --policy-pack policies/node_modules/pulumi-feature-console-policy";
  commands.answer({ ...reports("10 % → 25 %"), [rules]: "exit 255" });
  expect(await pushed(dispatch(digest))).toMatchObject({ failed: "Rules of the house" });
});

test("a branch that wants the key, approves itself, swaps the rules of the house and forges its report gets none of it", async () => {
  const policy = "policies/node_modules/pulumi-feature-console-policy";
  const forged = `printf '%s\\n' '${reportMarker}' 'No flag changes' > report.md`;
  const looks = "env | grep -E 'KEY|TOKEN|PASS'";
  // All code of the branch runs in such steps: its tests and its program, which may also write over what makes the report.
  commands.answer({
    "npm test": `${looks}; cat .git/config; gh pr review 7 --approve || echo "not approved"; ${forged}`,
    "pulumi preview --json": `{ ${looks}; gh pr review 7 --approve || echo "not approved"; } >&2; echo "{}"`,
    "npx --no --prefix main/policies -- feature-console report": `${looks}; ${forged}`,
    "pulumi preview --policy-pack": 'cat "$(echo "$3" | sed "s|/node_modules/.*||")/package.json"',
  });
  const swapped = { "policies/package.json": "{}", "policies/policies.json": '{"all":"disabled"}' };
  commands.take();
  const { preview, comment } = await repository.happens(flagsWorkflow, pullRequest, program, swapped);
  const [token, calls] = [["github", "token"].join("-"), commands.take()];
  expect(preview?.output).toContain("FEATURE_CONSOLE_API_KEY=");
  expect(preview?.output).toContain(readOnlyKey);
  for (const hidden of [testKey, token].map((text) => new RegExp(`${text}$`, "m")))
    expect(preview?.output).not.toMatch(hidden);
  expect(preview?.output.match(/not approved/g)).toHaveLength(2);
  // The rules come from `main`, the ones of the branch from nowhere.
  expect(calls.at(-1)?.line).toContain(`--policy-pack main/${policy} --policy-pack-config main/policies/`);
  expect(preview?.output).toContain("gitops-policies");
  // The report is text to the job that may write: no program of the branch is there.
  expect(calls.filter(({ line }) => line.startsWith("npx"))).toHaveLength(1);
  expect(comment).toMatchObject({ code: 0, ran: ["Comment"] });
  const { stdin } = repository.gh.take() as GhCall;

  // Merged all the same, what the forged report does not have is not applied.
  repository.gh.reviews("7", stdin);
  commands.answer(reports("10 % → 100 %"));
  const { apply } = await repository.happens(flagsWorkflow, push, program);
  expect(apply).toMatchObject({ failed: "Compare with the review" });
  repository.gh.reviews("", "");
});

test("a report that is none is no comment", async () => {
  commands.answer({
    "npx --no --prefix main/policies -- feature-console report": "echo '@everyone' > report.md",
  });
  const { comment } = await repository.happens(flagsWorkflow, pullRequest, program);
  expect([comment?.failed, repository.gh.take()]).toEqual(["Comment", undefined]);
});

test("a scheduled check without a difference passes, and one that finds a change in the console fails", async () => {
  const checked = async () => (await repository.happens(flagsWorkflow, schedule, program)).drift;
  const ran = ["Select the stack", "Changed in the console", "Merged and not applied"];
  expect(await checked()).toMatchObject({ code: 0, ran });
  commands.answer({ "npx --no -- feature-console drift": "exit 7" });
  expect(await checked()).toMatchObject({ code: 7, failed: "Changed in the console" });
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

test("what writes the state waits for its like, and neither a preview nor a check pushes any of it out of the queue", () => {
  const group = (github: object) => fill(flagsWorkflow.concurrency?.group ?? "", { github });
  expect(flagsWorkflow.concurrency?.["cancel-in-progress"]).toBe(false);
  expect(group(push)).toBe(group(dispatch("digest")));
  for (const reading of [pullRequest, schedule]) expect(group(reading)).not.toBe(group(push));
});

/** Names of the jobs whose text has this. */
const jobsWith = ({ jobs }: Workflow, text: string) =>
  Object.entries(jobs).flatMap(([name, job]) => (JSON.stringify(job).includes(text) ? [name] : []));

test("only a merge gets the key that may write, from an environment of its own, and makes the stack: all else works with what it can only read", () => {
  for (const text of ["secrets.FEATURE_CONSOLE_API_KEY", "--create", '"environment":"production"'])
    expect(jobsWith(flagsWorkflow, text)).toEqual(["apply"]);
  expect(fileOf(".github/workflows/console.yml")).not.toContain("secrets.FEATURE_CONSOLE_API_KEY");
});

test("keys stand only in steps that use them, none of which installs anything; credentials do not stay", () => {
  for (const { env, jobs } of [flagsWorkflow, consoleWorkflow]) {
    expect(JSON.stringify([env, Object.values(jobs).map((job) => job.env)])).not.toContain("secrets.");
    for (const step of Object.values(jobs).flatMap((job) => job.steps)) {
      if (JSON.stringify(step.env ?? {}).includes("secrets."))
        expect(step.run).toMatch(/pulumi|feature-console/);
      if (/^ *(pulumi (preview|up|stack select --create)|npx )/m.test(step.run ?? ""))
        expect(step.env).toHaveProperty("PULUMI_CONFIG_PASSPHRASE");
      if (step.run?.includes("npm ")) expect(step.env).toBeUndefined();
      for (const [line] of step.run?.matchAll(/npm (ci|install).*/g) ?? [])
        expect(line).toContain("--ignore-scripts");
      // An address may hold a password.
      if (step.env?.PULUMI_BACKEND_URL !== undefined) expect(step.run).toMatch(/^pulumi login\n/);
      if (step.uses?.startsWith("actions/checkout@"))
        expect((step as { with?: object }).with).toMatchObject({ "persist-credentials": false });
    }
  }
});

test("rights are the least, scripts hold no expressions, and confirmations are not skipped", () => {
  const rights = Object.values(flagsWorkflow.jobs).map(({ permissions }) => permissions);
  const read = { contents: "read" };
  const pulls = (right: string) => ({ "pull-requests": right });
  expect(rights).toEqual([read, pulls("write"), { ...read, ...pulls("read") }, read]);
  // What may write runs no code of a branch.
  expect(JSON.stringify(flagsWorkflow.jobs.comment)).not.toMatch(/checkout|npm|npx|pulumi /);
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
