import { mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse } from "yaml";
import { removeTree } from "../../scripts/process/atomic-folder";
import { run } from "../../scripts/process/run";
import { createFakeGh, type FakeGh } from "../support/fake-gh";
import { gitopsExample as example } from "../support/gitops-example";
import { createPackedProject } from "../support/packed-project";
import { type JobResult, jobsFor, runJob, type Workflow, type WorkflowJob } from "../support/workflow";
import { readOnlyKey, testKey } from "./bench";

export const fileOf = (name: string): string => example.files?.[name] ?? "";
const workflowOf = (name: string) => parse(fileOf(`.github/workflows/${name}`)) as Workflow;
/** Previews pull requests, applies merges, and checks each morning. */
export const flagsWorkflow: Workflow = workflowOf("flags.yml");
/** Makes a pull request of what was changed in the console. */
export const consoleWorkflow: Workflow = workflowOf("console.yml");

export const repository = "shop/flags";
export const push = { event_name: "push", ref_name: "main", event: {} };
export const schedule = { event_name: "schedule", ref_name: "main", event: {} };
/** Somebody has read the report of that digest. */
export const dispatch = (reviewed: string) => ({
  ...{ event_name: "workflow_dispatch", ref_name: "main", event: {}, inputs: { reviewed } },
});
export const pullRequest = {
  event_name: "pull_request",
  ref_name: "7/merge",
  event: { pull_request: { number: 7, head: { repo: { full_name: repository } } } },
};
/** Of the pull requests that keep what was changed in the console. */
export const branch = "changed-in-the-console";

/** A repository on GitHub with the flags of the example, whose workflows run here, word by word. */
export interface Repository {
  readonly gh: FakeGh;
  /** All that the jobs have printed. */
  readonly printed: string[];
  /**
   * Lets an event happen while what is checked out has this program: a fresh runner and checkout for each job that it starts.
   * `more`: other files of the branch.
   */
  happens(
    workflow: Workflow,
    event: object,
    program: string,
    more?: Files,
  ): Promise<Record<string, JobResult | undefined>>;
  /** Files that each checkout has otherwise from now on. */
  readonly files: Record<string, string>;
  /** The program on the branch of what was changed in the console. */
  branchProgram(): Promise<string>;
  git(...args: string[]): Promise<string>;
  close(): Promise<void>;
}

/** Texts by their path in the repository. */
type Files = Readonly<Record<string, string>>;

/** What its settings and its runners are. `first`: folders for the front of PATH. */
interface Setting {
  readonly env: NodeJS.ProcessEnv;
  readonly backend: string;
  readonly host: string;
  readonly first: readonly string[];
}

export async function openRepository({ env, backend, host, first }: Setting): Promise<Repository> {
  const gh = createFakeGh();
  const folder = await mkdtemp(path.join(tmpdir(), "feature-console-gitops-"));
  const origin = path.join(folder, "origin.git");
  await git(folder, "init", "--quiet", "--bare", "--initial-branch", "main", origin);
  const secrets = {
    FEATURE_CONSOLE_READ_ONLY_KEY: readOnlyKey,
    PULUMI_CONFIG_PASSPHRASE: "correct horse",
    PULUMI_BACKEND_URL: backend,
  };
  /** A job of the environment alone has its secrets; one that names a secret which it does not have is an error. */
  const secretsOf = ({ environment }: WorkflowJob) =>
    environment === "production" ? { ...secrets, FEATURE_CONSOLE_API_KEY: testKey } : secrets;
  const PATH = [...first, gh.folder, env.PATH].join(path.delimiter);
  const printed: string[] = [];
  const files: Record<string, string> = {};
  return {
    ...{ gh, printed, files },
    async happens(workflow, event, program, more = {}) {
      const github = { sha: "c0ffee", ...event, repository, token: ["github", "token"].join("-") };
      const vars = { FEATURE_CONSOLE_ALLOWED_HOSTS: host };
      const results: Record<string, JobResult> = {};
      const artifacts = await mkdtemp(path.join(folder, "artifacts-"));
      for (const name of jobsFor(workflow, { github })) {
        const job = workflow.jobs[name] as WorkflowJob;
        const project = await (isCheckedOut(job)
          ? checkedOut(job, origin, program, { ...files, ...more })
          : emptyFolder());
        const home = await mkdtemp(path.join(folder, "home-"));
        // A checkout of the test has the packed package in it, as `npm ci` would have put it there.
        const runner = { folder: project.folder, artifacts, done: ["npm ci --ignore-scripts"] };
        const ownEnv = { ...env, CI: "true", PULUMI_HOME: home, PATH };
        const contexts = { github, vars, secrets: secretsOf(job), inputs: {}, needs: results, ...event };
        const result = await runJob(workflow, name, contexts, { ...runner, env: ownEnv });
        if (result !== undefined) results[name] = result;
        printed.push(result?.output ?? "", result?.summary ?? "");
        await project.remove();
      }
      return results;
    },
    branchProgram: () => git(origin, "show", `${branch}:index.ts`),
    git: (...args) => git(origin, ...args),
    async close() {
      await removeTree(folder);
      await gh.remove();
    },
  };
}

const isCheckedOut = ({ steps }: WorkflowJob) =>
  steps.some(({ uses }) => uses?.startsWith("actions/checkout@"));

/** A job that checks nothing out has nothing of the repository. */
async function emptyFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), "feature-console-job-"));
  return { folder, remove: () => removeTree(folder) };
}

/** The checkout of a job: the branch, and in folders of their own what the job takes from `main`. */
async function checkedOut(job: WorkflowJob, origin: string, program: string, more: Files) {
  const project = await createPackedProject({
    ...{ ...example, program, files: { ...example.files, "index.ts": program, ...more } },
  });
  const { folder } = project;
  const places = job.steps.flatMap(({ uses, with: given }) =>
    uses?.startsWith("actions/checkout@") && given?.path !== undefined ? [given.path] : [],
  );
  for (const place of places)
    for (const [file, text] of Object.entries(example.files ?? {}))
      await project.write(path.join(place, file), text);
  for (const place of [".", ...places])
    await symlink(path.join(folder, "node_modules"), path.join(folder, place, "policies/node_modules"));
  await git(folder, "init", "--quiet", "--initial-branch", "main");
  await git(folder, "add", "index.ts", "package.json", "Pulumi.yaml", "Pulumi.prod.yaml");
  await git(folder, ...person, "commit", "--quiet", "--message", "Flags");
  await git(folder, "remote", "add", "origin", origin);
  await git(folder, "push", "--quiet", "--force", "origin", "main");
  return project;
}

export const person: readonly string[] = ["-c", "user.name=Ana", "-c", "user.email=ana@example.com"];

async function git(cwd: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run("git", args, { cwd });
  if (code !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`);
  return stdout;
}
