import { type ChildProcess, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive, signal, treeOf } from "../../scripts/process/stop";

/** Whose end a kill is: everything that a command started, the CLI alone, or the provider's process alone. */
export type Victim = "everything" | "cli" | "provider";

/** What a kill did. */
export interface Killed {
  /** How many processes were killed; 0 where the command had come to its end before. */
  readonly processes: number;
  /** How long others of the command lived on, in milliseconds. */
  readonly survivedMs: number;
  /** Those of them that had to be ended by their id. */
  readonly stuck: readonly string[];
}

/** How long processes may outlive the one that was killed before they are ended too. */
const survivalMs = 10_000;

/** Kills, as `kill -9` does, and waits until nothing of the command is left. */
export async function killNow(child: ChildProcess, victim: Victim): Promise<Killed> {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null)
    return { processes: 0, survivedMs: 0, stuck: [] };
  const ended = new Promise((resolve) => child.once("exit", resolve));
  // Stopped first, so that nothing new is started between the look and the kill.
  if (victim !== "provider") signal(pid, "SIGSTOP");
  const all = (await treeOf(pid)).map((one) => ({ pid: one, text: commandLine(one) }));
  const providers = all.filter(({ text }) => /dynamic-provider|pulumi-resource-feature-console/.test(text));
  // Before there is a provider, the CLI goes in its place.
  const whole = victim === "everything" || (victim === "provider" && providers.length === 0);
  const chosen = whole ? all : victim === "provider" ? providers : all.filter((one) => one.pid === pid);
  for (const one of chosen) signal(one.pid, "SIGKILL");
  const started = Date.now();
  if (victim === "provider") await Promise.race([ended, sleep(60_000, undefined, { ref: false })]);
  while (all.some(isThere) && Date.now() - started < survivalMs) await sleep(20);
  const survivedMs = Date.now() - started;
  const stuck = all.filter(isThere);
  for (const one of stuck) signal(one.pid, "SIGKILL");
  await ended;
  const nameOf = ({ text }: { text: string }) => text.replaceAll(/\S*\//g, "").slice(0, 60);
  return { processes: chosen.length, survivedMs, stuck: stuck.map(nameOf) };
}

const isThere = ({ pid }: { pid: number }): boolean => isAlive(pid);

function commandLine(pid: number): string {
  // On Linux without the program `ps`, which small systems lack.
  if (existsSync("/proc/self/cmdline")) {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    } catch {
      return "";
    }
  }
  return spawnSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();
}
