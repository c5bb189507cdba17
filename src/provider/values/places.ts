import deepDiff from "deep-diff";
import type { ResourceDefinition } from "../schema/define";
import { elementName, equalJson, isObject, mapped } from "../schema/json";
import { type Path, valueAt } from "../schema/path";
import { treeOf } from "../schema/tree";
import { UNKNOWN, unknownText } from "../schema/unknown";
import { type ShownPlace, shownArgument, shownElement, shownMember } from "../texts/argument-names";
import { meaning, sameMeaning } from "./compare";
import type { Values } from "./walk";

/** A place at which the values of an argument are not all the same, with what each source has there. */
export interface Place extends Values {
  readonly path: Path;
  /** As a user reads it: `rules[0].passPercentage`, `rules["Staff"]`. */
  readonly label: string;
  /** The values are the names of a list's elements, in their order. */
  readonly isOrder?: true;
}

/**
 * The innermost places at which the values of an argument differ in meaning. Only the sources that are given count, an undefined one
 * too. Elements stand for each other by name; without names by their places, while there are as many of them.
 */
export function differingPlaces(definition: ResourceDefinition, name: string, values: Values): Place[] {
  const given: [string, unknown][] = Object.entries(values);
  const isAsBefore = (index: number) =>
    sameMeaning(definition, name, given[index - 1]?.[1], given[index]?.[1]);
  if (given.every((_, index) => index === 0 || isAsBefore(index))) return [];
  const shown = shownArgument(definition, name);
  // All that a digest tells is that the values are others.
  if (treeOf(definition)[name]?.node.valueType !== undefined)
    return [{ ...values, path: [name], label: shown.text }];
  let before: unknown;
  const meanings = given.map(([source, value], index) => {
    if (index === 0 || !isAsBefore(index)) before = meaning(definition, name, value) ?? undefined;
    return [source, before];
  });
  return placesIn({ ...(Object.fromEntries(meanings) as Values), path: [name], shown });
}

/** A place that may have others inside. */
interface Outer extends Values {
  readonly path: Path;
  readonly shown: ShownPlace;
}

function placesIn({ path, shown, ...values }: Outer): Place[] {
  const all: unknown[] = Object.values(values);
  const { live } = values;
  if (all.every((one) => equalJson(one, live))) return [];
  const there = all.filter((one) => one !== undefined);
  const isWhole =
    live === undefined || (there.length < all.length && there.every((one) => equalJson(one, live)));
  if (!isWhole && there.every(isObject)) {
    return differingMembers(live, all).flatMap((name) => {
      const inside = mapped(values, (one) =>
        isObject(one) && Object.hasOwn(one, name) ? one[name] : undefined,
      );
      const inner = isOpen(name) ? shownElement(shown, unknownText) : shownMember(shown, name);
      return placesIn({ ...inside, path: [...path, name], shown: inner });
    });
  }
  const lists = there.filter((one) => Array.isArray(one));
  return isWhole || lists.length < there.length
    ? [{ ...values, path, label: shown.text }]
    : placesInLists({ ...values, path, shown }, lists);
}

/** True for an element whose name is not known yet: no text shows the mark of that. */
const isOpen = (step: string | number): boolean => step === UNKNOWN;

/** Members in which an object differs from any of the others; every member where another is not there. */
function differingMembers(live: unknown, others: readonly unknown[]): string[] {
  const changes = others.flatMap((one) => deepDiff.diff(live, one) ?? []);
  const changed = new Set(changes.map(({ path }) => path?.[0]));
  const names = new Set(others.flatMap((one) => Object.keys(one ?? {})));
  return [...names].filter((name) => changed.has(undefined) || changed.has(name));
}

function placesInLists({ path, shown, ...values }: Outer, lists: readonly unknown[][]): Place[] {
  const names = lists.map((list) => list.map(elementName));
  const inside = (step: string | number, find: (list: unknown[]) => unknown) =>
    placesIn({
      ...mapped(values, (one) => (Array.isArray(one) ? find(one) : undefined)),
      path: [...path, step],
      shown: shownElement(shown, isOpen(step) ? unknownText : JSON.stringify(step)),
    });
  const isAligned = names.every((one) => equalJson(one, names[0]));
  if (isAligned && lists.every((list) => list.every(isObject)))
    return (lists[0] ?? []).flatMap((_, index) => inside(index, (list) => list[index]));
  const areNamed = names.every(
    (one) => one.every((name) => name !== undefined) && new Set(one).size === one.length,
  );
  if (!areNamed) return [{ ...values, path, label: shown.text }];
  const places = [...new Set(names.flat() as string[])].flatMap((name) =>
    inside(name, (list) => list.find((one) => elementName(one) === name)),
  );
  const orders: Values = mapped(values, orderOf);
  return isMoved(orders)
    ? [...places, { ...orders, path, label: `${shown.text} (order)`, isOrder: true }]
    : places;
}

/** The names of a list's elements, in their order. */
export function orderOf(list: unknown): unknown {
  return Array.isArray(list) ? list.map(elementName) : undefined;
}

/** True where another list has what it shares with the live one in another order: additions and removals move nothing. */
function isMoved(orders: Values): boolean {
  const common = (one: unknown, other: unknown) =>
    Array.isArray(one) && Array.isArray(other) ? one.filter((name) => other.includes(name)) : [];
  return Object.values(orders).some((one) => !equalJson(common(one, orders.live), common(orders.live, one)));
}

/** The value at a path, where a name leads to the element of a list that has it; undefined where nothing is there. */
export function valueIn(values: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      Array.isArray(value) && typeof step === "string"
        ? value.find((one) => elementName(one) === step)
        : valueAt(value, [step]),
    values,
  );
}

/** A path with names in place of indices, where the elements have names. */
export function namesFor(values: unknown, path: Path): Path {
  let value = values;
  return path.map((step) => {
    const element = valueIn(value, [step]);
    const name = Array.isArray(value) ? elementName(element) : undefined;
    value = element;
    return name ?? step;
  });
}
