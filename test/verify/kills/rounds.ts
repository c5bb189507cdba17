import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { run as runCommand } from "../../../scripts/process/run";
import { startEmulator } from "../../../src/emulator";
import type { JsonObject } from "../../../src/provider/schema/json";
import { questions } from "../../../src/tools/verify/verify";
import { contentsOf } from "../../import/console/contents";
import { commandLine } from "../../support/command-line";
import { Dice } from "../../world/dice";
import { key } from "../run";

/** The longest wait after the progress line at which a kill is due, milliseconds: a question takes about as long. */
const longestWaitMs = 150;

/** A run of `verify --write` that was killed, and what the next run made of it. */
export type KilledRun = Awaited<ReturnType<typeof killedRun>>;

/** Kills one run at a moment that the seed draws, and runs the next one. */
export async function killedRun(console: OtherConsole, seed: number, round: number) {
  const dice = new Dice(seed * 1000 + round);
  // All: it is killed while it removes its objects.
  const answered = dice.below(questions.length + 1);
  const waitMs = dice.below(answered === questions.length ? 10 * longestWaitMs : longestWaitMs);
  const before = await console.digest();
  const started = Date.now();
  const child = spawn(process.execPath, [...commandLine, "verify", "--write", "--yes"], {
    ...{ env: environmentOf(console), stdio: ["ignore", "ignore", "pipe"] },
  });
  const ended = once(child, "close");
  await Promise.race([progressed(child, answered), ended]);
  await Promise.race([sleep(waitMs), ended]);
  const killedAfterMs = Date.now() - started;
  const isKilled = child.exitCode === null && child.kill("SIGKILL");
  await ended;
  const leftByKill = (await console.leavings()).length;
  const next = await runCommand(
    process.execPath,
    [...commandLine, "verify", "--write", "--yes", "--only", "templateTypes"],
    { cwd: process.cwd(), env: environmentOf(console) },
  );
  const reported = [...next.stdout.matchAll(/^Not deleted: /gm)].length;
  const leftAfter = (await console.leavings()).length;
  const removed = Number(/^Removing (\d+) objects? of an interrupted run\.$/m.exec(next.stderr)?.[1] ?? 0);
  const failures = [
    ...(next.code === 0 ? [] : [`the next run ended with ${next.code}: ${next.stderr.trim()}`]),
    ...(leftAfter === reported ? [] : [`${leftAfter} objects left, ${reported} of them reported`]),
    ...(removed === leftByKill ? [] : [`${leftByKill} objects left by the kill, ${removed} announced`]),
    ...((await console.digest()) === before ? [] : ["other objects changed"]),
  ];
  return { round, answered, killedAfterMs, isKilled, leftByKill, leftAfter, reported, failures };
}

/** Resolves when so many questions are answered. */
async function progressed(child: ChildProcess, answered: number): Promise<void> {
  if (child.stderr === null || answered === 0) return;
  for await (const line of createInterface({ input: child.stderr }))
    if (line.startsWith(`${answered} of `)) return;
}

function environmentOf({ url }: OtherConsole): NodeJS.ProcessEnv {
  return {
    ...process.env,
    FEATURE_CONSOLE_PROFILE: "custom",
    FEATURE_CONSOLE_BASE_URL: url,
    FEATURE_CONSOLE_API_KEY: key,
    // The console has no limits: most of a run would be waiting.
    FEATURE_CONSOLE_WRITES_PER_10S: "10000",
    FEATURE_CONSOLE_WRITES_PER_15MIN: "100000",
  };
}

export type OtherConsole = Awaited<ReturnType<typeof startOtherConsole>>;

/** Starts one: gates, configs, segments and layers, in equal numbers. */
export async function startOtherConsole(objects: number) {
  const quarter = Array.from({ length: Math.ceil(objects / 4) }, (_, index) => index);
  const rules = [{ name: "All", passPercentage: 10, conditions: [{ type: "public" }] }];
  const seed = {
    gates: quarter.map((index) => ({ name: `gate_${index}`, rules })),
    dynamic_configs: quarter.map((index) => ({ name: `config_${index}`, defaultValue: { index } })),
    segments: quarter.map((index) => ({ name: `segment_${index}`, type: "rule_based", rules })),
    layers: quarter.map((index) => ({ name: `layer_${index}`, idType: "userID" })),
  };
  const emulator = await startEmulator({ profile: "custom", key, seed });
  const shown = async () => Object.values(await contentsOf(emulator)).flatMap((kind) => [...kind.values()]);
  const nameOf = ({ name, id }: JsonObject) => String(name ?? id);
  const isMade = (item: JsonObject) => nameOf(item).startsWith("fcverify_");
  return {
    url: emulator.url,
    /** Names of the objects that runs of `verify` left, archived ones too. */
    leavings: async () => (await shown()).filter(isMade).map(nameOf),
    async digest() {
      const others = (await shown()).filter((one) => !isMade(one)).map((one) => JSON.stringify(one));
      return createHash("sha256").update(others.sort().join("\n")).digest("hex");
    },
    close: () => emulator.close(),
  };
}
