import { observationsFormat } from "../../provider/schema/observations";
import { countOf } from "../../provider/texts/count-text";
import type { Report, Section } from "../render/report";
import { namePrefix } from "./probe-session";
import type { Answered } from "./question";
import type { Verified } from "./verify";

const headings = {
  otherwise: "Otherwise than assumed",
  assumed: "As assumed",
  undecided: "Not decided",
} as const;

/** The answers of a console: without keys, and without names or values of objects but for the throw-away ones. */
export function verifyReport(verified: Verified): Report {
  const { objects, unknown, missing, questions, left, writes, isInterrupted } = verified;
  const count = unknown.reduce((sum, one) => sum + one.objects, 0);
  const held = unknown.map(({ kind, objects: some }) => `${kind} ${some}`).join(", ");
  const known =
    count === 0 ? "all known to this version" : `${count} with values unknown to this version: ${held}`;
  const absent = missing.map(({ kind, status }) => `${kind} (${status})`).join(", ");
  return {
    parts: [
      [
        `${countOf(objects, "object")} read, ${known}.`,
        ...(absent === "" ? [] : [`Not available here: ${absent}.`]),
      ],
      ...Object.entries(headings).flatMap(([as, heading]) => {
        const some = questions.filter((one) => one.as === as);
        return some.length === 0
          ? []
          : [{ title: `${heading} (${some.length})`, parts: some.map(questionPart) }];
      }),
      [
        ...left.map(({ kind, id }) => `Not deleted: ${kind} "${id}". Delete it in the console.`),
        ...(isInterrupted ? ["Interrupted: the other questions were not asked."] : []),
        writes === 0
          ? "Nothing was written."
          : `${countOf(writes, "write")}; names begin with ${namePrefix}.`,
      ],
    ],
    json: { format: observationsFormat, ...verified },
  };
}

function questionPart({ id, asked, answer, follows, decides, as, detail }: Answered): Section {
  const because = detail === undefined ? "" : ` (${detail})`;
  const isSwitch = as === "otherwise" && decides === id;
  return {
    title: `${id}${decides === id ? "" : ` (${decides})`}: ${asked}`,
    parts: [
      `${answer}${because}${follows === "" ? "" : `. ${follows}`}`,
      ...(isSwitch ? [`Try it: feature-console emulate --behaviour ${id}=${answer}`] : []),
    ],
  };
}

/** The exit status: 3 where the console answers otherwise than assumed, 1 where something was left or the run was interrupted. */
export function statusOf({ questions, left, isInterrupted }: Verified): number {
  if (left.length > 0 || isInterrupted) return 1;
  return questions.some(({ as }) => as === "otherwise") ? 3 : 0;
}
