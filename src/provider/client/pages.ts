import { isConsoleError, unexpectedAnswer } from "../schema/errors";
import { type JsonObject, stableText } from "../schema/json";
import type { Route } from "../schema/verbs";
import { itemsOf } from "./answer";
import type { Caller, CallInput } from "./call";

/** The largest page that the API declares anywhere. */
const pageSize = 100;

/** No project holds so many pages, even where a console gives ten objects on each. */
const mostPages = 5000;

/**
 * Every page of a list. The link to the next page is never followed, because its form varies and one kind's names
 * another's path: while there is a next page, page + 1 is asked for with the same limit and filters. An empty page and
 * a page that starts like one before end the walk too. Returns whether the list changed meanwhile, as far as its pages tell how
 * long it is: then it may have shown one object twice and another not at all.
 * @throws ConsoleError "unexpected-answer" for a page that is no list, and for a list without end.
 */
export async function* eachPage(
  caller: Caller,
  route: Route,
  input: CallInput,
  read: (item: JsonObject) => JsonObject,
): AsyncGenerator<JsonObject[], boolean> {
  const what = `${route.method} ${route.path}`;
  const starts = new Set<string>();
  const totals = new Set<number>();
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { limit: pageSize, ...input.query, page };
    const answer = await caller.call(route, { ...input, query }).catch((error: unknown) => {
      if (route.noneAs404 !== true || !isConsoleError(error, "not-found")) throw error;
    });
    if (answer === undefined) return totals.size > 1;
    const items = itemsOf(what, answer);
    const start = items[0] === undefined ? undefined : stableText(items[0]);
    if (start === undefined || starts.has(start)) return totals.size > 1;
    yield items.map(read);
    const { totalItems, nextPage } = answer.pagination ?? {};
    if (typeof totalItems === "number") totals.add(totalItems);
    if (!nextPage) return totals.size > 1;
    starts.add(start);
  }
  throw unexpectedAnswer(
    `${what} shows a next page after ${mostPages} pages: such a list is not read to its end. ` +
      "Ask for a part of it with filters, or report it to those who run the console.",
  );
}
