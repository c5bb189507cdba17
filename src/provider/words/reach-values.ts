import { type ConditionOperator, conditionOperator } from "../definitions/parts/condition-operators";
import { conditionType, operatorAt } from "../definitions/parts/condition-types";
import type { JsonObject } from "../schema/json";

/** A value that a unit may have; undefined: none. */
export type Value = string | number | readonly string[] | undefined;

/** So many texts to contain are combined one with another; more count as independent of each other. */
export const mostCombined = 6;

/** The comparison of an operator; undefined for one that no SDK knows. */
export function sortOf(condition: JsonObject): ConditionOperator["compares"] {
  const compares = conditionOperator(operatorOf(condition))?.compares;
  // Only of the clock a time is known: no SDK compares the time in a field.
  return (compares === "time") === (conditionType(condition.type)?.clock === true) ? compares : undefined;
}

/** An operator as server SDKs read it. Source: console-api/specs.md, section 4. */
export function operatorOf({ type, operator }: JsonObject): string {
  const said = typeof operator === "string" && operator !== "" ? operator : "any";
  return operatorAt(type, said);
}

function traitsOf(condition: JsonObject): ConditionOperator | undefined {
  return conditionOperator(operatorOf(condition));
}

/** Every set of some of the items. */
export function subsetsOf<Item>(items: readonly Item[]): Item[][] {
  return items.reduce<Item[][]>((sets, item) => sets.flatMap((set) => [set, [...set, item]]), [[]]);
}

/** The values of a condition, as texts. */
export function listOf(value: unknown): string[] {
  return value === undefined || value === null ? [] : [value].flat().map(String);
}

/** A value that a unit may have. */
export interface Sample {
  readonly value: Value;
  /** A condition names it. */
  readonly isNamed?: true;
}

const separator = "\u0001";
/** A text that nobody names. */
const fresh = `${separator}${separator}`;

/** Values of which each way to answer the conditions has one at least. */
export function samplesOf(conditions: readonly JsonObject[], now: number | undefined): Sample[] {
  const [first] = conditions;
  const targets = conditions.map((one) => listOf(one.targetValue));
  switch (first === undefined ? undefined : sortOf(first)) {
    case "number":
      return [undefined, ...around(targets.flat().map(Number))].map((value) => ({ value }));
    case "time":
      return around(targets.flat().map(timeOf), now).map((value) => ({ value }));
    case "version":
      return [undefined, "0", ...targets.flat().flatMap((one) => [one, `${numeric(one)}.0.0.0.1`])].map(
        (value) => ({ value }),
      );
    case "array": {
      const elements = [...new Set(targets.flat())];
      const sets = elements.length > mostCombined ? [] : subsetsOf(elements);
      return [undefined, fresh, ...sets, ...sets.map((set) => [...set, fresh])].map((value) => ({ value }));
    }
    default:
      return textSamples(conditions);
  }
}

function textSamples(conditions: readonly JsonObject[]): Sample[] {
  const named = new Map<string, string>();
  const isExact = conditions.some((one) => traitsOf(one)?.exact === true);
  const lists = conditions.filter((one) => traitsOf(one)?.list !== undefined);
  for (const text of lists.flatMap(({ targetValue }) => listOf(targetValue))) {
    const id = isExact ? text : text.toLowerCase();
    if (!named.has(id)) named.set(id, text);
  }
  const exact = [...named.values()];
  const others = isExact ? exact.flatMap((text) => otherCases(text).filter((one) => !named.has(one))) : [];
  const needles = needlesOf(conditions);
  const combined = needles.length > mostCombined ? [] : subsetsOf(needles).filter((set) => set.length > 0);
  return [
    ...[undefined, fresh].map((value) => ({ value })),
    ...exact.map((value): Sample => ({ value, isNamed: true })),
    ...[...others, ...combined.map((set) => `${separator}${set.join(separator)}${separator}`)].map(
      (value) => ({ value }),
    ),
  ];
}

function needlesOf(conditions: readonly JsonObject[]): string[] {
  const asked = conditions.filter((one) => traitsOf(one)?.contains === true);
  return [
    ...new Set(asked.flatMap(({ targetValue }) => listOf(targetValue).map((one) => one.toLowerCase()))),
  ];
}

function otherCases(text: string): string[] {
  const swapped = [...text]
    .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join("");
  return [text.toUpperCase(), text.toLowerCase(), swapped].filter((one) => one !== text);
}

