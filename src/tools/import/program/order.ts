import { compareText } from "./names";

/** References between objects, from each to those that it needs. */
export type Needs<T> = ReadonlyMap<T, readonly T[]>;

/**
 * Orders objects: each comes after those that it needs, else as they are given. `cut`: references that no order can keep, from each
 * object to those that it can only name by id.
 */
export function ordered<T>(objects: readonly T[], needs: Needs<T>) {
  const order: T[] = [];
  const cut = new Map<T, Set<T>>();
  const states = new Map<T, "open" | "done">();
  const visit = (first: T) => {
    // A walk with a stack of its own: chains of references may be longer than calls can be deep.
    const stack = [{ one: first, rest: [...(needs.get(first) ?? [])] }];
    states.set(first, "open");
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = top.rest.shift();
      if (next === undefined) {
        states.set(top.one, "done");
        order.push(top.one);
        stack.pop();
      } else if (states.get(next) === "open") {
        cut.set(top.one, (cut.get(top.one) ?? new Set()).add(next));
      } else if (states.get(next) === undefined) {
        states.set(next, "open");
        stack.push({ one: next, rest: [...(needs.get(next) ?? [])] });
      }
    }
  };
  for (const one of objects) if (!states.has(one)) visit(one);
  return { order, cut };
}

/** Place of an object in the files. */
export interface FilePlace {
  readonly group: string;
  /** 1 for the first file of a group; a later one holds what needs something of files after that one. */
  readonly part: number;
}

/**
 * A file for each object, so that files can be loaded one after the other: objects of one group stand in one file, unless they
 * need what stands in a group after it, which needs the group itself. `groups`: in their order. `order`: each object after
 * those that it needs.
 */
export function placedInFiles<T>(
  order: readonly T[],
  needs: Needs<T>,
  groupOf: (one: T) => string,
  groups: readonly string[],
): ReadonlyMap<T, FilePlace> {
  const ranks = new Map(groups.map((group, index) => [group, index]));
  const rankOf = (one: T) => ranks.get(groupOf(one)) ?? groups.length;
  const places = new Map<T, FilePlace>();
  for (const one of order) {
    const parts = (needs.get(one) ?? []).flatMap((needed) => {
      const place = places.get(needed);
      return place === undefined ? [] : [place.part + (rankOf(needed) > rankOf(one) ? 1 : 0)];
    });
    places.set(one, { group: groupOf(one), part: Math.max(1, ...parts) });
  }
  return places;
}

/**
 * Groups in an order in which as many references as can be lead back. The first of those that need nothing more comes first; in
 * a circle, the one that needs fewest others.
 */
export function groupOrder<T>(
  objects: readonly T[],
  needs: Needs<T>,
  groupOf: (one: T) => string,
  preferred: readonly string[],
): string[] {
  const rank = (group: string) => {
    const index = preferred.indexOf(group);
    return index < 0 ? preferred.length : index;
  };
  const groups = [...new Set(objects.map(groupOf))];
  const left = new Set(groups.sort((a, b) => rank(a) - rank(b) || compareText(a, b)));
  const pairs = objects.flatMap((one) => (needs.get(one) ?? []).map((needed) => [one, needed].map(groupOf)));
  const leading = Map.groupBy(pairs, ([from]) => from);
  const result: string[] = [];
  while (left.size > 0) {
    const open = (group: string) =>
      leading.get(group)?.filter(([from, to = ""]) => from !== to && left.has(to)).length ?? 0;
    const next = [...left].reduce((best, group) => (open(group) < open(best) ? group : best));
    left.delete(next);
    result.push(next);
  }
  return result;
}
