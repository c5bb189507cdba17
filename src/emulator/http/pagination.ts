import type { JsonObject } from "../../provider/schema/json";
import { invalidMember } from "../console/rules/outcomes";

/** Sizes of the pages of a list. */
export interface PageRules {
  /** Items on a page when the request does not say. */
  readonly size: number;
  readonly most: number;
  /** "refuse": more than `most` is a 400. "cap": it is cut down and the answer says so. */
  readonly whenTooLarge: "refuse" | "cap";
}

/** Lists in general: 100 is the only maximum that is declared anywhere (console-api, section 4). */
export const usualPages: PageRules = { size: 100, most: 100, whenTooLarge: "cap" };

/** A request's query: every value of every name. */
export type Query = ReadonlyMap<string, readonly string[]>;

/** The part of a list that a request asks for. */
export interface Page {
  readonly limit: number;
  readonly number: number;
  readonly offset: number;
}

/** Reads `limit` and `page`. Throws a 400 for what is no number or out of range. */
export function readPage(query: Query, rules: PageRules): Page {
  const asked = readNumber(query, "limit", 0) ?? rules.size;
  if (asked > rules.most && rules.whenTooLarge === "refuse")
    throw invalidMember("limit", `Number must be less than or equal to ${rules.most}`);
  const limit = Math.min(asked, rules.most);
  const number = readNumber(query, "page", 1) ?? 1;
  return { limit, number, offset: (number - 1) * limit };
}

function readNumber(query: Query, name: string, least: number): number | undefined {
  const text = query.get(name)?.[0];
  if (text === undefined) return undefined;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isNaN(value)) throw invalidMember(name, "Expected number, received nan");
  if (!Number.isSafeInteger(value)) throw invalidMember(name, "Expected integer, received float");
  if (value < least) throw invalidMember(name, `Number must be greater than or equal to ${least}`);
  return value;
}

/** Describes a page. Links keep the filters of the request. */
export function paginate(path: string, query: Query, page: Page, total: number): JsonObject {
  const link = (number: number): string => {
    const search = new URLSearchParams();
    for (const [name, values] of query) {
      if (name !== "limit" && name !== "page") for (const value of values) search.append(name, value);
    }
    search.set("page", String(number));
    search.set("limit", String(page.limit));
    return `${path}?${search}`;
  };
  const more = page.limit > 0 && page.offset + page.limit < total;
  return {
    itemsPerPage: page.limit,
    pageNumber: page.number,
    totalItems: total,
    nextPage: more ? link(page.number + 1) : null,
    previousPage: page.number > 1 ? link(page.number - 1) : null,
    all: path,
  };
}
