import { equalJson, isObject } from "../../provider/schema/json";
import { memberText, type Path } from "../../provider/schema/path";

/** One value as several see it, by who does; undefined: not there. The console sees it as it is: `live`. */
export type Views<Name extends string> = Readonly<Record<Name | "live", unknown>>;

/** One value as it was applied, as the console has it and as the program sets it. */
export type Sides = Views<"applied" | "wanted">;

/** A place at which the views are not all the same. `label`: the place as a user reads it. */
export type Place<Name extends string = "applied" | "wanted"> = Views<Name> & {
  readonly path: Path;
  readonly label: string;
};

/**
 * The innermost places at which the views of a value differ. Elements of lists that have names stand for each other by name,
 * others by their place while there are as many of them.
 */
export function differingPlaces<Name extends string>(
  views: Views<Name>,
  path: Path,
  label: string,
): Place<Name>[] {
  const all: unknown[] = Object.values(views);
  const { live } = views as Views<never>;
  if (all.every((one) => equalJson(one, live))) return [];
  const there = all.filter((one) => one !== undefined);
  const isWhole =
    live === undefined || (there.length < all.length && there.every((one) => equalJson(one, live)));
  if (!isWhole && there.every(isObject)) return inMembers(views, path, label);
  if (!isWhole && there.every(Array.isArray)) return inElements(views, path, label);
  return [{ ...views, path, label }];
}

function each<Name extends string>(views: Views<Name>, pick: (value: unknown) => unknown): Views<Name> {
  return Object.fromEntries(
    Object.entries(views).map(([name, value]) => [name, pick(value)]),
  ) as unknown as Views<Name>;
}

function inMembers<Name extends string>(views: Views<Name>, path: Path, label: string): Place<Name>[] {
  const names = new Set(Object.values(views).flatMap((one) => Object.keys(one ?? {})));
  return [...names].flatMap((name) =>
    differingPlaces(
      each(views, (one) => (isObject(one) && Object.hasOwn(one, name) ? one[name] : undefined)),
      [...path, name],
      memberText(label, name),
    ),
  );
}

function inElements<Name extends string>(views: Views<Name>, path: Path, label: string): Place<Name>[] {
  const lists: unknown[][] = Object.values(views).filter(Array.isArray);
  const names = lists.map((list) => list.map(nameIn));
  const isAligned = names.every((one) => equalJson(one, names[0]));
  if (isAligned && lists.every((list) => list.every(isObject))) {
    return (lists[0] ?? []).flatMap((_, index) =>
      differingPlaces(
        each(views, (one) => (Array.isArray(one) ? one[index] : undefined)),
        [...path, index],
        `${label}[${index}]`,
      ),
    );
  }
  const areNamed = names.every(
    (one) => one.every((name) => name !== null) && new Set(one).size === one.length,
  );
  return areNamed ? byName(views, path, label) : [{ ...views, path, label }];
}

/** Null for what has no name: then elements are told by their places alone. */
function nameIn(element: unknown): string | null {
  return isObject(element) && typeof element.name === "string" ? element.name : null;
}

function byName<Name extends string>(views: Views<Name>, path: Path, label: string): Place<Name>[] {
  const orders = each(views, (list) => (Array.isArray(list) ? list.map(nameIn) : undefined));
  const all = Object.values(orders).flatMap((one) => (one as string[] | undefined) ?? []);
  const inside = [...new Set(all)].flatMap((name) =>
    differingPlaces(
      each(views, (list) =>
        Array.isArray(list) ? list.find((one: unknown) => nameIn(one) === name) : undefined,
      ),
      [...path, name],
      `${label}[${JSON.stringify(name)}]`,
    ),
  );
  return isMoved(orders) ? [...inside, { ...orders, path, label: `${label} (order)` }] : inside;
}

/** True where what the console's list and another have in common stands in another order: what was only added or removed moves nothing. */
function isMoved(orders: Views<never>): boolean {
  const common = (one: unknown, other: unknown) =>
    Array.isArray(one) && Array.isArray(other) ? one.filter((name) => other.includes(name)) : [];
  return Object.values(orders).some((one) => !equalJson(common(one, orders.live), common(orders.live, one)));
}
