import { countOf } from "../../provider/texts/count-text";
import { visible } from "../../provider/texts/issue-text";
import { objectOf, refusedText } from "../drift";
import type { PlannedPromotion } from "./promote-in-stacks";
import type { Promotion } from "./promotion";

/** What a promotion would change and what not, for people. */
export function promotionText(planned: PlannedPromotion): string {
  const { from, to, promotions, left, acceptance } = planned;
  const parts = [
    `${from} → ${to}`,
    ...promotions.map(partText),
    ...(left.length === 0 ? [] : [["Stays as it is:", ...left.map((one) => `  ${visible(one)}`)].join("\n")]),
    ...refusedText(acceptance.outcomes, to),
    summaryOf(planned),
  ];
  return `${parts.join("\n\n")}\n`;
}

function partText({ resource, changes, stays, kept }: Promotion): string {
  const lines = [
    objectOf(resource),
    ...changes.map((one) => `  ${one}`),
    ...stays.map(({ name, why }) => `  stays: ${name}: ${why}`),
    ...(kept.length === 0 ? [] : [`  kept: ${kept.join(", ")}`]),
  ];
  return lines.map(visible).join("\n");
}

function summaryOf({ from, to, promotions, left, isDue }: PlannedPromotion): string {
  const changing = promotions.filter(({ comparison }) => comparison.values.length > 0).length;
  if (changing > 0) return `${countOf(changing, "object")} ${changing === 1 ? "differs" : "differ"}.`;
  const found =
    promotions.length + left.length > 0
      ? "Nothing to promote but what stays as it is."
      : `Nothing to promote: the programs of ${from} and ${to} set the same.`;
  const next = isDue
    ? `${to} has not applied its own program yet: "pulumi up --stack ${to}" does.`
    : `"feature-console compare ${from} ${to}" shows how their consoles differ.`;
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
