import { countOf } from "../../provider/texts/count-text";
import type { Report } from "../render/report";
import type { Outcome } from "../rewrite/wish";
import { refusedPart, urnsOf } from "../rewrite/wish";
import { objectOf } from "../stack/resources";
import { versionText } from "./forms";
import type { Obstacle } from "./obstacles";
import type { Rollback } from "./rollback";
import type { PlannedRollback } from "./rollback-in-stack";

/** Report of the values that would come back, and of those that would not. */
export function rollbackReport({
  stack,
  rollbacks,
  left,
  acceptance: { outcomes },
}: PlannedRollback): Report {
  return {
    parts: [
      ...rollbacks.map(({ resource, to, back, stays }) => ({
        title: `${objectOf(resource)} · back to ${versionText(to.version, to.change)}`,
        parts: [
          ...(back.length + stays.length === 0 ? ["the console has these values already"] : back),
          ...stays.map(stayText),
        ],
      })),
      ...(left.length === 0 ? [] : [{ title: "Without a way back:", parts: left }]),
      ...refusedPart(outcomes, stack),
      summaryOf(rollbacks, left, outcomes),
    ],
  };
}

/** True where the next update after a refresh brings back a value: one that is written now, or was before an interruption. */
export function hasWayBack({ rollbacks, acceptance: { changes, outcomes } }: PlannedRollback): boolean {
  const refused = urnsOf(outcomes, "refused");
  return rollbacks.some(
    ({ resource, back }) => (back.length > 0 || changes.size > 0) && !refused.has(resource.urn),
  );
}

function stayText({ name, why, refusesUpdates }: Obstacle): string {
  const advice = refusesUpdates === true ? ". Updates fail until you correct it in the program" : "";
  return `does not come back: ${name}: ${why}${advice}`;
}

function summaryOf(rollbacks: readonly Rollback[], left: readonly string[], outcomes: readonly Outcome[]) {
  const unwritten = urnsOf(outcomes, "refused");
  const isWhole = ({ stays, resource }: Rollback) => stays.length === 0 && !unwritten.has(resource.urn);
  const whole = rollbacks.filter(isWhole).length;
  if (rollbacks.length === 0 && left.length > 0) return "Nothing to bring back beside these.";
  if (rollbacks.length === 0) return "Nothing to bring back: program and console are as they were.";
  return `${countOf(rollbacks.length, "object")}, ${whole} of them wholly.`;
}
