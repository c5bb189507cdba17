import { isObject, type JsonObject, objectsIn } from "../../provider/schema/json";
import { changeItem, findItem, findWritable } from "../store/items";
import type { Call, Operation } from "./behaviour";
import { answerItem, answerPage, bodyOf } from "./item-operations";
import { alignRule } from "./rules/aliases";
import { findRule, rulesOf } from "./rules/rules";

/** Names of the rule's place in a path: gates and configs spell it differently. */
const ruleId = ({ params }: Call): string => params.ruleID ?? params.ruleId ?? "";

/**
 * The rules of an object, as an object that holds them or as a list of one such object. The list says 20000 items per
 * page where others say 100 (console-api, section 4).
 */
export const listRules: Operation = (call) => {
  const { item } = findItem(call);
  const data = { rules: rulesOf(item) };
  if (call.route.returns === "item") return { message: "Rules read successfully.", data };
  return answerPage(call, [data], { size: 20_000, most: 20_000, whenTooLarge: "cap" });
};

/** One rule. */
export const getRule: Operation = (call) => ({
  message: "Rule read successfully.",
  data: findRule(rulesOf(findItem(call).item), ruleId(call)),
});

/** Appends a rule. */
export const addRule: Operation = (call) => changeRules(call, (rules) => [...rules, bodyOf(call)]);

/** Appends the rules of the body. */
export const addRules: Operation = (call) =>
  changeRules(call, (rules) => [...rules, ...objectsIn(bodyOf(call).rules)]);

/** Takes the rules of the body in the place of all others. */
export const replaceRules: Operation = (call) => changeRules(call, () => objectsIn(bodyOf(call).rules));

/** Lays the body over one rule. */
export const patchRule: Operation = (call) =>
  changeRules(call, (rules) => {
    const found = findRule(rules, ruleId(call));
    const { id: _id, baseID: _baseID, ...sent } = bodyOf(call);
    const merged = alignRule(call.behaviour.definition, sent, { ...found, ...sent });
    return rules.map((rule) => (rule === found ? merged : rule));
  });

/** Removes one rule. */
export const deleteRule: Operation = (call) =>
  changeRules(call, (rules) => {
    const found = findRule(rules, ruleId(call));
    return rules.filter((rule) => rule !== found);
  });

function changeRules(call: Call, change: (rules: readonly JsonObject[]) => readonly unknown[]) {
  const { id, item } = findWritable(call);
  const rules = change(rulesOf(item)).filter(isObject);
  return answerItem(call, changeItem(call, id, item, { rules }), "updated");
}
