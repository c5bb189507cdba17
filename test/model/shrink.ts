import type { Rule } from "./episode";
import type { History, Step } from "./history";
import type { Outcome } from "./play";

/** Plays a history. */
type Player = (history: History) => Promise<Outcome>;

/** A shorter history that breaks the same rule: steps and disturbances go as long as it does. */
export async function shrink(outcome: Outcome, player: Player): Promise<Outcome> {
  const rule = outcome.violations[0]?.rule;
  if (rule === undefined) return outcome;
  let best = outcome;
  for (let shrunk = true; shrunk; ) {
    shrunk = false;
    for (let index = best.history.steps.length - 1; index >= 0; index -= 1) {
      for (const steps of shorter(best.history.steps, index)) {
        const next = await player({ ...best.history, steps });
        if (!breaks(next, rule)) continue;
        best = next;
        shrunk = true;
        break;
      }
    }
  }
  return best;
}

function breaks({ violations }: Outcome, rule: Rule): boolean {
  return violations.some((one) => one.rule === rule);
}

/** The steps without one of them, or with a plainer one in its place. */
function shorter(steps: readonly Step[], index: number): Step[][] {
  const step = steps[index];
  if (step === undefined) return [];
  const others = [...steps.slice(0, index), ...steps.slice(index + 1)];
  return [others, ...plainer(step).map((one) => [...steps.slice(0, index), one, ...steps.slice(index + 1)])];
}

function plainer(step: Step): Step[] {
  if (step.do === "destroy")
    return [
      ...(step.disturbance === undefined ? [] : [{ ...step, disturbance: undefined }]),
      ...(step.parallel ? [{ ...step, parallel: false }] : []),
    ];
  if (step.do !== "up") return [];
  return [
    ...(step.parallel ? [{ ...step, parallel: false }] : []),
    ...(step.disturbance === undefined ? [] : [{ ...step, disturbance: undefined }]),
    ...(step.between === undefined ? [] : [{ ...step, between: undefined }]),
    ...(step.replace === undefined ? [] : [{ ...step, replace: undefined }]),
    ...(step.refresh ? [{ ...step, refresh: false }] : []),
  ];
}
