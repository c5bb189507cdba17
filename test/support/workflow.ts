import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeTree } from "../../scripts/process/atomic-folder";
import { run } from "../../scripts/process/run";

/** One step of a job, as a workflow file of GitHub Actions has it. */
export interface WorkflowStep {
  id?: string;
  name?: string;
  if?: string;
  uses?: string;
  run?: string;
  env?: Record<string, string>;
  with?: Record<string, string>;
}

/** One job of a workflow. */
export interface WorkflowJob {
  if?: string;
  environment?: string;
  /** The one job before it. */
  needs?: string;
  outputs?: Record<string, string>;
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
  /** Steps with this in their text are skipped: what they do was done when the checkout was made. */
  done: readonly string[];
  /** Where artifacts of a run are. */
  artifacts: string;
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
  /** What they wrote into the summary of the run. */
  summary: string;
  /** What the job hands to later ones. */
  outputs: Readonly<Record<string, string>>;
}

const STEP_LIMIT_MS = 240_000;
/** How GitHub calls Bash: by default, and when a workflow asks for it by name. */
const bashDefault = ["-e"];
const bashByName = ["--noprofile", "--norc", "-eo", "pipefail"];

/** Names of the jobs that an event starts, as far as that hangs on no other job. */
export function jobsFor(workflow: Workflow, contexts: Contexts): string[] {
  const name = String(lookUp("github.event_name", contexts));
  if (!(name in workflow.on)) return [];
  const branches = workflow.on[name]?.branches;
  if (branches !== undefined && !branches.includes(String(lookUp("github.ref_name", contexts)))) return [];
  const started: string[] = [];
  for (const [job, { if: condition, needs }] of Object.entries(workflow.jobs))
    if (needs === undefined ? holds(condition, contexts) : started.includes(needs)) started.push(job);
  return started;
}

/** Runs the shell steps of a job in order, exactly as they are written, until one fails; undefined where its condition does not hold. */
export async function runJob(
  workflow: Workflow,
  name: string,
  contexts: Contexts,
  runner: Runner,
): Promise<JobResult | undefined> {
  const job = workflow.jobs[name];
  if (job === undefined) throw new Error(`The workflow has no job "${name}".`);
  if (!holds(job.if, contexts)) return undefined;
  const flags = workflow.defaults?.run?.shell === "bash" ? bashByName : bashDefault;
  const summaryFile = path.join(runner.artifacts, `${name}-summary.md`);
  const result: JobResult = { code: 0, ran: [], output: "", summary: "", outputs: {} };
  const steps: Record<string, { outcome: string }> = {};
  for (const step of job.steps) {
    await passArtifact(step, runner);
    const script = step.run;
    if (script === undefined || runner.done.some((text) => script.includes(text))) continue;
    const given = [workflow.env, job.env, step.env].map((env) => filledIn(env, contexts));
    const own = { GITHUB_STEP_SUMMARY: summaryFile };
    const env = Object.assign({}, runner.env, own, ...given) as NodeJS.ProcessEnv;
    const { code, output } = await runScript(fill(script, contexts), flags, { ...runner, env });
    result.ran.push(step.name ?? script);
    result.output += output;
    if (step.id !== undefined) steps[step.id] = { outcome: code === 0 ? "success" : "failure" };
    if (code === 0) continue;
    Object.assign(result, { code, failed: step.name ?? script });
    break;
  }
  if (existsSync(summaryFile)) result.summary = await readFile(summaryFile, "utf8");
  return { ...result, outputs: filledIn(job.outputs, { ...contexts, steps }) };
}

/** What the actions for artifacts do with a file. */
async function passArtifact({ uses = "", with: given }: WorkflowStep, runner: Runner): Promise<void> {
  const { name = "", path: file = "" } = given ?? {};
  const kept = path.join(runner.artifacts, name);
  if (uses.startsWith("actions/upload-artifact@"))
    await cp(path.join(runner.folder, file), path.join(kept, path.basename(file)));
  if (uses.startsWith("actions/download-artifact@")) await cp(kept, runner.folder, { recursive: true });
}

/** Puts values in the place of the expressions in a text. */
export function fill(text: string, contexts: Contexts): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) =>
    String(evaluate(expression, contexts)),
  );
}

async function runScript(
  script: string,
  flags: readonly string[],
  { folder, env }: Pick<Runner, "folder" | "env">,
) {
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
  // No run of the tests is cancelled.
  const text = condition?.replace(/^\$\{\{ *(.*) *\}\}$/, "$1").replace("!cancelled() && ", "");
  return text === undefined || Boolean(evaluate(text, contexts));
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
