import { countOf, countText, timeText } from "../../../provider/words";
import { providerKind, settingsKind } from "../provider-changes";
import { type Act, actTexts, type Change, type Exposures, type Level, levels, type Review } from "../review";
import { checksText, dependentsText } from "./end-reasons";

/** Title above the changes of a level. */
export const riskTitles: Readonly<Record<Level, string>> = {
  high: "High risk",
  medium: "Medium risk",
  low: "Low risk",
  info: "For information",
};

/** Of a preview that failed. */
export const failedText = "The preview failed: this is not all that would change.";

/** Title of a review: `3 flag changes in shop/prod`. */
export function titleOf({ changes, project, stack, failed }: Review): string {
  const others = changes.filter(({ kind }) => kind === providerKind || kind === settingsKind).length;
  const flags = changes.length - others;
  const none = failed ? "The preview failed" : "No flag changes";
  const known = flags === 0 ? none : countOf(flags, "flag change");
  const what = others === 0 ? known : `${known} and ${countOf(others, "change")} of settings`;
  return stack === undefined ? what : `${what} in ${project}/${stack}`;
}

/** Counts of acts, and of changes that a review does not describe. */
export function countsText({ counts }: Review): string {
  const acts = Object.entries(counts.acts).map(
    ([act, count]) => `${countText(count)} ${actTexts[act as Act][1]}`,
  );
  const { fails = 0, left = 0, "not known": open = 0 } = counts.outcomes;
  const others: [count: number, text: string][] = [
    [fails, fails === 1 ? "fails" : "fail"],
    [open, "not known"],
    [left, "already so"],
    [counts.unchanged, "unchanged"],
  ];
  const rest = [
    ...others.flatMap(([count, text]) => (count > 0 ? [`${countText(count)} ${text}`] : [])),
    ...(counts.others > 0
      ? [`${countOf(counts.others, "change")} of other packages, not described here`]
      : []),
  ];
  return [...acts, ...rest].join(" · ");
}

/** Why the update will fail: each reason with the name of its object. */
export function failureTexts({ willFail }: Review): string[] {
  return willFail.map(({ object, why }) =>
    object === undefined || why.startsWith(object) ? why : `${object}: ${why}`,
  );
}

/** Number of changes of each risk, worst first: `3 high risk`. */
export function riskCounts({ counts: { risks } }: Review) {
  return levels
    .filter((level) => risks[level] > 0)
    .map((level) => ({ level, text: `${countText(risks[level])} ${riskTitles[level].toLowerCase()}` }));
}

/** Texts beside a change: its traffic, its dependents and its owner. */
export function contextTexts({
  checksPerHour = 0,
  exposures,
  dependents,
  owner,
}: Pick<Change, "checksPerHour" | "exposures" | "dependents" | "owner">): string[] {
  return [
    ...(checksPerHour > 0 ? [checksText(checksPerHour)] : []),
    ...(exposures === undefined ? [] : [exposuresText(exposures)]),
    ...(dependents.length > 0 ? [`${dependentsText(dependents)} on it`] : []),
    ...(owner === undefined ? [] : [`owner ${owner}`]),
  ];
}

/** `1,200,000 exposures in the past 7 days, 180,000 in the past day`. */
export function exposuresText({ pastDay, past7Days }: Exposures): string {
  if (past7Days === 0) return "no exposures in the past 7 days";
  return `${countOf(past7Days, "exposure")} in the past 7 days, ${countText(pastDay)} in the past day`;
}

/** The last change of an object, and the place that makes it in the program. */
export function originTexts({ lastChange, position }: Pick<Change, "lastChange" | "position">): string[] {
  const by = lastChange?.by === undefined ? "" : ` by ${lastChange.by}`;
  return [
    ...(lastChange?.at === undefined ? [] : [`last changed ${timeText(Date.parse(lastChange.at))}${by}`]),
    ...(position === undefined ? [] : [position]),
  ];
}

/** The address of an object's page in the console, where it is one of the web, whatever the console says. */
export function webAddress(page: string | undefined): string | undefined {
  const url = page === undefined ? null : URL.parse(page);
  return url !== null && ["https:", "http:"].includes(url.protocol) ? url.href : undefined;
}