/** Numbers on, between and around bounds. */
function around(bounds: readonly number[], least?: number): number[] {
  const sorted = [...new Set(bounds.filter(Number.isFinite))].sort((one, other) => one - other);
  const between = sorted.flatMap((one, at) => [
    one,
    at + 1 < sorted.length ? (one + (sorted[at + 1] ?? one)) / 2 : one + 1,
  ]);
  const all = [(sorted[0] ?? 0) - 1, ...between];
  return least === undefined ? all : [least, ...all.filter((one) => one > least)];
}

/** True for a value that meets a condition; undefined where it may or may not. */
export type Test = (value: Value) => boolean | undefined;

/** Decides as server SDKs do. `all`: every condition about the same. */
export function testOf(condition: JsonObject, all: readonly JsonObject[], now: number | undefined): Test {
  const operator = operatorOf(condition);
  const target = listOf(condition.targetValue);
  switch (sortOf(condition)) {
    case "number":
      return numberTest(operator, Number(target[0] ?? Number.NaN));
    case "version":
      return versionTest(operator, target[0]);
    case "array":
      return arrayTest(operator, target, all);
    case "time":
      return timeTest(operator, timeOf(target[0] ?? ""), now);
    default:
      return textTest(operator, target, needlesOf(all).length > mostCombined);
  }
}

function textTest(operator: string, target: readonly string[], isOpen: boolean): Test {
  const { exact: isExact, list, contains, whenEmpty, presence, pattern } = conditionOperator(operator) ?? {};
  const folded = isExact ? target : target.map((one) => one.toLowerCase());
  const set = new Set(folded);
  return (value) => {
    if (presence !== undefined) return (value === undefined) === (presence === "absent");
    // One SDK looks for the pattern in the word "undefined".
    if (pattern === true) return undefined;
    if (value === undefined) return whenEmpty === "always";
    const text = isExact ? String(value) : String(value).toLowerCase();
    if (contains !== true) return set.has(text) === (list === "one of");
    if (isOpen && String(value) === fresh && target.length > 0) return undefined;
    return folded.some((one) => text.includes(one)) === (whenEmpty === "never");
  };
}

/** True for a difference to the value of a condition with which an operator holds. */
function isInOrder(operator: string, difference: number): boolean {
  return conditionOperator(operator)?.order?.some((sign) => sign === Math.sign(difference)) === true;
}

function numberTest(operator: string, bound: number): Test {
  return (value) => {
    if (typeof value !== "number" || Number.isNaN(bound)) return false;
    return isInOrder(operator, value - bound);
  };
}

function arrayTest(operator: string, target: readonly string[], all: readonly JsonObject[]): Test {
  const elements = conditionOperator(operator)?.elements;
  const isOpen = new Set(all.flatMap(({ targetValue }) => listOf(targetValue))).size > mostCombined;
  return (value) => {
    if (!Array.isArray(value)) return isOpen && value === fresh ? undefined : false;
    const has = (one: string) => value.includes(one);
    if (elements === "any" || elements === "none") return target.some(has) === (elements === "any");
    return target.every(has) === (elements === "all");
  };
}

const dayMs = 86_400_000;

function timeTest(operator: string, bound: number, now: number | undefined): Test {
  return (value) => {
    if (Number.isNaN(bound)) return false;
    // The day is one of the place where the SDK runs.
    if (conditionOperator(operator)?.day === true)
      return now !== undefined && bound + 2 * dayMs < now ? false : undefined;
    return isInOrder(operator, Number(value) - bound);
  };
}

function timeOf(text: string): number {
  return Number.isNaN(Number(text)) ? Date.parse(text) : Number(text);
}

/** The part of a version that counts. */
function numeric(version: string): string {
  return version.split("-")[0] ?? "";
}

/** The numbers of a version; undefined for what is none. What follows a hyphen does not count. */
function versionNumbers(version: unknown): number[] | undefined {
  return typeof version === "string" && /^\d+(\.\d+)*(-|$)/.test(version)
    ? numeric(version).split(".").map(Number)
    : undefined;
}

/** Missing parts count as 0. Undefined where one of the two is no version. Source: console-api/specs.md, section 4. */
function versionOrder(one: unknown, other: unknown): number | undefined {
  const [left, right] = [versionNumbers(one), versionNumbers(other)];
  if (left === undefined || right === undefined) return undefined;
  for (let part = 0; part < Math.max(left.length, right.length); part++) {
    const difference = (left[part] ?? 0) - (right[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function versionTest(operator: string, bound: unknown): Test {
  return (value) => {
    const order = versionOrder(value, bound);
    return order !== undefined && isInOrder(operator, order);
  };
}
