import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach } from "@jest/globals";
import { type EmulatorOptions, type RunningEmulator, startEmulator } from "../../src/emulator";
import type { Transport } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import { freshFolder } from "../support/folders";
import { configFor, hurriedClock, testKey } from "../support/in-process";
import { type RawClient, rawClient } from "../support/raw-client";
import { type RunOptions, startRun } from "../support/run";

/** The console of the running test, and what a person does there. */
export let emulator: RunningEmulator;
export let raw: RawClient;

/** The clock of consoles, and of machines that tell the right time. Its sleeps are over at once. */
export const clock = hurriedClock();
/** What was created a moment ago could come from the run that asks. */
export const waitAnHour = () => clock.sleep(3_600_000);

const consoles: RunningEmulator[] = [];
afterEach(async () => {
  await Promise.all(consoles.splice(0).map((one) => one.close()));
});

/** A console, which ends with the test. */
export async function newConsole(options: EmulatorOptions = {}): Promise<RunningEmulator> {
  const one = await startEmulator({ profile: "custom", clock: clock.now, ...options });
  consoles.push(one);
  return one;
}

export function personAt(console: RunningEmulator, apiKey = testKey): RawClient {
  const settings = { profile: "custom", baseUrl: console.url, apiKey } as const;
  return rawClient({ ...settings, writesPer10s: 100_000, writesPer15min: 100_000 }, console);
}

/** The console of a test. */
export async function start(options?: EmulatorOptions): Promise<void> {
  emulator = await newConsole(options);
  raw = personAt(emulator);
}

const plain = (transport: Transport) => transport;
/** Answers show the time of the console, as over HTTP: to the second. */
export const dated = ({ send }: Transport): Transport => ({
  async send(request) {
    const answer = await send(request);
    return { ...answer, headers: { ...answer.headers, date: new Date(clock.now()).toUTCString() } };
  },
});

/** One run of Pulumi, as a job of a pipeline has it: in a process and a folder of its own. */
export interface Job extends Pick<RunOptions, "adapter" | "stack" | "exportStack"> {
  readonly folder?: string;
  /** Another console than that of the test. */
  readonly at?: RunningEmulator;
  readonly settings?: Readonly<Record<string, string>>;
  /** Variables of the environment. */
  readonly says?: Readonly<Record<string, string>>;
  /** What lies between the run and the console. */
  readonly through?: (transport: Transport) => Transport;
  /** How far the clock of the machine is ahead. */
  readonly aheadMs?: number;
}

/** Starts a job, which drives a gate as it is, and other kinds by `of`. */
export function startJob(job: Job = {}) {
  const { folder = freshFolder(), at = emulator, settings, says = {}, through = plain, aheadMs = 0 } = job;
  const { adapter = "dynamic", stack = "dev", exportStack } = job;
  const run = startRun({
    ...{ config: { ...configFor(at), ...settings }, adapter, stack, folder },
    ...{ environment: () => says, transport: through(at.transport) },
    ...{ now: () => clock.now() + aheadMs, sleep: clock.sleep },
    ...(exportStack === undefined ? {} : { exportStack }),
  });
  return { ...run.of(catalog.gate), ...run, folder };
}
export type StartedJob = ReturnType<typeof startJob>;

/** Sends by another transport; of a write no answer ever comes, as to a run that is killed then. `sent`: once there was one. */
function killedAfterSend(inner: Transport): {
  readonly transport: Transport;
  readonly sent: Promise<void>;
} {
  let tell = () => {};
  const sent = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return {
    sent,
    transport: {
      async send(request) {
        const answer = await inner.send(request);
        if (request.method === "GET") return answer;
        tell();
        return new Promise(() => {});
      },
    },
  };
}

/** A job that dies when the console has carried out its first write, before it hears of it. An hour passes. */
export async function killed(job: Job, work: (job: StartedJob) => Promise<unknown>): Promise<void> {
  let sent: Promise<void> | undefined;
  const through = (transport: Transport) => {
    const dying = killedAfterSend((job.through ?? plain)(transport));
    sent = dying.sent;
    return dying.transport;
  };
  void work(startJob({ ...job, through }));
  await sent;
  await waitAnHour();
}

/** An environment with a `pulumi` first on the PATH that notes how it was called and exports a state. */
export function pulumiThatExports(folder: string, resources: readonly object[]): Record<string, string> {
  const exported = JSON.stringify({ version: 3, deployment: { resources } });
  const noting = `echo "$@" >> "${path.join(folder, "calls")}"`;
  const lines = ["#!/bin/sh", noting, "cat <<'END'", exported, "END", ""];
  writeFileSync(path.join(folder, "pulumi"), lines.join("\n"), { mode: 0o755 });
  return { PATH: `${folder}${path.delimiter}${process.env.PATH}` };
}

/** Files of journals in the folder of a project. */
export function journals(folder: string): string[] {
  const place = path.join(folder, ".feature-console", "journal");
  return readdirSync(place).map((name) => path.join(place, name));
}

export const contentOf = (file: string) => readFileSync(file, "utf8");
