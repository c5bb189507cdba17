import { countOf } from "../../provider/texts/count-text";
import { visible } from "../../provider/texts/issue-text";
import type { Outcome } from "../drift";
import { objectOf, refusedText } from "../drift/report";
import { versionText } from "./moment";
import type { Obstacle } from "./obstacles";
import type { Rollback } from "./rollback";
import type { PlannedRollback } from "./rollback-in-stack";

/** What would come back and what not, for people. */
export function rollbackText({ stack, rollbacks, left, acceptance: { outcomes } }: PlannedRollback): string {
  const parts = [
    ...rollbacks.map(partText),
    ...(left.length === 0
      ? []
      : [["Without a way back:", ...left.map((one) => `  ${one}`)].map(visible).join("\n")]),
    ...refusedText(outcomes, stack),
    summaryOf(rollbacks, left, outcomes),
  ];
  return `${parts.join("\n\n")}\n`;
}

function partText({ resource, to, back, stays }: Rollback): string {
  const lines = [
    `${objectOf(resource)} · back to ${versionText(to.version, to.change)}`,
    ...(back.length === 0 ? ["  the console has these values already"] : back.map((one) => `  ${one}`)),
    ...stays.map(stayText),
  ];
  return lines.map(visible).join("\n");
}

function stayText({ name, why, refusesUpdates }: Obstacle): string {
  const advice = refusesUpdates === true ? ". Updates fail until you correct it in the program" : "";
  return `  does not come back: ${name}: ${why}${advice}`;
}

function summaryOf(
  rollbacks: readonly Rollback[],
  left: readonly string[],
  outcomes: readonly Outcome[],
): string {
  const unwritten = new Set(outcomes.filter(({ how }) => how !== "accepted").map(({ urn }) => urn));
  const isWhole = ({ stays, resource }: Rollback) => stays.length === 0 && !unwritten.has(resource.urn);
  const whole = rollbacks.filter(isWhole).length;
  if (rollbacks.length === 0 && left.length > 0) return "Nothing to bring back beside these.";
  if (rollbacks.length === 0) return "Nothing to bring back: program and console are as they were.";
  return `${countOf(rollbacks.length, "object")}, ${whole} of them wholly.`;
}
