import { conditionOperator } from "../../../provider/definitions/parts/condition-operators";
import {
  type ConditionTypeName,
  conditionType,
  operatorAt,
} from "../../../provider/definitions/parts/condition-types";
import type { JsonObject } from "../../../provider/schema/json";
import { conditionsOf } from "../../console/rules/rules";
import type { Translation } from "../reading";
import {
  type Condition,
  conditionOf,
  everybody,
  failing,
  fromEnvironments,
  gateBetween,
  passing,
  type Rule,
  ruleOf,
  type Spec,
} from "./spec";

/**
 * Field that server SDKs compare for a condition type of the console (console-api/specs.md, section 4). Null: in no one place,
 * so that the type is translated by a way of its own, or by none.
 */
export const conditionPlaces: Readonly<
  Record<ConditionTypeName, readonly [type: string, field: string | null] | null>
> = {
  user_id: ["user_field", "userID"],
  email: ["user_field", "email"],
  app_version: ["user_field", "appVersion"],
  ip_address: ["user_field", "ip"],
  locale: ["user_field", "locale"],
  user_agent: ["user_field", "userAgent"],
  url: ["user_field", "url"],
  device_model: ["user_field", "device_model"],
  browser_name: ["ua_based", "browser_name"],
  browser_version: ["ua_based", "browser_version"],
  os_name: ["ua_based", "os_name"],
  os_version: ["ua_based", "os_version"],
  country: ["ip_based", "country"],
  environment_tier: ["environment_field", "tier"],
  time: ["current_time", null],
  target_app: ["target_app", null],
  ...{ custom_field: null, unit_id: null, experiment_group: null, javascript: null, public: null },
  ...{ passes_gate: null, fails_gate: null, passes_segment: null, fails_segment: null },
};

/** The conditions of a rule, with the environments that it is for. */
export function specConditions(object: Translation, rule: JsonObject): Condition[] {
  const tell = (what: string): void => object.tell(`rule "${String(rule.name)}": ${what}`);
  const own = conditionsOf(rule).map((condition) => translate({ ...object, tell }, condition));
  return Array.isArray(rule.environments) ? [...own, fromEnvironments(rule.environments)] : own;
}

/** Whom a rule of people is for: its conditions, and its share of those who meet them. */
export function drawOf(object: Translation, rule: JsonObject): Omit<Rule, "name" | "returnValue"> {
  return {
    id: String(rule.id ?? rule.name),
    // The id changes with the percentage: only what stays keeps those in who passed.
    salt: String(rule.baseID ?? rule.id ?? rule.name),
    passPercentage: Number(rule.passPercentage ?? 100),
    conditions: specConditions(object, rule),
  };
}

function translate(object: Translation, condition: JsonObject): Condition {
  const { tell } = object;
  const { type, field, customID } = condition;
  const { everyone, refersTo: asked, asks } = conditionType(type) ?? {};
  if (everyone === true) return everybody;
  if (asked !== undefined && asks !== undefined) return asking(object, asked, condition);
  if (type === "custom_field") {
    const name = String(field);
    const additionalValues = { custom_field: name };
    return { ...compared(tell, condition, "user_field", name), additionalValues };
  }
  if (type === "unit_id") return { ...compared(tell, condition, type, null), idType: String(customID) };
  if (type === "experiment_group") {
    tell("statsig-node does not know experiment_group: there the condition never holds");
    return compared(tell, condition, type, String(field ?? condition.experiment ?? ""));
  }
  const place = conditionType(type) === undefined ? null : conditionPlaces[type as ConditionTypeName];
  if (place === null) {
    tell(`no server SDK evaluates a condition of type ${String(type)}: the SDK answers its default`);
    return conditionOf({ type: String(type) });
  }
  return compared(tell, condition, ...place);
}

function compared(
  tell: Tell,
  { type, operator: said, targetValue }: JsonObject,
  specType: string,
  field: string | null,
): Condition {
  const operator = typeof said === "string" && said !== "" ? said : "any";
  const base = { type: specType, field };
  const { sdkName, words, compares } = conditionOperator(operator) ?? {};
  if (sdkName !== undefined) return conditionOf({ ...base, operator: sdkName });
  if (words !== undefined && compares === undefined)
    tell(`no server SDK evaluates the operator ${operator}: the SDK answers its default`);
  const meant = operatorAt(type, operator);
  const target = [targetValue ?? []].flat();
  return conditionOf({ ...base, operator: meant, targetValue: targetFor(tell, meant, target) });
}

/** A target value in the one form that both SDKs read. */
function targetFor(tell: Tell, operator: string, target: readonly unknown[]): unknown {
  const [first = null] = target;
  const { compares, pattern } = conditionOperator(operator) ?? {};
  if (pattern === true)
    return target.length > 1 ? target.map((one) => `(?:${String(one)})`).join("|") : String(first ?? "");
  switch (compares) {
    case "number":
      return numberFor(tell, operator, first, Number(first));
    case "time":
      return numberFor(tell, operator, first, timeOf(first));
    case "version":
      return first === null ? null : String(first);
    default:
      return target.map(String);
  }
}

const timeOf = (said: unknown): number =>
  Number.isNaN(Number(said)) ? Date.parse(String(said)) : Number(said);

type Tell = (what: string) => void;

function numberFor(tell: Tell, operator: string, said: unknown, read: number): number | null {
  if (said !== null && Number.isFinite(read)) return read;
  tell(`the operator ${operator} takes a number, not ${JSON.stringify(said)}: the condition never holds`);
  return null;
}

/** A condition on gates or segments. One on several holds when one of them passes, which takes a gate in between. */
function asking({ reading, head }: Translation, kind: string, { type, targetValue }: JsonObject): Condition {
  const how = conditionType(type)?.asks === "not in" ? failing : passing;
  const names = [targetValue ?? []]
    .flat()
    .map((id) => (kind === "segment" ? segmentName(String(id)) : String(id)));
  const [only] = names;
  if (names.length === 1 && only !== undefined) return how(only);
  const between = anyOf(names, head.idType);
  reading.addGate(between);
  return how(between.name);
}

const segmentPrefix = "segment:";

/** The name of a segment among the gates of the document. */
export const segmentName = (id: string): string => `${segmentPrefix}${id}`;

/** The segment that has such a name among the gates; undefined for the name of a gate. */
export const segmentOf = (name: string): string | undefined =>
  name.startsWith(segmentPrefix) ? name.slice(segmentPrefix.length) : undefined;

const anyPrefix = segmentName("any of ");

/** The names between which a gate of ours stands, by its own; undefined for any other gate. */
export function namesOfAny(name: string): string[] | undefined {
  if (!name.startsWith(`${anyPrefix}[`)) return undefined;
  try {
    return JSON.parse(name.slice(anyPrefix.length)) as string[];
  } catch {
    // A person may give a segment such a name.
    return undefined;
  }
}

function anyOf(names: readonly string[], idType: string): Spec {
  const rules = names.map((one) => ruleOf({ id: one, conditions: [passing(one)], returnValue: true }));
  return gateBetween(`${anyPrefix}${JSON.stringify(names)}`, rules, idType);
}
