import { observationsFormat } from "../../provider/schema/observations";
import { countOf } from "../../provider/texts/count-text";
import { namePrefix } from "./probe-session";
import type { Answered } from "./question";
import type { Verified } from "./verify";

const headings = {
  otherwise: "Otherwise than assumed",
  assumed: "As assumed",
  undecided: "Not decided",
} as const;

/** The answers of a console, as a person reads them. */
export function reportLines(verified: Verified): string[] {
  const { objects, unknown, missing, questions, left, writes, isInterrupted } = verified;
  const count = unknown.reduce((sum, one) => sum + one.objects, 0);
  const held = unknown.map(({ kind, objects: some }) => `${kind} ${some}`).join(", ");
  return [
    `${countOf(objects, "object")} read${count === 0 ? ", all known to this version" : `, ${count} with values unknown to this version: ${held}`}.`,
    ...(missing.length === 0
      ? []
      : [`Not available here: ${missing.map(({ kind, status }) => `${kind} (${status})`).join(", ")}.`]),
    ...(["otherwise", "assumed", "undecided"] as const).flatMap((as) => {
      const some = questions.filter((one) => one.as === as);
      return some.length === 0
        ? []
        : ["", `${headings[as]} (${some.length})`, ...some.flatMap(questionLines)];
    }),
    "",
    ...left.map(({ kind, id }) => `Not deleted: ${kind} "${id}". Delete it in the console.`),
    ...(isInterrupted ? ["Interrupted: the other questions were not asked."] : []),
    writes === 0 ? "Nothing was written." : `${countOf(writes, "write")}; names begin with ${namePrefix}.`,
  ];
}

function questionLines({ id, asked, answer, follows, decides, as, detail }: Answered): string[] {
  const where = decides === id ? "" : ` (${decides})`;
  return [
    `  ${id}${where}: ${asked}`,
    `    ${answer}${detail === undefined ? "" : ` (${detail})`}${follows === "" ? "" : `. ${follows}`}`,
    ...(as === "otherwise" && decides === id
      ? [`    Try it: feature-console emulate --behaviour ${id}=${answer}`]
      : []),
  ];
}

/** The same as JSON: without keys, and without names or values of objects but for the throw-away ones. */
export function reportJson(verified: Verified): string {
  return `${JSON.stringify({ format: observationsFormat, ...verified }, null, 2)}\n`;
}

/** The exit status: 3 where the console answers otherwise than assumed, 1 where something was left or the run was interrupted. */
export function statusOf({ questions, left, isInterrupted }: Verified): number {
  if (left.length > 0 || isInterrupted) return 1;
  return questions.some(({ as }) => as === "otherwise") ? 3 : 0;
}
