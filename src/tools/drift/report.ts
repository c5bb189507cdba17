import { reviewsIn } from "../../provider/engine";
import { type Change, changeText } from "../../provider/schema/audit";
import { isObject, type JsonObject } from "../../provider/schema/json";
import { UNKNOWN, unknownText } from "../../provider/schema/unknown";
import { countOf } from "../../provider/texts/count-text";
import { visible } from "../../provider/texts/issue-text";
import { onDeleteOf } from "../../provider/values/options";
import type { Report, Table } from "../render/report";
import { type Outcome, outcomeText } from "../rewrite/wish";
import { objectOf } from "../stack/resources";
import { placeText } from "../stack/source-places";
import { type Comparison, consoleValue, type Difference, isChangedByBoth, isDrift } from "./comparison";

/** Comparisons, and the outcomes of an acceptance. */
export interface Compared {
  readonly comparisons: readonly Comparison[];
  /** Outcomes of each accepted argument; undefined where none was accepted. */
  readonly outcomes?: readonly Outcome[];
}

/** Longest value in the table, characters. */
const longest = 48;

/** A value in a table; "-" where there is none. */
export function shownValue(value: unknown, secret: boolean): string {
  if (value === undefined) return "-";
  if (secret) return "[secret]";
  if (isIdCount(value)) return countOf(value.count, "id");
  const text = visible(JSON.stringify(value)).replaceAll(JSON.stringify(UNKNOWN), unknownText);
  return text.length > longest ? `${text.slice(0, longest - 3)}...` : text;
}

function isIdCount(value: unknown): value is { count: number } {
  return isObject(value) && typeof value.count === "number" && typeof value.hash === "string";
}

/** The report: the values side by side, and the author of each change. Secrets are left out of it. */
export function driftReport({ comparisons, outcomes = [] }: Compared): Report {
  const told = comparisons.filter(({ what }) => what !== "same");
  const parts = told.map((comparison) => ({
    title: titleOf(comparison),
    parts: [...comparison.words, ...reviewLines(comparison), ...table(comparison)],
  }));
  const done = outcomes.length === 0 ? [] : [outcomes.map(outcomeText)];
  return {
    parts: [...parts, ...done, summary(comparisons)],
    json: reportJson(told, comparisons, outcomes),
  };
}

/** The reviews that changes of the program wait for, by state. */
function reviewLines({ resource: { applied } }: Comparison): string[] {
  return reviewsIn(applied?.outputs ?? {}).map(
    ({ id, slot, status }) =>
      `review ${id} of ${slot} was ${status.replaceAll("_", " ")} after the last update`,
  );
}

const sayings: Readonly<Record<Exclude<Comparison["what"], "gone" | "dropped">, string>> = {
  same: "is the same in all three",
  differs: "differs",
  new: "is in the program and was not applied yet",
};

function sayingOf({ what, hasOther, audited, resource }: Comparison): string {
  const { definition, wanted, applied } = resource;
  if (what === "gone" && hasOther === true)
    return wanted === undefined
      ? 'is another object than the one in state; "pulumi up" leaves it in the console and forgets it'
      : 'is another object than the one in state; "pulumi up" refuses it until "pulumi refresh" forgets the former one and the program sets adopt: true';
  if (what === "gone") {
    const deleted = `was deleted in the console${audited === undefined ? "" : ` (${changeText(audited)})`}`;
    return wanted === undefined
      ? `${deleted}, and the program does not have it either; "pulumi up" takes it out of state`
      : `${deleted}; "pulumi up" alone does not see that, "pulumi up --refresh" makes it again`;
  }
  if (what !== "dropped") return sayings[what];
  const end = endings[onDeleteOf(definition, applied?.outputs ?? {})];
  const isPart = definition.lifecycle.delete.remove?.clears !== undefined;
  return `is in state and not in the program any more; "pulumi up" ${isPart && end === endings.delete ? "empties it" : end}`;
}

const endings = {
  archive: "archives it",
  delete: "deletes it",
  retain: "leaves it in the console",
};

/** `gate "checkout_v2" (index.ts:16:1) differs`. */
export function titleOf(comparison: Comparison, saying: string = sayingOf(comparison)): string {
  const { resource } = comparison;
  const place = resource.position === undefined ? "" : ` (${placeText(resource.position)})`;
  return `${objectOf(resource)}${place} ${saying}`.trimEnd();
}

const standings: Readonly<Record<Difference["standing"], string>> = {
  changed: "changed in the console",
  pending: "not applied yet",
  settled: "both agree, state does not know yet",
  kept: "stays: the program no longer sets it, and no update clears it",
};

function table({ differences }: Comparison): Table[] {
  const rows = differences.map((difference) => {
    const { label, applied, program, secret, standing, isSeen, author } = difference;
    const both = isChangedByBoth(difference) ? "; the program changes it too" : "";
    const by = `${author === undefined ? "" : `: ${changeText(author)}`}${both}`;
    const isBack = standing === "pending" && difference.trait === "archived";
    return [
      label,
      ...[applied, consoleValue(difference), program].map((one) => shownValue(one, secret)),
      `${isSeen ? "off in the console" : standings[standing]}${isBack ? ": it comes back from the archive" : by}`,
    ];
  });
  return rows.length === 0 ? [] : [{ header: ["", "in state", "console", "program", ""], rows }];
}

/** One line that says how much of everything there is. */
function summary(comparisons: readonly Comparison[]): string {
  const count = (test: (one: Comparison) => boolean) => comparisons.filter(test).length;
  const drifted = count(isDrift);
  const pending = count(
    (one) =>
      one.what === "new" ||
      one.what === "dropped" ||
      one.differences.some(({ standing }) => standing === "pending"),
  );
  const settled = count(({ differences }) => differences.some(({ standing }) => standing === "settled"));
  const parts = [
    `${countOf(comparisons.length, "resource")}, ${drifted} changed in the console`,
    ...(pending > 0 ? [`${pending} with values of the program that are not applied yet`] : []),
    ...(settled > 0 ? [`${settled} that only the state does not know yet`] : []),
  ];
  return `${parts.join("; ")}.`;
}

function reportJson(
  told: readonly Comparison[],
  comparisons: readonly Comparison[],
  outcomes: Compared["outcomes"],
): JsonObject {
  const objects = told.map((comparison): JsonObject => {
    const { resource, what, words, audited } = comparison;
    return {
      ...{ urn: resource.urn, name: resource.name, kind: resource.definition.kind, id: resource.id },
      ...{ place: resource.position, what, drift: isDrift(comparison), words },
      ...(what === "gone" && audited !== undefined ? whoJson("deleted", audited) : {}),
      differences: comparison.differences.map(differenceJson),
    };
  });
  return { resources: comparisons.length, drift: comparisons.filter(isDrift).length, objects, outcomes };
}

function differenceJson(difference: Difference): JsonObject {
  const { label, standing, secret, applied, program, author } = difference;
  const values = { applied, console: consoleValue(difference), program };
  const who = author === undefined ? {} : whoJson("changed", author);
  return { path: label, standing, ...(secret ? { secret } : values), ...who };
}

/** `changedBy` and `changedAt`. */
export function whoJson(verb: "changed" | "deleted", { by, at }: Change): JsonObject {
  return { [`${verb}By`]: by, [`${verb}At`]: at === undefined ? undefined : new Date(at).toISOString() };
}
