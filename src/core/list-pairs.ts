import type { JsonObject } from "./json";
import { matchedElements, type Place } from "./server-set-members";

/** A list as the program says it now, as it was when it was last seen, and as it is. */
export type ObjectLists = readonly [readonly JsonObject[], readonly JsonObject[], readonly JsonObject[]];

type Pairs = ReadonlyMap<JsonObject, JsonObject>;

/** Which elements of the lists stand for each other. */
export interface ListPairs {
  /** Wanted -> seen. */
  readonly was: Pairs;
  /** Seen -> live. */
  readonly is: Pairs;
  /** Wanted -> live, of those that nobody has seen and both have. */
  readonly both: Pairs;
  /** True where two that stand for each other may turn out to be different things. */
  readonly isGuessed: boolean;
}

/** Whether two values mean the same. */
type Sameness = (one: JsonObject, other: JsonObject) => boolean;

/** By name, then, for a renamed one, by content. */
export function pairsByName(
  place: Place,
  [wanted, seen, live]: ObjectLists,
  keyedBy: string | undefined,
  isSame: Sameness,
): ListPairs {
  const sameContent: Sameness = (one, other) => isSame(unnamed(one), unnamed(other));
  return {
    was: paired(wanted, seen, place, sameContent, keyedBy),
    is: paired(seen, live, place, sameContent, keyedBy),
    // New ones of two names are two, however alike.
    both: paired(wanted, live, place, () => false, keyedBy),
    isGuessed: false,
  };
}

/** By content, then, of those that changed, by their order. Undefined where that leaves several ways. */
export function pairsByContent(
  place: Place,
  [wanted, seen, live]: ObjectLists,
  isSame: Sameness,
): ListPairs | undefined {
  const was = withChanged(paired(wanted, seen, place, isSame), wanted, seen);
  const is = withChanged(paired(seen, live, place, isSame), seen, live);
  if (was === undefined || is === undefined) return undefined;
  const old = new Set(is.values());
  const fresh = wanted.filter((one) => !was.has(one));
  const unseen = live.filter((one) => !old.has(one));
  return { was, is, both: paired(fresh, unseen, place, isSame), isGuessed: true };
}

function withChanged(
  pairs: Pairs,
  list: readonly JsonObject[],
  others: readonly JsonObject[],
): Pairs | undefined {
  const taken = new Set(pairs.values());
  const left = list.filter((one) => !pairs.has(one));
  const free = others.filter((one) => !taken.has(one));
  if (left.length === 0 || free.length === 0) return pairs;
  if (left.length !== free.length) return undefined;
  return new Map([...pairs, ...left.map((one, at): [JsonObject, JsonObject] => [one, free[at] ?? one])]);
}

function paired(
  list: readonly JsonObject[],
  others: readonly JsonObject[],
  place: Place,
  sameContent: Sameness,
  keyedBy?: string,
): Pairs {
  const matches = matchedElements(place, list, others, keyedBy, sameContent);
  return new Map([...matches].map(([index, other]) => [list[index] as JsonObject, other]));
}

function unnamed({ name: _, ...rest }: JsonObject): JsonObject {
  return rest;
}
