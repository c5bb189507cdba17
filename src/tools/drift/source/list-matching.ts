import { isObject } from "../../../provider/schema/json";
import { matchedPlaces } from "../../../provider/values/matching";

/** How elements of a list are told apart. */
export interface MatchRule {
  /** The member that names an element; undefined where there is none. */
  readonly key: string | undefined;
  readonly same: (one: unknown, other: unknown) => boolean;
}

/**
 * The place in the program's list of what stands for each live element, undefined where nothing does: that of the same name, else
 * one that means the same, also but for its name, and where neither has a name the next one that is left.
 */
export function literalPlaces(
  live: readonly unknown[],
  literals: readonly unknown[],
  { key, same }: MatchRule,
): (number | undefined)[] {
  const name = (element: unknown) => {
    const value = isObject(element) && key !== undefined ? element[key] : undefined;
    return typeof value === "string" ? value : undefined;
  };
  const without = (element: unknown) =>
    isObject(element) && key !== undefined ? { ...element, [key]: undefined } : element;
  return matchedPlaces(live, literals, [
    { key: name },
    { same },
    { same: (one, other) => isObject(one) && isObject(other) && same(without(one), without(other)) },
    {
      same: (one, other) =>
        name(one) === undefined && name(other) === undefined && isObject(one) === isObject(other),
    },
  ]);
}
