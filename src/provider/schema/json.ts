import type { Path } from "./path";

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A JSON object whose members are not known beforehand. */
export type JsonObject = Record<string, unknown>;

/** True for a plain object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object that a text of JSON holds; undefined for any other text. */
export function objectFrom(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** False for a value that is left out, and for null. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The name of an element of a list; undefined where it has none. */
export function elementName(element: unknown): string | undefined {
  return isObject(element) && typeof element.name === "string" ? element.name : undefined;
}

/** The elements of a list; none where it is no list. */
export function listIn(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}

/** The objects of a list; none where it is no list. */
export function objectsIn(list: unknown): JsonObject[] {
  return listIn(list).filter(isObject);
}

/** The texts of a list; none where it is no list. */
export function textsIn(list: unknown): string[] {
  return listIn(list).map(String);
}

/** The members of an object that have those names. */
export function picked<Value>(
  values: Readonly<Record<string, Value>>,
  names: readonly string[],
): Record<string, Value> {
  const found = names.filter((name) => name in values);
  return membersOf(found, (name) => values[name] as Value);
}

/** An object with those of its members that fit. */
export function kept<Value>(
  values: Readonly<Record<string, Value>>,
  fits: (name: string, value: Value) => boolean,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => fits(name, value)));
}

/** An object without the members that are left out or null. */
export function givenIn<Value>(values: Readonly<Record<string, Value>>): Record<string, Value> {
  return kept(values, (_, value) => isGiven(value));
}

/** An object with a member of each of these names. */
export function membersOf<To>(names: readonly string[], make: (name: string) => To): Record<string, To> {
  return Object.fromEntries(names.map((name) => [name, make(name)]));
}

/** An object with other values for its members. */
export function mapped<From, To>(
  values: Readonly<Record<string, From>>,
  make: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, make(value, name)]));
}

/** A value with other parts, at any depth: those in whose place `make` puts something else. It is not asked about parts of these. */
export function remade(
  value: unknown,
  make: (part: unknown, path: Path) => unknown,
  path: Path = [],
): unknown {
  const other = make(value, path);
  if (other !== value) return other;
  if (Array.isArray(value)) return value.map((one: unknown, index) => remade(one, make, [...path, index]));
  return isObject(value) ? mapped(value, (one, name) => remade(one, make, [...path, name])) : value;
}

/** `array`, `null`, or the type of JavaScript. */
export const jsonType = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value;

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

/** A part of a text that its sound form does not hold as it stands there. */
export interface Loss {
  readonly path: Path;
  /** A part of a sentence. */
  readonly why: string;
}

/** By object or list of a sound form: members that were left out or are not as in the text. A pure fact of the value. */
const losses = new WeakMap<object, Map<string, string>>();

function noteLoss(holder: object, name: string, why: string): void {
  losses.set(holder, (losses.get(holder) ?? new Map<string, string>()).set(name, why));
}

/** By object or list: the digits that stand in the console, or go there, for numbers which a double rounds. */
const exactDigits = new WeakMap<object, Map<string, string>>();

let areDigitsNoted = false;

/** Notes the digits of a member that is the nearest number to them. */
export function noteDigits(holder: object, name: string | number, digits: string): void {
  areDigitsNoted = true;
  exactDigits.set(holder, (exactDigits.get(holder) ?? new Map<string, string>()).set(String(name), digits));
}

/** The digits that a member stands for; undefined where it is exact, or nobody knows. */
export function digitsAt(holder: object, name: string | number): string | undefined {
  return exactDigits.get(holder)?.get(String(name));
}

/** Notes the digits of a member of one holder at another one, where that has the number too. @returns true where there are any. */
export function keepDigits(
  from: object,
  name: string | number,
  to: object,
  toName: string | number,
  value: unknown,
): boolean {
  const digits = typeof value === "number" ? digitsAt(from, name) : undefined;
  if (digits === undefined || Number(digits) !== value) return false;
  noteDigits(to, toName, digits);
  return true;
}

/** True for the text of a number of which a double has not all digits. */
export function losesDigits(text: string): boolean {
  return digitsIn(text) !== digitsIn(String(Number(text)));
}

/** Writes a number as the digits say, which `JSON.stringify` itself cannot (ES2026). */
const rawJson = (JSON as typeof JSON & { readonly rawJSON: (text: string) => unknown }).rawJSON;

/** The JSON of a value, with every digit that is noted of its numbers. */
export function exactJson(value: unknown): string {
  if (!areDigitsNoted) return JSON.stringify(value);
  return JSON.stringify(value, function (this: object, name, member: unknown) {
    const digits = typeof member === "number" ? digitsAt(this, name) : undefined;
    return digits !== undefined && Number(digits) === member ? rawJson(digits) : member;
  });
}

/** Differences between the text of a value and the value, which {@link parseSound} has made. */
export function lossesOf(value: unknown, path: Path = []): Loss[] {
  if (typeof value !== "object" || value === null) return [];
  const step = (name: string) => [...path, Array.isArray(value) ? Number(name) : name];
  const own = [...(losses.get(value) ?? [])].map(([name, why]) => ({ path: step(name), why }));
  return [...own, ...Object.entries(value).flatMap(([name, one]) => lossesOf(one, step(name)))];
}

/**
 * The value of a JSON text as a state can hold it: half surrogate pairs become U+FFFD, -0 becomes 0, numbers have the digits of a
 * double, and members called `__proto__` go, because neither a program nor Pulumi's wire can say them. {@link lossesOf} tells
 * where.
 * @throws SyntaxError for what is no JSON, RangeError that completes "the answer ..." for a value that nothing could hold.
 */
export function parseSound(text: string): unknown {
  return sound(/[\d.]{16}/.test(text) ? parseNotingDigits(text) : JSON.parse(text), 0);
}

function parseNotingDigits(text: string): unknown {
  const reviver = function (this: object, name: string, value: unknown, { source }: { source?: string }) {
    if (typeof value === "number" && digitsIn(String(source)) !== digitsIn(String(value))) {
      noteLoss(this, name, "no program keeps all digits of this number");
      if (Number.isInteger(value)) noteDigits(this, name, String(source));
    }
    return value;
  };
  try {
    return JSON.parse(text, reviver as (this: unknown, name: string, value: unknown) => unknown);
  } catch (error) {
    // With a function JSON.parse calls itself for each level, and ends where the stack does.
    throw error instanceof RangeError ? tooDeep() : error;
  }
}

const tooDeep = () => new RangeError(`is nested more than ${deepestLevel} levels deep`);

function digitsIn(number: string): string {
  return number
    .replace(/e.*$/i, "")
    .replace(/[-+.]/g, "")
    .replace(/^0+|0+$/g, "");
}

/** The same value: what `JSON.parse` has just made is nobody's yet, so it is corrected in its place. */
function sound(value: unknown, level: number): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new RangeError("holds a number that is too large");
    return value === 0 ? 0 : value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (level >= deepestLevel) throw tooDeep();
  const holder = value as JsonObject;
  for (const [given, member] of Object.entries(holder)) {
    if (given === "__proto__") {
      delete holder[given];
      noteLoss(holder, given, "no program can set a member of this name");
      continue;
    }
    const [name, fit] = [given.toWellFormed(), sound(member, level + 1)];
    if (name !== given) delete holder[given];
    if (!Object.is(holder[name], fit)) holder[name] = fit;
    if (name !== given || (typeof fit === "string" && fit !== member))
      noteLoss(holder, name, "no text can hold half a character");
  }
  return holder;
}
