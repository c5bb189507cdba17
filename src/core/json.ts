/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A JSON object whose members are not known beforehand. */
export type JsonObject = Record<string, unknown>;

/** True for a plain object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Equality of two JSON values; the order of object members does not matter, that of array elements does. */
export function equalJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => equalJson(item, right[index]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && equalJson(left[name], right[name]))
  );
}

/** Text that is the same for values that {@link equalJson} calls equal: members are sorted by name. */
export function stableText(value: unknown): string {
  // A replacer costs more than all else of a text.
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  return (
    JSON.stringify(value, (_, item) =>
      isObject(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
    ) ?? "undefined"
  );
}

/** A scalar as text, anything else as its JSON: `String` would call what an object of an answer has for `toString`. */
export function textOf(value: unknown): string {
  return typeof value === "object" && value !== null ? stableText(value) : String(value);
}

/** Levels of nesting up to which a value can be walked, compared, sent to Pulumi and kept in its state. */
const deepestLevel = 200;

/**
 * A parsed text as a state can hold it: half surrogate pairs become U+FFFD, -0 becomes 0, and members called
 * `__proto__` go, because neither a program nor Pulumi's wire can say them.
 * @throws RangeError that completes "the answer ..." for a value that nothing could hold.
 */
export function soundJson(value: unknown, level = 0): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new RangeError("holds a number that is too large");
    return value === 0 ? 0 : value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (level >= deepestLevel) throw new RangeError(`is nested more than ${deepestLevel} levels deep`);
  if (Array.isArray(value)) return value.map((item) => soundJson(item, level + 1));
  const members = Object.entries(value).filter(([name]) => name !== "__proto__");
  return Object.fromEntries(
    members.map(([name, member]) => [wellFormed(name), soundJson(member, level + 1)]),
  );
}

/** Text with U+FFFD in the place of half surrogate pairs, which no UTF-8 can say. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
