import { shrink } from "../world/shrink";
import type { History, Step } from "./history";
import type { Outcome } from "./play";

/** A shorter history that breaks the same rule: steps and disturbances go as long as it does. */
export async function shrunk(
  outcome: Outcome,
  player: (history: History) => Promise<Outcome>,
): Promise<Outcome> {
  const rule = outcome.violations[0]?.rule;
  if (rule === undefined) return outcome;
  let last = outcome;
  await shrink(outcome.history, shorter, async (history) => {
    const next = await player(history);
    const breaks = next.violations.some((one) => one.rule === rule);
    if (breaks) last = next;
    return breaks;
  });
  return last;
}

/** The history without one of its steps, the last ones first, or with a plainer one in its place. */
function* shorter(history: History): Generator<History> {
  const { steps } = history;
  for (const [at, step] of [...steps.entries()].reverse()) {
    yield { ...history, steps: steps.toSpliced(at, 1) };
    for (const plain of plainer(step)) yield { ...history, steps: steps.with(at, plain) };
  }
}

function plainer(step: Step): Step[] {
  if (step.do !== "up" && step.do !== "destroy") return [];
  const plain = { parallel: false, disturbance: undefined };
  const parts =
    step.do === "up" ? { ...plain, between: undefined, replace: undefined, refresh: false } : plain;
  return Object.entries(parts).flatMap(([name, value]) =>
    step[name as keyof Step] ? [{ ...step, [name]: value } as Step] : [],
  );
}
