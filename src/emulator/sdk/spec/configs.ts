import { isObject, type JsonObject, objectsIn } from "../../../provider/schema/json";
import { releaseDoubt } from "../../console/releases";
import { rulesOf } from "../../console/rules/rules";
import { called, type Reading } from "../reading";
import { specConditions } from "./conditions";
import { isShut } from "./gates";
import { conditionOf, headOf, ruleOf, type Spec, type SpecCondition, type SpecRule } from "./spec";

/** A dynamic config. One that is off has no rules, so that it answers its default. */
export function dynamicConfigSpec(reading: Reading, item: JsonObject): Spec {
  const id = String(item.id);
  const head = headOf(item);
  const isOn = !isShut(reading, "dynamic_configs", item);
  const object = called("dynamic config", item);
  const doubt = isOn ? releaseDoubt(reading.world, "dynamicConfigID", item, reading.at) : undefined;
  if (doubt !== undefined) reading.doubt("dynamic_configs", id, doubt);
  return {
    ...{ name: id, type: "dynamic_config", entity: "dynamic_config", salt: `config:${id}` },
    ...head,
    enabled: isOn,
    defaultValue: objectOf(item.defaultValue),
    rules: isOn ? rulesOf(item).flatMap((rule) => configRules(reading, object, rule, head.idType)) : [],
  };
}

/** SDKs take objects alone. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** A rule; one with variants becomes a rule for each, and one for those who are in none. */
function configRules(reading: Reading, object: string, rule: JsonObject, idType: string): SpecRule[] {
  const id = String(rule.id);
  const salt = String(rule.baseID ?? rule.id);
  const passPercentage = Number(rule.passPercentage ?? 100);
  const conditions = specConditions(reading, object, rule, idType);
  const groupName = String(rule.name);
  const base = { id, salt, conditions, idType, groupName };
  const variants = objectsIn(rule.variants);
  if (variants.length === 0)
    return [ruleOf({ ...base, passPercentage, returnValue: objectOf(rule.returnValue) })];
  let upTo = 0;
  const forVariants = variants.map((variant) => {
    upTo += Number(variant.passPercentage ?? 0);
    const name = String(variant.name);
    const inside = [...conditions, bucketsBelow(upTo, salt, idType)];
    return ruleOf({
      ...base,
      ...{ id: `${id}:${name}`, groupName: name, passPercentage, conditions: inside },
      returnValue: objectOf(variant.returnValue),
    });
  });
  return [...forVariants, ruleOf({ ...base, passPercentage: 0, returnValue: {} })];
}

/** The units of the first so many percent, by a draw of its own. */
export function bucketsBelow(percent: number, salt: string, idType: string): SpecCondition {
  return conditionOf({
    ...{ type: "user_bucket", operator: "lt", targetValue: Math.round(percent * 10) },
    ...{ additionalValues: { salt }, idType },
  });
}
