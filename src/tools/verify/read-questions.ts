import { isPathSegment } from "../../provider/client/route-path";
import { catalog, everyKind } from "../../provider/definitions";
import { routeTo } from "../../provider/engine/context";
import { auditNames } from "../../provider/schema/audit";
import { isConsoleError } from "../../provider/schema/errors";
import { secretOf } from "../../provider/schema/object-id";
import { fromWire } from "../../provider/schema/wire-names";
import { pluralOf } from "../../provider/texts/count-text";
import { wholeId } from "../import/program/not-storable";
import { pageQuestions } from "./page-questions";
import type { Question } from "./question";
import { isLacking } from "./workshop";

/** A clock that differs by more cannot tell what a run made from what existed, milliseconds. */
const mostSkewMs = 60_000;

/** Times before this are seconds: the year 1973 in milliseconds, 5138 in seconds. */
const leastMilliseconds = 100_000_000_000;

/** Questions that reads alone answer. */
export const readQuestions: readonly Question[] = [
  ...pageQuestions,
  {
    id: "listedIds",
    asked: "Does a read of an object show the id by which it was asked for?",
    answers: {
      same: "The id in state leads to the object.",
      otherwise: "Report it: the provider takes such an object for another one.",
    },
    decides: { row: 57 },
    async ask(workshop, found) {
      const others = new Set<string>();
      const firsts = new Map(found.map((one) => [one.definition, one]));
      let asked = 0;
      for (const [definition, { id }] of firsts) {
        const { read } = definition.lifecycle;
        if (read.how !== "get" || read.list === undefined || secretOf(definition) !== undefined) continue;
        if (!isPathSegment(id)) continue;
        const { route, params } = routeTo(definition, read.route, id);
        const item = await workshop.shown(route, params);
        asked += 1;
        if (wholeId(definition, item) !== id) others.add(pluralOf(definition.title));
      }
      if (asked === 0) return { undecided: "the project has no object that can be read alone" };
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
    decides: { row: 58 },
    async ask(_, found) {
      const times = found.flatMap(({ definition, live }) => {
        const { created } = auditNames(definition);
        const time = created === undefined ? undefined : live[created];
        return time === undefined || time === null ? [] : [time];
      });
      if (times.length === 0) return { undecided: "no object shows when it was created" };
      if (times.some((time) => typeof time !== "number")) return "otherwise";
      return times.every((time) => Number(time) >= leastMilliseconds) ? "milliseconds" : "seconds";
    },
  },
  {
    id: "clock",
    asked: "Is the console's clock that of this machine?",
    answers: {
      near: "The provider compares times of the console with its own.",
      far: "The provider reads the console's time from its answers. Set the clock of this machine, if it is wrong.",
      untold: "Answers do not show the time: set the clock of this machine, because the provider uses that.",
    },
    decides: { row: 31 },
    async ask(workshop) {
      const offset = workshop.clockOffsetMs();
      if (offset === undefined) return "untold";
      return Math.abs(offset) <= mostSkewMs ? "near" : "far";
    },
  },
  {
    id: "projectId",
    asked: "Does the console show the id of the project to this key?",
    answers: {
      shown: "Runs with different keys of a project share one budget of writes.",
      hidden: "Runs with different keys of a project do not share one budget of writes.",
    },
    decides: { row: 18 },
    async ask(workshop) {
      try {
        const { id } = await workshop.shown(everyKind.project.routes.get);
        return typeof id === "string" ? "shown" : "hidden";
      } catch (error) {
        if (isConsoleError(error, "forbidden") || isConsoleError(error, "not-found")) return "hidden";
        throw error;
      }
    },
  },
  {
    id: "keysInReads",
    asked: "Does the list of keys show the values of the keys?",
    answers: {
      show: "doctor and import know whether the key may write.",
      hide: "doctor and import do not know whether the key may write.",
    },
    decides: { switch: "keysInReads" },
    async ask(workshop) {
      const keys = (await workshop.list("key")).map((item) => fromWire(catalog.key, item).value);
      if (keys.length === 0) return { undecided: "the project has no key that this key may see" };
      return keys.some((value) => typeof value === "string") ? "show" : "hide";
    },
  },
  {
    id: "unsetSchedules",
    asked: "Does the console show the schedule of every dataset?",
    answers: {
      usual: "A preview shows the hour that an IngestionSchedule would change.",
      missing: "404 until it is set: a preview shows no hour before.",
    },
    decides: { switch: "unsetSchedules" },
    async ask(workshop) {
      try {
        for (const dataset of catalog.ingestionSchedule.fields.dataset.schema.options)
          await workshop.read("ingestionSchedule", dataset);
        return "usual";
      } catch (error) {
        if (isConsoleError(error, "not-found")) return "missing";
        if (isLacking(error)) return { undecided: "the account or the key has no schedules" };
        throw error;
      }
    },
  },
];
