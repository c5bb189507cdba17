import { isPathSegment } from "../../provider/client/route-path";
import type { KindName } from "../../provider/definitions";
import { wholeList } from "../../provider/engine/listing";
import { auditNames } from "../../provider/schema/audit";
import { secretOf } from "../../provider/schema/object-id";
import { occurrences, pluralOf } from "../../provider/texts/count-text";
import { wholeId } from "../import/program/not-storable";
import type { Found } from "../import/reading";
import { Undecided } from "./probe-session";
import { type Question, questionsOf } from "./question";
import { switchQuestions } from "./switch-questions";

/** The most objects that the provider asks a page for. */
const largestPage = 100;

/** Times before this are seconds: the year 1973 in milliseconds, 5138 in seconds. */
const leastMilliseconds = 100_000_000_000;

/** The list that shows most objects. */
function longestList(found: readonly Found[]): ReturnType<typeof wholeList> {
  const longest = [...occurrences(found.map(({ definition }) => definition))]
    .toSorted(([, a], [, b]) => b - a)
    .flatMap(([definition]) => {
      const { read } = definition.lifecycle;
      return read.how === "remember" || read.list === undefined ? [] : [wholeList(definition, read.list)];
    })[0];
  if (longest === undefined) throw new Undecided("no list shows an object");
  return longest;
}

/** Questions that reads alone answer. */
export const readQuestions: readonly Question[] = [
  ...questionsOf({
    pageTotals: {
      asked: "Does a page show whether another one follows?",
      answers: {
        told: "The provider reads a list to its end.",
        untold:
          "Report it: import leaves out what follows, and a refresh drops objects that only lists show.",
      },
      row: 55,
      async ask(session, found) {
        const list = longestList(found);
        const whole = await session.count(list, largestPage);
        if (whole < 2) throw new Undecided("no list shows 2 objects");
        const inPieces = await session.count(list, Math.min(Math.ceil(whole / 4), largestPage));
        return inPieces < whole ? "untold" : "told";
      },
    },
    listedIds: {
      asked: "Does a read of an object show the id by which it was asked for?",
      answers: {
        same: "The id in state leads to the object.",
        otherwise: "Report it: the provider takes such an object for another one.",
      },
      row: 57,
      async ask(session, found) {
        const others = new Set<string>();
        const firsts = new Map(found.map((one) => [one.definition, one]));
        let asked = 0;
        for (const [definition, { id }] of firsts) {
          const { read } = definition.lifecycle;
          if (read.how !== "get" || read.list === undefined || secretOf(definition) !== undefined) continue;
          if (!isPathSegment(id)) continue;
          const item = await session.read(definition.name as KindName, id, read.route);
          asked += 1;
          if (wholeId(definition, item) !== id) others.add(pluralOf(definition.title));
        }
        if (asked === 0) throw new Undecided("the project has no object that can be read alone");
        return others.size === 0 ? "same" : { answer: "otherwise", detail: [...others].join(", ") };
      },
    },
    shownTimes: {
      asked: "In which form do reads show times?",
      answers: {
        milliseconds: "The provider compares these times with those of its own creates.",
        seconds:
          "Report it: the provider takes a time in seconds for one in 1970, and adopts less by itself.",
        otherwise: "Report it: the provider does not read such a time, and adopts less by itself.",
      },
      row: 58,
      async ask(_, found) {
        const times = found.flatMap(({ definition, live }) => {
          const { created } = auditNames(definition);
          const time = created === undefined ? undefined : live[created];
          return time === undefined || time === null ? [] : [time];
        });
        if (times.length === 0) throw new Undecided("no object shows when it was created");
        if (times.some((time) => typeof time !== "number")) return "otherwise";
        return times.every((time) => Number(time) >= leastMilliseconds) ? "milliseconds" : "seconds";
      },
    },
  }),
  ...switchQuestions.byReads,
];
