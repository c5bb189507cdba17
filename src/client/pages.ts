import { isObject, type JsonObject, stableText } from "../core/json";
import type { Route } from "../core/verbs";
import type { Caller, CallInput } from "./call";

/** The largest page that the API declares anywhere. */
const pageSize = 100;

/**
 * Every page of a list. The link to the next page is never followed, because its form varies and one kind's names
 * another's path: while there is a next page, page + 1 is asked for with the same limit and filters. An empty page and
 * a page that starts like the one before end the walk too.
 */
export async function* eachPage(
  caller: Caller,
  route: Route,
  input: CallInput,
): AsyncIterableIterator<JsonObject[]> {
  let firstOfLast: string | undefined;
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await caller.call(route, {
      ...input,
      query: { limit: pageSize, ...input.query, page },
    });
    const items = (Array.isArray(data) ? data : isObject(data) ? [data] : []).filter(isObject);
    const first = items[0] === undefined ? undefined : stableText(items[0]);
    if (first === undefined || first === firstOfLast) return;
    yield items;
    if (!pagination?.nextPage) return;
    firstOfLast = first;
  }
}

/** Every object of a list, page after page. */
export async function* eachItem(
  caller: Caller,
  route: Route,
  input: CallInput,
): AsyncIterableIterator<JsonObject> {
  for await (const page of eachPage(caller, route, input)) yield* page;
}
