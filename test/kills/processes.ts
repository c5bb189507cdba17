import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { descendants, isAlive, signal } from "../../scripts/process/tree";

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
  const below = descendants(pid);
  const providers = below.filter(({ text }) => text.includes("dynamic-provider")).map((one) => one.pid);
  const chosen = {
    everything: [pid, ...below.map((one) => one.pid)],
    cli: [pid],
    // Before there is one, the CLI goes in its place.
    provider: providers.length > 0 ? providers : [pid, ...below.map((one) => one.pid)],
  }[victim];
  for (const one of chosen) signal(one, "SIGKILL");
  const started = Date.now();
  if (victim === "provider") await Promise.race([ended, sleep(60_000, undefined, { ref: false })]);
  const others = [pid, ...below.map((one) => one.pid)];
  const nameOf = (one: number) =>
    below.find((process) => process.pid === one)?.text.replaceAll(/\S*\//g, "") ?? "";
  while (others.some(isAlive) && Date.now() - started < survivalMs) await sleep(20);
  const survivedMs = Date.now() - started;
  const stuck = others.filter(isAlive);
  for (const one of stuck) signal(one, "SIGKILL");
  await ended;
  return { processes: chosen.length, survivedMs, stuck: stuck.map((one) => nameOf(one).slice(0, 60)) };
}
