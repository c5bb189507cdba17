import { type ConditionOperator, conditionOperator } from "../definitions/parts/condition-operators";
import { type ConditionType, conditionType } from "../definitions/parts/condition-types";
import { isObject, type JsonObject } from "../schema/json";
import type { Path } from "../schema/path";
import { holdsUnknown, UNKNOWN } from "../schema/unknown";
import { versionOrder } from "./reach-values";

/**
 * Why nobody gets what a rule gives: "share": its percentage is 0; "environments": it holds in none; "empty list": a condition
 * asks for one of no values; "contradiction": two of its parts exclude each other.
 */
export interface DeadRule {
  readonly why: "share" | "environments" | "empty list" | "contradiction";
  /** Places inside the rule that say so. */
  readonly paths: readonly Path[];
}

/**
 * True where a rule decides for everybody who comes to it, whatever its percentage: whoever is not in the percentage does not
 * pass, and goes to no later rule. It may do so in some environments only.
 */
export function isCatchAll(rule: unknown): boolean {
  return isObject(rule) && environmentsOf(rule) !== undefined && conditionsOf(rule).every(holdsAlways);
}

/** Why nobody gets what a rule gives, as far as the rule alone tells; undefined where somebody may. */
export function whyNobody(rule: unknown): DeadRule | undefined {
  if (!isObject(rule)) return undefined;
  if (Array.isArray(rule.environments) && rule.environments.length === 0)
    return { why: "environments", paths: [["environments"]] };
  const conditions = conditionsOf(rule);
  const empty = conditions.findIndex(asksForNothing);
  if (empty >= 0) return { why: "empty list", paths: [["conditions", empty, "targetValue"]] };
  const paths = contradictionIn(rule, conditions);
  if (paths !== undefined) return { why: "contradiction", paths };
  return shareIsZero(rule) ? { why: "share", paths: [["passPercentage"]] } : undefined;
}

/** In which environments a rule can hold. */
export type Environments = "all" | ReadonlySet<unknown>;

/** Where a rule can hold, by its environments and its conditions; undefined where that is not known yet. */
export function environmentsOf(rule: JsonObject): Environments | undefined {
  const lists: unknown[] = [
    rule.environments,
    ...conditionsOf(rule)
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

function conditionsOf(rule: JsonObject): readonly unknown[] {
  return Array.isArray(rule.conditions) ? rule.conditions : rule.conditions === UNKNOWN ? [UNKNOWN] : [];
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
  const shares = Array.isArray(variants) ? variants : [];
  return shares.length > 0 && shares.every((one) => isObject(one) && one.passPercentage === 0);
}

function contradictionIn(rule: JsonObject, conditions: readonly unknown[]): Path[] | undefined {
  const known = conditions.flatMap((one, at) => (isObject(one) && !holdsUnknown(one) ? [{ one, at }] : []));
  for (const { one, at } of known) {
    const other = known.find((later) => later.at > at && exclude(one, later.one));
    if (other !== undefined)
      return [
        ["conditions", at],
        ["conditions", other.at],
      ];
  }
  const holdsIn = environmentsOf(rule);
  const tier = known.find(({ one }) => typeOf(one)?.environment === true && isOneOf(one));
  if (tier === undefined || holdsIn === undefined || holdsIn === "all" || holdsIn.size > 0) return undefined;
  return [["environments"], ["conditions", tier.at]];
}

/** True for two conditions that never hold together. */
function exclude(one: JsonObject, other: JsonObject): boolean {
  return excludesNext(one, other) || excludesNext(other, one);
}

function excludesNext(one: JsonObject, other: JsonObject): boolean {
  if (typeOf(one)?.asks === "in" && typeOf(one)?.opposite === other.type)
    return isSubset([one.targetValue].flat(), [other.targetValue].flat());
  if (one.type !== other.type || (one.field ?? null) !== (other.field ?? null)) return false;
  if ((one.customID ?? null) !== (other.customID ?? null)) return false;
  if (operatorOf(other) === "is_null")
    return operatorOf(one) === "is_not_null" || isOneOf(one) || traitsOf(one)?.bound !== undefined;
  if (isOneOf(one) && isList(one) && isList(other)) return excludesValues(one, other);
  return areApart(one, other);
}

function isList({ targetValue }: JsonObject): boolean {
  return Array.isArray(targetValue) && targetValue.length > 0;
}

function isSubset(values: readonly unknown[], of: readonly unknown[]): boolean {
  return values.length > 0 && values.every((value) => value !== undefined && of.includes(value));
}

/** Of two conditions on one value, whether the first takes none that the second takes. Texts without case, where both say so. */
function excludesValues(one: JsonObject, other: JsonObject): boolean {
  const operator = operatorOf(other);
  const bothExact = operatorOf(one) === "any_case_sensitive" && operator === "any_case_sensitive";
  const textOf = (value: unknown) => (bothExact ? String(value) : String(value).toLowerCase());
  const taken = (one.targetValue as unknown[]).map(textOf);
  const others = (other.targetValue as unknown[]).map(textOf);
  if (isOneOf(other)) return taken.every((value) => !others.includes(value));
  if (operator === "none") return taken.every((value) => others.includes(value));
  if (operator !== "none_case_sensitive" || operatorOf(one) !== "any_case_sensitive") return false;
  return isSubset(one.targetValue as unknown[], other.targetValue as unknown[]);
}

/** True for a lower bound above an upper one. Both must count the same way: as numbers, or as versions. */
function areApart(one: JsonObject, other: JsonObject): boolean {
  const [low, high] = [traitsOf(one)?.bound, traitsOf(other)?.bound];
  if (low === undefined || high === undefined || low.side === "upper" || high.side === "lower") return false;
  const isVersion = [one, other].map((condition) => traitsOf(condition)?.compares === "version");
  if (isVersion[0] !== isVersion[1]) return false;
  const order = isVersion[0]
    ? versionOrder(only(one.targetValue), only(other.targetValue))
    : numberOrder(one.targetValue, other.targetValue);
  if (order === undefined) return false;
  if (low.side === "exactly" && high.side === "exactly") return order !== 0;
  return order > 0 || (order === 0 && (low.isOpen || high.isOpen));
}

function only(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

function numberOrder(one: unknown, other: unknown): number | undefined {
  const [left, right] = [only(one), only(other)].map((value) =>
    typeof value === "number" || (typeof value === "string" && value.trim() !== "")
      ? Number(value)
      : Number.NaN,
  ) as [number, number];
  return Number.isNaN(left - right) ? undefined : left - right;
}
