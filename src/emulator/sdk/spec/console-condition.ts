import {
  type ConditionOperator,
  conditionOperators,
} from "../../../provider/definitions/parts/condition-operators";
import type { JsonObject } from "../../../provider/schema/json";
import { conditionPlaces, namesOfAny, segmentOf } from "./conditions";
import type { SpecCondition } from "./spec";

/** A condition of the document, as far as it is read: the service may write less than all of it. */
export type ReadCondition = Pick<SpecCondition, "type"> &
  Partial<Pick<SpecCondition, "operator" | "targetValue" | "field" | "idType">>;

/** Condition types of the console, by where server SDKs look for what they mean. */
const typesByPlace = new Map(
  Object.entries(conditionPlaces).flatMap(([type, place]) =>
    place === null ? [] : [[placeOf(...place), type]],
  ),
);

/**
 * The condition of the console for one of a server SDK: the way back from `specConditions`. Undefined for a draw of
 * units, which no condition of the console is.
 */
export function consoleCondition(condition: ReadCondition): JsonObject | undefined {
  const { type, operator, field, targetValue, idType } = condition;
  const compared = { operator: operatorOf(condition), targetValue };
  switch (type) {
    case "user_bucket":
      return undefined;
    case "public":
      return { type };
    case "pass_gate":
      return askingOf("passes", targetValue);
    case "fail_gate":
      return askingOf("fails", targetValue);
    case "unit_id":
      return operator === "in_segment_list"
        ? { type: "passes_segment", targetValue }
        : { type, customID: idType, ...compared };
    case "user_field":
    case "experiment_group": {
      const known = typesByPlace.get(placeOf(type, field));
      return { type: known ?? (type === "user_field" ? "custom_field" : type), field, ...compared };
    }
    default:
      return { type: typesByPlace.get(placeOf(type, field)) ?? type, ...compared };
  }
}

function placeOf(type: string, field: string | null | undefined): string {
  return JSON.stringify([type, field ?? null]);
}

const operators: readonly [string, ConditionOperator][] = Object.entries(conditionOperators);

function operatorOf({ operator, targetValue }: ReadCondition): string | null | undefined {
  if (targetValue !== null && targetValue !== undefined) return operator;
  return operators.find(([, { sdkName }]) => sdkName !== undefined && sdkName === operator)?.[0] ?? operator;
}

function askingOf(verb: "passes" | "fails", target: unknown): JsonObject {
  const name = String(target);
  const names = namesOfAny(name) ?? [name];
  const segments = names.map(segmentOf).filter((id) => id !== undefined);
  return segments.length === names.length
    ? { type: `${verb}_segment`, targetValue: segments }
    : { type: `${verb}_gate`, targetValue: names };
}
