import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeTree } from "../../scripts/process/atomic-folder";
import { run } from "../../scripts/process/run";

/** One step of a job, as a workflow file of GitHub Actions has it. */
export interface WorkflowStep {
  name?: string;
  if?: string;
  uses?: string;
  run?: string;
  env?: Record<string, string>;
}

/** One job of a workflow. */
export interface WorkflowJob {
  if?: string;
  permissions?: Record<string, string>;
  env?: Record<string, string>;
  steps: WorkflowStep[];
}

/** A workflow file, as far as it is understood here. */
export interface Workflow {
  on: Record<string, { branches?: string[] } | null>;
  concurrency?: { group: string; "cancel-in-progress": boolean };
  permissions?: Record<string, string>;
  defaults?: { run?: { shell?: string } };
  env?: Record<string, string>;
  jobs: Record<string, WorkflowJob>;
}

/** What expressions can refer to, such as `github.event_name` and `secrets.A_KEY`. */
export type Contexts = Readonly<Record<string, unknown>>;

/** What stands in for a hosted runner. */
export interface Runner {
  /** The checkout. */
  folder: string;
  /** What every step's environment begins with. */
  env: NodeJS.ProcessEnv;
  /** Steps with this text are skipped: what they do was done when the checkout was made. */
  done: readonly string[];
}

/** What became of a job. */
export interface JobResult {
  code: number;
  /** Name of the step that failed. */
  failed?: string;
  /** Names of the steps that ran, in order. */
  ran: string[];
  /** All that they printed. */
  output: string;
}

const STEP_LIMIT_MS = 240_000;
/** How GitHub calls Bash: by default, and when a workflow asks for it by name. */
const bashDefault = ["-e"];
const bashByName = ["--noprofile", "--norc", "-eo", "pipefail"];

/** Names of the jobs that an event starts. */
export function jobsFor(workflow: Workflow, contexts: Contexts): string[] {
  const name = String(lookUp("github.event_name", contexts));
  if (!(name in workflow.on)) return [];
  const branches = workflow.on[name]?.branches;
  if (branches !== undefined && !branches.includes(String(lookUp("github.ref_name", contexts)))) return [];
  return Object.entries(workflow.jobs).flatMap(([job, { if: condition }]) =>
    holds(condition, contexts) ? [job] : [],
  );
}

/** Runs the shell steps of a job in order, exactly as they are written, until one fails. */
export async function runJob(
  workflow: Workflow,
  name: string,
  contexts: Contexts,
  runner: Runner,
): Promise<JobResult> {
  const job = workflow.jobs[name];
  if (job === undefined) throw new Error(`The workflow has no job "${name}".`);
  const flags = workflow.defaults?.run?.shell === "bash" ? bashByName : bashDefault;
  const result: JobResult = { code: 0, ran: [], output: "" };
  for (const step of job.steps) {
    if (step.run === undefined || runner.done.includes(step.run) || !holds(step.if, contexts)) continue;
    const given = [workflow.env, job.env, step.env].map((env) => filledIn(env, contexts));
    const env = Object.assign({}, runner.env, ...given) as NodeJS.ProcessEnv;
    const { code, output } = await runScript(fill(step.run, contexts), flags, { ...runner, env });
    result.ran.push(step.name ?? step.run);
    result.output += output;
    if (code !== 0) return { ...result, code, failed: step.name ?? step.run };
  }
  return result;
}

/** Puts values in the place of the expressions in a text. */
export function fill(text: string, contexts: Contexts): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) =>
    String(evaluate(expression, contexts)),
  );
}

async function runScript(script: string, flags: readonly string[], { folder, env }: Omit<Runner, "done">) {
  const own = await mkdtemp(path.join(tmpdir(), "feature-console-step-"));
  const file = path.join(own, "step.sh");
  await writeFile(file, script);
  const {
    code,
    stdout,
    stderr,
    problem = "",
  } = await run("bash", [...flags, file], { cwd: folder, env, timeoutMs: STEP_LIMIT_MS });
  await removeTree(own);
  return { code, output: stdout + stderr + problem };
}

function filledIn(env: Record<string, string> = {}, contexts: Contexts): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, text]) => [name, fill(text, contexts)]));
}

function holds(condition: string | undefined, contexts: Contexts): boolean {
  return condition === undefined || Boolean(evaluate(condition, contexts));
}

/** Understands names, texts, `==`, `&&` and `||`, and nothing else. */
function evaluate(expression: string, contexts: Contexts): unknown {
  const [either, ...others] = expression.split("||");
  if (others.length > 0) return evaluate(either ?? "", contexts) || evaluate(others.join("||"), contexts);
  const [both, ...rest] = expression.split("&&");
  if (rest.length > 0) return evaluate(both ?? "", contexts) && evaluate(rest.join("&&"), contexts);
  const [left = "", right] = expression.split("==");
  if (right !== undefined) return evaluate(left, contexts) === evaluate(right, contexts);
  return lookUp(expression.trim(), contexts);
}

function lookUp(name: string, contexts: Contexts): unknown {
  const quoted = /^'(.*)'$/.exec(name);
  if (quoted !== null) return quoted[1];
  if (!/^[a-z_]+(\.\w+)+$/i.test(name)) throw new Error(`The expression ${name} is not understood.`);
  let value: unknown = contexts;
  for (const part of name.split(".")) value = (value as Record<string, unknown> | undefined)?.[part];
  if (value === undefined && /^(secrets|vars)\./.test(name)) throw new Error(`Nothing is set up as ${name}.`);
  return value ?? "";
}
