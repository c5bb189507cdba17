import { isPathSegment } from "../../provider/client/route-path";
import { routeTo } from "../../provider/engine/context";
import { wholeList } from "../../provider/engine/listing";
import { auditNames } from "../../provider/schema/audit";
import type { ResourceDefinition } from "../../provider/schema/define";
import { isObject } from "../../provider/schema/json";
import { secretOf } from "../../provider/schema/object-id";
import { pluralOf } from "../../provider/texts/count-text";
import { wholeId } from "../import/program/not-storable";
import type { Found } from "../import/reading";
import { Undecided } from "./probe-session";
import type { Question } from "./question";
import { switchQuestions } from "./switch-questions";

/** Pages into which the longest list is cut. */
const pieces = 4;

/** Times before this are seconds: the year 1973 in milliseconds, 5138 in seconds. */
const leastMilliseconds = 100_000_000_000;

/** The list that shows most objects, and their number. */
function longestList(found: readonly Found[]): readonly [list: ReturnType<typeof wholeList>, length: number] {
  const counts = new Map<ResourceDefinition, number>();
  for (const { definition } of found) counts.set(definition, (counts.get(definition) ?? 0) + 1);
  const listed = [...counts].flatMap(([definition, count]) => {
    const { read } = definition.lifecycle;
    if (read.how === "remember" || read.list === undefined) return [];
    return [[wholeList(definition, read.list), count] as const];
  });
  const [longest] = listed.toSorted(([, a], [, b]) => b - a);
  if (longest === undefined || longest[1] < 2) throw new Undecided("no list shows 2 objects");
  return longest;
}

/** Questions that reads alone answer. */
export const readQuestions: readonly Question[] = [
  {
    id: "pageTotals",
    asked: "Does a page show whether another one follows?",
    answers: {
      told: "The provider reads a list to its end.",
      untold: "Report it: import leaves out what follows, and a refresh drops objects that only lists show.",
    },
    row: 55,
    async ask(session, found) {
      const [list, length] = longestList(found);
      const limit = Math.ceil(length / pieces);
      for (let page = 1; page * limit < length; page += 1) {
        const { pagination } = await session.page(list, { limit, page });
        if (!isObject(pagination) || !pagination.nextPage) return "untold";
      }
      return "told";
    },
  },
  {
    id: "listedIds",
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
        const { route, params } = routeTo(definition, read.route, id);
        const item = await session.shown(route, params);
        asked += 1;
        if (wholeId(definition, item) !== id) others.add(pluralOf(definition.title));
      }
      if (asked === 0) throw new Undecided("the project has no object that can be read alone");
      return others.size === 0 ? "same" : { answer: "otherwise", detail: [...others].join(", ") };
    },
  },
  {
    id: "shownTimes",
    asked: "In which form do reads show times?",
    answers: {
      milliseconds: "The provider compares these times with those of its own creates.",
      seconds: "Report it: the provider takes a time in seconds for one in 1970, and adopts less by itself.",
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
  ...switchQuestions.byReads,
];
