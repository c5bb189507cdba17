import { equalJson, isObject } from "../../provider/schema/json";
import type { Path } from "../../provider/schema/path";

/** One value as it was applied, as the console has it and as the program wants it; undefined: not there. */
export interface Sides {
  readonly applied: unknown;
  readonly live: unknown;
  readonly wanted: unknown;
}

/** A place at which the three are not all the same. `label`: the place as a user reads it. */
export interface Place extends Sides {
  readonly path: Path;
  readonly label: string;
}

/**
 * The innermost places at which three values differ. Elements of lists that have names stand for each other by name, others
 * by their place while there are as many of them.
 */
export function differingPlaces(sides: Sides, path: Path, label: string): Place[] {
  const { applied, live, wanted } = sides;
  if (equalJson(applied, live) && equalJson(live, wanted)) return [];
  const there = [applied, live, wanted].filter((one) => one !== undefined);
  const isWhole = live === undefined || (there.length < 3 && there.every((one) => equalJson(one, live)));
  if (!isWhole && there.every(isObject)) return inMembers(sides, path, label);
  if (!isWhole && there.every(Array.isArray)) return inElements(sides, path, label);
  return [{ ...sides, path, label }];
}

function each(sides: Sides, pick: (value: unknown) => unknown): Sides {
  return { applied: pick(sides.applied), live: pick(sides.live), wanted: pick(sides.wanted) };
}

function inMembers(sides: Sides, path: Path, label: string): Place[] {
  const names = new Set([sides.applied, sides.live, sides.wanted].flatMap((one) => Object.keys(one ?? {})));
  return [...names].flatMap((name) =>
    differingPlaces(
      each(sides, (one) => (isObject(one) && Object.hasOwn(one, name) ? one[name] : undefined)),
      [...path, name],
      /^[A-Za-z_$][\w$]*$/.test(name) ? `${label}.${name}` : `${label}[${JSON.stringify(name)}]`,
    ),
  );
}

function inElements(sides: Sides, path: Path, label: string): Place[] {
  const lists = [sides.applied, sides.live, sides.wanted].filter(Array.isArray) as unknown[][];
  const names = lists.map((list) => list.map(nameIn));
  const isAligned = names.every((one) => equalJson(one, names[0]));
  if (isAligned && lists.every((list) => list.every(isObject))) {
    return (lists[0] ?? []).flatMap((_, index) =>
      differingPlaces(
        each(sides, (one) => (Array.isArray(one) ? one[index] : undefined)),
        [...path, index],
        `${label}[${index}]`,
      ),
    );
  }
  const areNamed = names.every(
    (one) => one.every((name) => name !== null) && new Set(one).size === one.length,
  );
  return areNamed ? byName(sides, path, label) : [{ ...sides, path, label }];
}

/** Null for what has no name: then elements are told by their places alone. */
function nameIn(element: unknown): string | null {
  return isObject(element) && typeof element.name === "string" ? element.name : null;
}

function byName(sides: Sides, path: Path, label: string): Place[] {
  const orders = each(sides, (list) => (Array.isArray(list) ? list.map(nameIn) : undefined));
  const all = [orders.applied, orders.live, orders.wanted].flatMap(
    (one) => (one as string[] | undefined) ?? [],
  );
  const inside = [...new Set(all)].flatMap((name) =>
    differingPlaces(
      each(sides, (list) =>
        Array.isArray(list) ? list.find((one: unknown) => nameIn(one) === name) : undefined,
      ),
      [...path, name],
      `${label}[${JSON.stringify(name)}]`,
    ),
  );
  const order: Place = { ...orders, path, label: `${label} (order)` };
  return isMoved(orders) ? [...inside, order] : inside;
}

/** True where what two of the lists have in common stands in another order: what was only added or removed moves nothing. */
function isMoved({ applied, live, wanted }: Sides): boolean {
  const common = (one: unknown, other: unknown) =>
    Array.isArray(one) && Array.isArray(other) ? one.filter((name) => other.includes(name)) : [];
  return [
    [applied, live],
    [live, wanted],
  ].some(([one, other]) => !equalJson(common(one, other), common(other, one)));
}
