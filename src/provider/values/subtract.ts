import { equalJson, givenIn, isObject, kept } from "../schema/json";

/**
 * The rest of a live list without our elements: equal elements go; of an object that says the same apart from its lists,
 * our elements of those lists go, and the object itself once they are empty. Null and absent are the same.
 */
export function subtract(live: readonly unknown[], ours: readonly unknown[]): unknown[] {
  return live.flatMap((one) => {
    const same = ours.filter((other) => equalJson(identity(one), identity(other)));
    if (same.length === 0) return [one];
    return isObject(one) && Object.values(one).some(Array.isArray) ? withoutElements(one, same) : [];
  });
}

function withoutElements(one: Record<string, unknown>, same: readonly unknown[]): unknown[] {
  const left = Object.entries(one).map(([name, value]) => {
    const ours = same.flatMap((other) => (isObject(other) && Array.isArray(other[name]) ? other[name] : []));
    return [name, Array.isArray(value) ? subtract(value, ours) : value] as const;
  });
  const isEmpty = left.every(([, value]) => !Array.isArray(value) || value.length === 0);
  return isEmpty ? [] : [Object.fromEntries(left)];
}

/** Members of an element apart from its lists. */
function identity(one: unknown): unknown {
  if (!isObject(one)) return one;
  return kept(givenIn(one), (_, value) => !Array.isArray(value));
}
