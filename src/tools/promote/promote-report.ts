import { countOf } from "../../provider/texts/count-text";
import type { Report } from "../render/report";
import { refusedPart } from "../rewrite/wish";
import { objectOf } from "../stack/resources";
import type { PlannedPromotion } from "./promote-in-stacks";

/** Report of what a promotion would change and what not. */
export function promotionReport(planned: PlannedPromotion): Report {
  const { from, to, promotions, left, acceptance } = planned;
  return {
    title: `${from} → ${to}`,
    parts: [
      ...promotions.map(({ resource, changes, stays, kept }) => ({
        title: objectOf(resource),
        parts: [
          ...changes,
          ...stays.map(({ name, why }) => `stays: ${name}: ${why}`),
          ...(kept.length === 0 ? [] : [`kept: ${kept.join(", ")}`]),
        ],
      })),
      ...(left.length === 0 ? [] : [{ title: "Stays as it is:", parts: left }]),
      ...refusedPart(acceptance.outcomes, to),
      summaryOf(planned),
    ],
  };
}

function summaryOf({ from, to, promotions, left, isDue }: PlannedPromotion): string {
  const changing = promotions.filter(({ values }) => values.length > 0).length;
  if (changing > 0) return `${countOf(changing, "object")} ${changing === 1 ? "differs" : "differ"}.`;
  const found =
    promotions.length + left.length > 0
      ? "Nothing to promote but what stays as it is."
      : `Nothing to promote: the programs of ${from} and ${to} set the same.`;
  const next = isDue
    ? `${to} has not applied its own program yet: "pulumi up --stack ${to}" does.`
    : `"npx feature-console compare ${from} ${to}" shows how their consoles differ.`;
  return `${found} ${next}`;
}

/** True where the second stack's program would set all that the first one's does. */
export function isWhole({ promotions, left, acceptance }: PlannedPromotion): boolean {
  return (
    left.length === 0 &&
    promotions.every(({ stays, kept }) => stays.length + kept.length === 0) &&
    acceptance.outcomes.every(({ how }) => how === "accepted")
  );
}
