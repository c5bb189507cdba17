import { isObject } from "../core/json";

/** How elements of a list are told apart. */
export interface Telling {
  /** The member that names an element; undefined where there is none. */
  readonly key: string | undefined;
  readonly same: (one: unknown, other: unknown) => boolean;
}

/**
 * Which element of a list each element of another one stands for: that of the same name, else one that means the same, also
 * but for its name, and where neither has a name the next one that is left.
 */
export function matchedElements(
  current: readonly unknown[],
  wanted: readonly unknown[],
  { key, same }: Telling,
): (number | undefined)[] {
  const found: (number | undefined)[] = wanted.map(() => undefined);
  const left = new Set(current.keys());
  const match = (test: (one: unknown, other: unknown) => boolean) => {
    wanted.forEach((element, index) => {
      if (found[index] !== undefined) return;
      const at = [...left].find((place) => test(current[place], element));
      if (at === undefined) return;
      found[index] = at;
      left.delete(at);
    });
  };
  const name = (element: unknown) => {
    const value = isObject(element) && key !== undefined ? element[key] : undefined;
    return typeof value === "string" ? value : undefined;
  };
  const without = (element: unknown) =>
    isObject(element) && key !== undefined ? { ...element, [key]: undefined } : element;
  match((one, other) => name(one) !== undefined && name(one) === name(other));
  match((one, other) => same(one, other));
  match((one, other) => isObject(one) && isObject(other) && same(without(one), without(other)));
  match(
    (one, other) => name(one) === undefined && name(other) === undefined && isObject(one) === isObject(other),
  );
  return found;
}
