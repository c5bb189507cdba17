import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunningEmulator } from "../../src/emulator";
import { type Killed, killNow, type Victim } from "../kills/processes";
import { type MessyPlan, openMessyConsole } from "./console/messy-console";
import { readingKey, settingsFor, toldBy } from "./proof";
import { openWorkshop, type Workshop } from "./workshop";

/** What became of an import that was killed. */
export type Interruption = Awaited<ReturnType<typeof interrupt>>;

/** Kills imports of the same console at so many moments, evenly over the time that one takes, and runs each once more. */
export async function interruptImports(
  plan: MessyPlan,
  moments: number,
  onRound: (round: Interruption, number: number) => void,
): Promise<Interruption[]> {
  const emulator = await openMessyConsole(plan, { readOnlyKey: readingKey });
  const workshop = await openWorkshop(settingsFor(emulator.url, readingKey), "whole");
  try {
    const whole = await workshop.import(["--stack", "whole", "--json"]);
    if (whole.code !== 0) throw new Error(`The import fails without a kill: ${whole.stderr}`);
    const wanted = toldBy(whole).objects;
    const rounds: Interruption[] = [];
    for (let number = 0; number < moments; number += 1) {
      const atMs = (whole.ms * (number + 0.5)) / moments;
      const round = await interrupt(workshop, emulator, { number, atMs, wanted });
      rounds.push(round);
      onRound(round, number + 1);
    }
    return rounds;
  } finally {
    await workshop.remove();
    await emulator.close();
  }
}

async function interrupt(
  workshop: Workshop,
  emulator: RunningEmulator,
  { number, atMs, wanted }: Readonly<Record<"number" | "atMs" | "wanted", number>>,
) {
  const stack = `killed-${number}`;
  const cwd = await workshop.another(stack);
  const args = ["--stack", stack, "--json"];
  const victim: Victim = number % 3 === 2 ? "cli" : "everything";
  emulator.clearRequests();
  let kill: Promise<Killed> | undefined;
  const onStart = (child: ChildProcess) => {
    kill = sleep(atMs).then(() => killNow(child, victim));
  };
  await workshop.import(args, { cwd, onStart });
  // None: it had come to its end.
  const killed = (await kill)?.processes ?? 0;
  let second = await workshop.import(args, { cwd });
  // A Pulumi that is killed leaves its lock behind.
  const cancelled = second.code !== 0 && /pulumi cancel/.test(second.stderr);
  if (cancelled) {
    await workshop.pulumi(["cancel", "--yes", "--stack", stack], cwd);
    second = await workshop.import(args, { cwd });
  }
  const told = toldBy(second);
  const writes = emulator.requests.filter(({ method }) => method !== "GET").length;
  const faults = [
    ...(second.code === 0 ? [] : [`the next run ended with ${second.code}: ${second.stderr.slice(-800)}`]),
    ...(told.objects === wanted ? [] : [`${told.objects} objects, not ${wanted}`]),
    ...((told.changes ?? ["no preview"]).length === 0
      ? []
      : [`the preview shows ${JSON.stringify(told.changes)}`]),
    ...(writes === 0 ? [] : [`${writes} writes`]),
  ];
  return { atMs, victim, killed, cancelled, faults };
}

export function interruptionLine(
  { atMs, victim, killed, cancelled, faults }: Interruption,
  number: number,
): string {
  const what = killed === 0 ? "had ended" : `${victim} killed (${killed})`;
  const result = faults.length === 0 ? "the next run finished" : `FAULT: ${faults.join("; ")}`;
  return `${number}: after ${Math.round(atMs)} ms ${what}${cancelled ? ", lock taken away" : ""}: ${result}`;
}
