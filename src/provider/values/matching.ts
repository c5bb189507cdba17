import { isObject, type JsonObject } from "../schema/json";
import { type Node, propertiesOf } from "../schema/tree";

/**
 * A way to tell which elements of two lists stand for each other: by a question about two of them, or, where lists are long, by a
 * text that both have. One without such a text stands for none.
 */
export type Way<One, Other = One> =
  | { readonly same: (one: One, other: Other) => boolean }
  | { readonly key: (element: One | Other) => string | undefined };

/**
 * For each element of a list, the place of the one in another list that it stands for; undefined where there is none. The ways are
 * tried in turn, each with what those before it have left. Of several that are alike, the first that is left counts, and no element
 * stands for two.
 */
export function matchedPlaces<One, Other>(
  list: readonly One[],
  others: readonly Other[],
  ways: readonly Way<One, Other>[],
): (number | undefined)[] {
  const found: (number | undefined)[] = list.map(() => undefined);
  const free = new Set(others.keys());
  for (const way of ways) {
    const placeFor = finder(way, others, free);
    list.forEach((one, at) => {
      const place = found[at] === undefined && free.size > 0 ? placeFor(one) : undefined;
      if (place === undefined) return;
      found[at] = place;
      free.delete(place);
    });
  }
  return found;
}

/** For each element of a list, the one of another list that it stands for, told as {@link matchedPlaces} does. */
export function matchedElements<One, Other>(
  list: readonly One[],
  others: readonly Other[],
  ways: readonly Way<One, Other>[],
): (Other | undefined)[] {
  return matchedPlaces(list, others, ways).map((place) => (place === undefined ? undefined : others[place]));
}

/** Finds the first of the free places whose element another one stands for. */
function finder<One, Other>(
  way: Way<One, Other>,
  others: readonly Other[],
  free: ReadonlySet<number>,
): (one: One) => number | undefined {
  if ("same" in way) {
    return (one) => {
      for (const place of free) if (way.same(one, others[place] as Other)) return place;
      return undefined;
    };
  }
  const places = placesByKey(others, way.key, free);
  return (one) => {
    const key = way.key(one);
    return key === undefined ? undefined : places.get(key)?.shift();
  };
}

/** Places of a list by the keys of their elements, those without one left out. `asked`: the places that matter. */
export function placesByKey<Element>(
  list: readonly Element[],
  keyOf: (element: Element) => string | undefined,
  asked: Iterable<number> = list.keys(),
): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const place of asked) {
    const key = keyOf(list[place] as Element);
    if (key === undefined) continue;
    const sharing = places.get(key);
    if (sharing === undefined) places.set(key, [place]);
    else sharing.push(place);
  }
  return places;
}

/** The members by which elements of a list are told apart. `keyedBy`: the fact of the list. */
export function keysOf(items: Node, keyedBy: string | undefined): readonly string[] {
  if (keyedBy !== undefined) return [keyedBy];
  const properties = propertiesOf(items) ?? {};
  const texts = (items.required ?? []).filter((member) => {
    const { type, enum: choices } = properties[member] ?? {};
    return type === "string" && choices === undefined;
  });
  return texts.length === 0 && properties.name !== undefined ? ["name"] : texts;
}

/** Objects stand for each other whose keys are the same; where there are no keys, none does. */
export function byKeys(items: Node, keyedBy: string | undefined): Way<unknown>[] {
  const keys = keysOf(items, keyedBy);
  if (keys.length === 0) return [];
  return [
    {
      same: (one, other) =>
        isObject(one) && isObject(other) && keys.every((member) => one[member] === other[member]),
    },
  ];
}

/** Objects stand for each other by their keys, then, for a renamed one, by content, as `same` tells it of what is left of the two. */
export function byKeysThenContent(
  items: Node,
  keyedBy: string | undefined,
  same: (one: JsonObject, other: JsonObject) => boolean,
): Way<unknown>[] {
  const keys = byKeys(items, keyedBy);
  // With a key of its own, an element of another key is another one, however alike.
  if (keyedBy !== undefined) return keys;
  return [
    ...keys,
    { same: (one, other) => isObject(one) && isObject(other) && same(unnamed(one), unnamed(other)) },
  ];
}

/** An element without its name. */
export function unnamed({ name: _, ...rest }: JsonObject): JsonObject {
  return rest;
}
