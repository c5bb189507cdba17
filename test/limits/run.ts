import { startBeside } from "../../scripts/process/beside";
import { run } from "../../scripts/process/run";
import { createClient } from "../../src/provider/client";
import { timeLeft } from "../../src/provider/client/limits/windows";
import { type ClientSettings, resolveSettings } from "../../src/provider/client/settings";
import { publishedLimits, scaled, type WriteWindow } from "../../src/provider/schema/write-limits";
import { createPackedProject } from "../support/packed-project";
import { createStack } from "../support/pulumi-cli";
import { allOf, rawClient } from "../support/raw-client";
import { startRedis } from "../support/redis-server";
import { type Announced, announcedIn } from "./announced";
import type { Seen } from "./console";

/** What is run: so many new gates in each of so many stacks at once. */
export interface Trial {
  readonly gates: number;
  readonly stacks: number;
  /** The provider's client alone sends, once for each stack, without Pulumi: for more stacks than a machine can run at once. */
  readonly clients?: boolean;
  /** How many times shorter the windows are, on both sides. */
  readonly factor: number;
  /** More settings of the provider, by environment variable. */
  readonly env?: Readonly<Record<string, string>>;
  /** The CLI is stopped after this many milliseconds. */
  readonly timeoutMs: number;
  /** Told every few seconds what the console has seen so far. */
  readonly progress?: (seen: Seen) => void;
}

const progressEveryMs = 5000;

const program = `import * as pulumi from "@pulumi/pulumi";
import * as fc from "pulumi-feature-console";
for (let index = 0; index < Number(process.env.TRIAL_GATES); index += 1)
  new fc.Gate(\`\${pulumi.getProject()}_\${index}\`, { description: "One of many", isEnabled: true });
`;

/**
 * Runs a trial with the real CLI; several stacks share a Redis. `live`: what the console has in the end; `dictated`: the time that the
 * provider's own windows ask for all writes, and that those of the console do.
 */
export async function tryLimits(trial: Trial) {
  const scale = 1 / trial.factor;
  const console = await startBeside<"seen", Seen>("test/limits/console.ts", String(scale));
  const redis = trial.stacks > 1 ? await startRedis() : undefined;
  const apiKey = ["console", "limits", String(process.pid)].join("-");
  const env = {
    PULUMI_SKIP_CHECKPOINTS: "true",
    TRIAL_GATES: String(trial.gates),
    FEATURE_CONSOLE_PROFILE: "custom",
    FEATURE_CONSOLE_BASE_URL: console.url,
    FEATURE_CONSOLE_API_KEY: apiKey,
    FEATURE_CONSOLE_WRITE_WINDOW_SCALE: String(scale),
    ...(redis === undefined ? {} : { FEATURE_CONSOLE_REDIS_URL: redis.url }),
    ...trial.env,
  };
  // A question that is open when the console is stopped has no answer.
  const look = () => void console.ask("seen").then(trial.progress, () => {});
  const watch = setInterval(look, progressEveryMs);
  try {
    const names = Array.from({ length: trial.stacks }, (_, index) => `many${index + 1}`);
    const given: ClientSettings = {
      ...{ profile: "custom", baseUrl: console.url, apiKey, ...windowsOf(trial, scale) },
      ...(redis === undefined ? {} : { redisUrl: redis.url }),
    };
    const ups = await (trial.clients === true
      ? Promise.all(names.map((name) => createGates(given, name, trial.gates)))
      : together(names, env, trial.timeoutMs));
    const settings = resolveSettings(given);
    const all = trial.gates * trial.stacks;
    const dictated = {
      ownMs: dictatedMs(settings.writeWindows.project, all),
      publishedMs: dictatedMs(scaled(publishedLimits.project, scale), all),
    };
    return { ups, seen: await console.ask("seen"), live: await liveOf(console.url, apiKey), dictated };
  } finally {
    clearInterval(watch);
    await redis?.stop();
    console.stop();
  }
}

/** Gates that the stacks made, and those, of the stacks or not, that anything was done to after they were made. */
async function liveOf(baseUrl: string, apiKey: string) {
  const gates = await allOf(rawClient({ profile: "custom", baseUrl, apiKey }).gate.list());
  const touched = gates.filter(({ version }) => version !== 1).map(({ id = "" }) => id);
  return { made: gates.filter(({ id = "" }) => /^many\d+_/.test(id)).length, touched };
}

function windowsOf({ env = {} }: Trial, writeWindowScale: number) {
  const most = env.FEATURE_CONSOLE_WRITES_PER_15MIN;
  return { writeWindowScale, ...(most === undefined ? {} : { writesPer15min: Number(most) }) };
}

function dictatedMs(windows: readonly WriteWindow[], left: number): number {
  return timeLeft(windows, { now: 0, from: 0, left, paceMs: 0, answered: [], underWay: 0 });
}

/** As an `up` of a stack of new gates sends them. */
async function createGates(settings: ClientSettings, stack: string, gates: number) {
  const started = Date.now();
  const { gate } = createClient(settings);
  const create = (_: unknown, index: number) =>
    gate.create({ body: { name: `${stack}_${index}`, description: "One of many", isEnabled: true } });
  await Promise.all(Array.from({ length: gates }, create));
  return { code: 0, output: "", tookMs: Date.now() - started, announced: [] as Announced[] };
}

/** Everything is made ready before the first of them starts, so that they do run at once. */
async function together(names: readonly string[], env: Record<string, string>, timeoutMs: number) {
  const ready = [];
  for (const name of names) {
    const project = await createPackedProject({ program, name });
    ready.push({ project, stack: await createStack(project, { env }) });
  }
  try {
    return await Promise.all(ready.map(({ project, stack }) => up(project.folder, stack.env, timeoutMs)));
  } finally {
    for (const { project, stack } of ready) {
      await stack.remove();
      await project.remove();
    }
  }
}

async function up(cwd: string, env: NodeJS.ProcessEnv, timeoutMs: number) {
  const started = Date.now();
  const announced: Announced[] = [];
  const args = ["up", "--yes", "--skip-preview", "--non-interactive", "--color", "never"];
  const finished = await run("pulumi", args, {
    cwd,
    env,
    timeoutMs,
    onOutput: (text) => announced.push(...announcedIn(text, Date.now())),
  });
  const output = `${finished.stdout}${finished.stderr}${finished.problem ?? ""}`;
  return { code: finished.code, output, tookMs: Date.now() - started, announced };
}
