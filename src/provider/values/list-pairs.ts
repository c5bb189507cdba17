import type { JsonObject } from "../schema/json";
import type { Node } from "../schema/tree";
import { byKeys, byKeysThenContent, matchedElements, type Way } from "./matching";
import type { Values } from "./walk";

/** A list or an object as the program sets it now, as it was when it was last seen, and as it is. */
export interface Three<Value> extends Values<Value> {
  readonly program: Value;
  readonly seen: Value;
  readonly live: Value;
}

export type ObjectLists = Three<readonly JsonObject[]>;

type Pairs = ReadonlyMap<JsonObject, JsonObject>;

/** Which elements of the lists stand for each other. */
export interface ListPairs {
  /** Program -> seen. */
  readonly seenOf: Pairs;
  /** Seen -> live. */
  readonly liveOf: Pairs;
  /** Program -> live, of those that state does not have and both others do. */
  readonly both: Pairs;
  /** True where two that stand for each other may turn out to be different things. */
  readonly isGuessed: boolean;
}

/** Comparison of two values by meaning. */
type Sameness = (one: JsonObject, other: JsonObject) => boolean;

/** By their keys, then, for a renamed one, by content. */
export function pairsByName(
  items: Node,
  { program, seen, live }: ObjectLists,
  keyedBy: string | undefined,
  isSame: Sameness,
): ListPairs {
  const ways = byKeysThenContent(items, keyedBy, isSame);
  return {
    seenOf: paired(program, seen, ways),
    liveOf: paired(seen, live, ways),
    // New ones of two names are two, however alike.
    both: paired(program, live, byKeys(items, keyedBy)),
    isGuessed: false,
  };
}

/** By content, then, of those that changed, by their order. Undefined where that leaves several ways. */
export function pairsByContent(
  { program, seen, live }: ObjectLists,
  isSame: Sameness,
): ListPairs | undefined {
  const seenOf = pairedWithChanged(program, seen, isSame);
  const liveOf = pairedWithChanged(seen, live, isSame);
  if (seenOf === undefined || liveOf === undefined) return undefined;
  const old = new Set(liveOf.values());
  const fresh = program.filter((one) => !seenOf.has(one));
  const unseen = live.filter((one) => !old.has(one));
  return { seenOf, liveOf, both: paired(fresh, unseen, [{ same: isSame }]), isGuessed: true };
}

function pairedWithChanged(
  list: readonly JsonObject[],
  others: readonly JsonObject[],
  isSame: Sameness,
): Pairs | undefined {
  const inOrder = list.length === others.length ? [{ same: () => true }] : [];
  const pairs = paired(list, others, [{ same: isSame }, ...inOrder]);
  return pairs.size < Math.min(list.length, others.length) ? undefined : pairs;
}

function paired(
  list: readonly JsonObject[],
  others: readonly JsonObject[],
  ways: readonly Way<JsonObject>[],
): Pairs {
  const matches = matchedElements(list, others, ways);
  return new Map(
    list.flatMap((one, at): [JsonObject, JsonObject][] => {
      const other = matches[at];
      return other === undefined ? [] : [[one, other]];
    }),
  );
}
