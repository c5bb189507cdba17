import { type ConditionOperator, conditionOperator } from "../definitions/parts/condition-operators";
import { type ConditionType, conditionType } from "../definitions/parts/condition-types";
import { isObject, type JsonObject, listIn } from "../schema/json";
import type { Path } from "../schema/path";
import { holdsUnknown, UNKNOWN } from "../schema/unknown";
import { conditionsIn, holdForNobody, marked, type Part, partsOf } from "./reach-space";

/**
 * Why nobody gets what a rule gives: "share": its percentage is 0; "environments": it holds in none; "empty list": a condition
 * asks for one of no values; "condition": some never hold; "contradiction": its parts exclude each other.
 */
export interface DeadRule {
  readonly why: "share" | "environments" | "empty list" | "condition" | "contradiction";
  /** Places inside the rule that say so. */
  readonly paths: readonly Path[];
}

/**
 * True where a rule decides for everybody who comes to it, whatever its percentage: whoever is not in the percentage does not
 * pass, and goes to no later rule. It may do so in some environments only.
 */
export function isCatchAll(rule: unknown): boolean {
  return isObject(rule) && environmentsOf(rule) !== undefined && conditionsIn(rule).every(holdsAlways);
}

/**
 * Reason why no user gets the value of a rule, from the rule alone; undefined where a user may.
 * @param now milliseconds since 1970: no check comes before it any more. Left out: any time counts
 */
export function whyNobody(rule: unknown, now?: number): DeadRule | undefined {
  if (!isObject(rule)) return undefined;
  if (Array.isArray(rule.environments) && rule.environments.length === 0)
    return { why: "environments", paths: [["environments"]] };
  const empty = conditionsIn(rule).findIndex(asksForNothing);
  if (empty >= 0) return { why: "empty list", paths: [["conditions", empty, "targetValue"]] };
  return (
    exclusion(rule, now) ?? (shareIsZero(rule) ? { why: "share", paths: [["passPercentage"]] } : undefined)
  );
}

/** The conditions that never hold, else the first two parts that exclude each other, else all that do so together. */
function exclusion(rule: JsonObject, now: number | undefined): DeadRule | undefined {
  const [known] = marked([rule], "rule");
  const parts = partsOf(known);
  const isDead = (some: readonly Part[]) => holdForNobody(some, now);
  if (!isDead(parts)) return undefined;
  const pathsOf = (some: readonly Part[]) => some.map(({ path }) => path);
  const alone = parts.filter((one) => isDead([one]));
  if (alone.length > 0) return { why: "condition", paths: pathsOf(alone) };
  const pairs = parts.flatMap((one, at) => parts.slice(at + 1).map((other) => [one, other]));
  return { why: "contradiction", paths: pathsOf(pairs.find(isDead) ?? parts) };
}

/** In which environments a rule can hold. */
export type Environments = "all" | ReadonlySet<unknown>;

/** Environments in which a rule can hold, by its own list and its conditions; undefined where they are not known yet. */
export function environmentsOf(rule: JsonObject): Environments | undefined {
  const lists: unknown[] = [
    rule.environments,
    ...conditionsIn(rule)
      .filter(isObject)
      .filter((one) => typeOf(one)?.environment === true && isOneOf(one))
      .map((one) => [one.targetValue].flat()),
  ].filter((list) => list !== undefined && list !== null);
  if (lists.some(holdsUnknown)) return undefined;
  const sets = lists.filter((list) => Array.isArray(list)).map((list) => new Set<unknown>(list));
  return sets.length === 0
    ? "all"
    : new Set([...(sets[0] ?? [])].filter((name) => sets.every((set) => set.has(name))));
}

function holdsAlways(condition: unknown): boolean {
  if (!isObject(condition) || condition.type === UNKNOWN) return false;
  if (typeOf(condition)?.everyone === true) return true;
  // Its environments are those of the rule.
  if (typeOf(condition)?.environment === true && isOneOf(condition)) return true;
  return traitsOf(condition)?.whenEmpty === "always" && isEmptyList(condition.targetValue);
}

function typeOf({ type }: JsonObject): ConditionType | undefined {
  return conditionType(type);
}

function operatorOf(condition: JsonObject): string {
  const said = typeof condition.operator === "string" ? condition.operator : "";
  return said === "" && typeOf(condition)?.environment === true ? "any" : said;
}

function traitsOf(condition: JsonObject): ConditionOperator | undefined {
  return conditionOperator(operatorOf(condition));
}

function isOneOf(condition: JsonObject): boolean {
  return traitsOf(condition)?.list === "one of";
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function asksForNothing(condition: unknown): boolean {
  if (!isObject(condition) || !isEmptyList(condition.targetValue)) return false;
  return traitsOf(condition)?.whenEmpty === "never" || typeOf(condition)?.asks === "in";
}

function shareIsZero({ passPercentage, variants }: JsonObject): boolean {
  if (passPercentage !== undefined && passPercentage !== null) return passPercentage === 0;
  const shares = listIn(variants);
  return shares.length > 0 && shares.every((one) => isObject(one) && one.passPercentage === 0);
}
