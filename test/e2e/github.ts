import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse } from "yaml";
import { removeTree } from "../../scripts/process/atomic-folder";
import { run } from "../../scripts/process/run";
import { createFakeGh, type FakeGh } from "../support/fake-gh";
import { gitopsExample as example } from "../support/gitops-example";
import { createPackedProject } from "../support/packed-project";
import { type JobResult, jobsFor, runJob, type Workflow } from "../support/workflow";
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
  /** Lets an event happen while `main` has this program: a fresh runner and checkout for each job that it starts. */
  happens(workflow: Workflow, event: object, program: string): Promise<Record<string, JobResult | undefined>>;
  /** The program on the branch of what was changed in the console. */
  branchProgram(): Promise<string>;
  git(...args: string[]): Promise<string>;
  close(): Promise<void>;
}

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
  const settings = {
    secrets: {
      FEATURE_CONSOLE_API_KEY: testKey,
      FEATURE_CONSOLE_READ_ONLY_KEY: readOnlyKey,
      PULUMI_CONFIG_PASSPHRASE: "correct horse",
    },
    vars: { PULUMI_BACKEND_URL: backend, FEATURE_CONSOLE_ALLOWED_HOSTS: host },
  };
  const PATH = [...first, gh.folder, env.PATH].join(path.delimiter);
  const printed: string[] = [];
  return {
    ...{ gh, printed },
    async happens(workflow, event, program) {
      const github = { ...event, repository, token: ["github", "token"].join("-") };
      const contexts = { github, ...settings };
      const results: Record<string, JobResult> = {};
      for (const job of jobsFor(workflow, contexts)) {
        const files = { ...example.files, "index.ts": program };
        const project = await createPackedProject({ ...example, program, files });
        await checkOut(project.folder, origin);
        const home = await mkdtemp(path.join(folder, "home-"));
        // A checkout of the test has the packed package in it, as `npm ci` would have put it there.
        const runner = { folder: project.folder, done: ["npm ci"] };
        const ownEnv = { ...env, CI: "true", PULUMI_HOME: home, PATH };
        const result = await runJob(workflow, job, contexts, { ...runner, env: ownEnv });
        printed.push(result.output);
        results[job] = result;
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

async function checkOut(checkout: string, origin: string): Promise<void> {
  await git(checkout, "init", "--quiet", "--initial-branch", "main");
  await git(checkout, "add", "index.ts", "package.json", "Pulumi.yaml", "Pulumi.prod.yaml");
  await git(checkout, ...person, "commit", "--quiet", "--message", "Flags");
  await git(checkout, "remote", "add", "origin", origin);
  await git(checkout, "push", "--quiet", "--force", "origin", "main");
}

export const person: readonly string[] = ["-c", "user.name=Ana", "-c", "user.email=ana@example.com"];

async function git(cwd: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run("git", args, { cwd });
  if (code !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`);
  return stdout;
}
