import { wholeList } from "../../provider/engine/listing";
import type { ResourceDefinition } from "../../provider/schema/define";
import { isConsoleError } from "../../provider/schema/errors";
import { type JsonObject, stableText } from "../../provider/schema/json";
import type { Found } from "../import/reading";
import type { Question, Undecided } from "./question";
import type { PageQuery, Workshop } from "./workshop";

/** The most objects that the provider asks a page for. */
const largestPage = 100;

/** Pages into which the longest list is cut to see whether it keeps its order. */
const pieces = 4;

/** The list that shows most objects. */
interface LongestList {
  readonly length: number;
  page(query: PageQuery): ReturnType<Workshop["page"]>;
}

/** Answers about the longest list; undecided where no list has as many objects. */
async function ofLongest(
  workshop: Workshop,
  found: readonly Found[],
  least: number,
  ask: (list: LongestList) => Promise<string>,
): Promise<string | Undecided> {
  const counts = new Map<ResourceDefinition, number>();
  for (const { definition } of found) counts.set(definition, (counts.get(definition) ?? 0) + 1);
  const listed = [...counts].flatMap(([definition, count]) => {
    const { read } = definition.lifecycle;
    if (read.how === "remember" || read.list === undefined) return [];
    return [{ list: wholeList(definition, read.list), count }];
  });
  const [longest] = listed.toSorted((a, b) => b.count - a.count);
  if (longest === undefined || longest.count < least) return { undecided: `no list shows ${least} objects` };
  return ask({ length: longest.count, page: (query) => workshop.page(longest.list, query) });
}

/** Questions about pages of lists, which reads alone answer. */
export const pageQuestions: readonly Question[] = [
  {
    id: "envelope",
    asked: "Do answers wrap what they show in `data`, beside a `message`?",
    answers: {
      wrapped: "The provider takes it out.",
      bare: "The provider reads an answer without them too.",
    },
    decides: { row: 54 },
    ask: (workshop, found) =>
      ofLongest(workshop, found, 1, async ({ page }) => {
        const { body } = await page({ limit: 1, page: 1 });
        return "data" in body && "message" in body ? "wrapped" : "bare";
      }),
  },
  {
    id: "pageTotals",
    asked: "Does a page show whether another one follows?",
    answers: {
      told: "The provider reads a list to its end.",
      untold: "Report it: import leaves out what follows, and a refresh drops objects that only lists show.",
    },
    decides: { row: 55 },
    ask: (workshop, found) =>
      ofLongest(workshop, found, 2, async ({ length, page }) => {
        const size = Math.ceil(length / pieces);
        for (let number = 1; number * size < length; number += 1)
          if (!(await page({ limit: size, page: number })).pagination?.nextPage) return "untold";
        return "told";
      }),
  },
  {
    id: "pageSizes",
    asked: "Does a page hold as many objects as are asked for?",
    answers: {
      asked: "A refresh asks for a hundred objects at a time.",
      fewer: "A refresh sends more requests: a page holds fewer objects than the provider asks for.",
      more: "A refresh sends fewer requests: a page holds more objects than the provider asks for.",
    },
    decides: { row: 55 },
    ask: (workshop, found) =>
      ofLongest(workshop, found, 2, async ({ length, page }) => {
        const most = Math.min(length, largestPage);
        if ((await page({ limit: most, page: 1 })).items.length < most) return "fewer";
        return (await page({ limit: 1, page: 1 })).items.length > 1 ? "more" : "asked";
      }),
  },
  {
    id: "pageOrder",
    asked: "Do the pages of a list show each object once, in one order?",
    answers: {
      kept: "Pages of a list make up the whole list.",
      reordered: "A refresh asks for objects that the pages miss; import may leave some out.",
      repeated: "A refresh asks for objects that the pages miss; import stops, or leaves some out.",
    },
    decides: { row: 55 },
    ask: (workshop, found) =>
      ofLongest(workshop, found, 2, async ({ length, page }) => {
        const names = async (limit: number, number: number) =>
          (await page({ limit, page: number })).items.map(nameIn);
        const most = Math.min(length, largestPage);
        const size = Math.ceil(most / pieces);
        const whole = await names(most, 1);
        const parts: string[] = [];
        for (let number = 1; parts.length < whole.length && number <= most; number += 1) {
          const part = await names(size, number);
          if (part.length === 0) break;
          parts.push(...part);
        }
        const shown = parts.slice(0, whole.length);
        if (stableText(shown) === stableText(whole)) return "kept";
        return stableText(shown.toSorted()) === stableText(whole.toSorted()) ? "reordered" : "repeated";
      }),
  },
  {
    id: "pageEnd",
    asked: "What does a page after the last one show?",
    answers: {
      empty: "Nothing: a list that shrinks while it is read ends there.",
      refused: "A refusal: a list that shrinks while it is read makes the run fail; run it again.",
      repeated: "Objects: the provider stops where a page begins as an earlier one.",
    },
    decides: { row: 55 },
    ask: (workshop, found) =>
      ofLongest(workshop, found, 1, async ({ length, page }) => {
        try {
          const after = await page({ limit: largestPage, page: Math.ceil(length / largestPage) + 2 });
          return after.items.length === 0 ? "empty" : "repeated";
        } catch (error) {
          if (isConsoleError(error, "refused") || isConsoleError(error, "not-found")) return "refused";
          throw error;
        }
      }),
  },
  {
    id: "limitHeaders",
    asked: "Do headers of an answer show the limits of requests?",
    answers: {
      none: "The provider counts its writes by itself.",
      told: "The provider counts its writes by itself, and does not read these headers.",
    },
    decides: { row: 56 },
    ask: (workshop, found) =>
      ofLongest(workshop, found, 1, async ({ page }) => {
        const { headers } = await page({ limit: 1, page: 1 });
        return Object.keys(headers).some((name) => /rate-?limit/i.test(name)) ? "told" : "none";
      }),
  },
];

const nameIn = (item: JsonObject): string => stableText(item.id ?? item.name ?? null);
