import { isObject, type JsonObject, objectsIn } from "../../../provider/schema/json";
import { rulesOf } from "../../console/rules/rules";
import { type Reading, specOf, type Translation, translationOf } from "../reading";
import { drawOf } from "./conditions";
import { rulesCount } from "./gates";
import { type Condition, conditionOf, type Rule, ruleOf, type Spec } from "./spec";

/** A dynamic config. One that is off has no rules, so that it answers its default. */
export function dynamicConfigSpec(reading: Reading, item: JsonObject): Spec {
  const config = translationOf(reading, "dynamic config", item);
  const { id } = config;
  const isOn = rulesCount(reading, "dynamic_configs", item);
  const names = { name: id, type: "dynamic_config", entity: "dynamic_config", salt: `config:${id}` } as const;
  const rules = isOn ? rulesOf(item).flatMap((rule) => configRules(config, rule)) : [];
  return specOf(config, { ...names, enabled: isOn, defaultValue: objectOf(item.defaultValue) }, rules);
}

/** SDKs take objects alone. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** A rule; one with variants becomes a rule for each, and one for those who are in none. */
function configRules(config: Translation, rule: JsonObject): Rule[] {
  const draw = drawOf(config, rule);
  const base = { ...draw, groupName: String(rule.name) };
  const variants = objectsIn(rule.variants);
  if (variants.length === 0) return [ruleOf({ ...base, returnValue: objectOf(rule.returnValue) })];
  let upTo = 0;
  const forVariants = variants.map((variant) => {
    upTo += Number(variant.passPercentage ?? 0);
    const name = String(variant.name);
    const conditions = [...draw.conditions, bucketsBelow(upTo, draw.salt)];
    return ruleOf({
      ...{ ...base, id: `${draw.id}:${name}`, groupName: name, conditions },
      returnValue: objectOf(variant.returnValue),
    });
  });
  return [...forVariants, ruleOf({ ...base, passPercentage: 0, returnValue: {} })];
}

/** The units of the first so many percent, by a draw of its own. */
export function bucketsBelow(percent: number, salt: string): Condition {
  const targetValue = Math.round(percent * 10);
  return conditionOf({ type: "user_bucket", operator: "lt", targetValue, additionalValues: { salt } });
}
