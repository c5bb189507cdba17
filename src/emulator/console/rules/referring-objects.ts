import type { JsonObject } from "../../../provider/schema/json";
import { idsOfUsers } from "../../http/marks";
import { type PageRules, usualPages } from "../../http/pagination";
import { findItem, show } from "../../store/items";
import type { Call, Operation } from "../behaviour";
import { answerPage, bodyOf } from "../item-operations";
import { filtered } from "./filters";
import { findRule, rulesOf } from "./rules";

/** Lists of references to a gate alone declare their range, and refuse what is beyond it (console-api, section 4). */
const declaredPages: PageRules = { ...usualPages, whenTooLarge: "refuse" };

/** Objects of a kind that refer to this one. */
export function references(collection: string, pages: PageRules = declaredPages): Operation {
  return (call) => {
    const { id } = findItem(call);
    const found = referring(call, call.behaviour.definition.name, id, collection);
    return answerPage(call, filtered(call, found), pages);
  };
}

/** Objects of a collection that refer to an object of a kind, as answers show them. */
export function referring(call: Call, kind: string, id: string, collection: string): JsonObject[] {
  return idsOfUsers(call.world, kind, id, collection).flatMap((user): JsonObject[] => {
    const item = call.world.get(collection, user);
    return item === undefined ? [] : [show(call, item)];
  });
}

/** Loads of a rule's results: nothing here has results, so there are none. */
export const pulseLoadHistory: Operation = (call) => {
  findRule(rulesOf(findItem(call).item), call.params.ruleID ?? "");
  return answerPage(call, []);
};

/** Results of a rule: of what they are made is not published, and there are none here. */
export const pulseResults: Operation = (call) => {
  findRule(rulesOf(findItem(call).item), call.params.ruleID ?? "");
  return { message: "Results read successfully.", data: {} };
};

/** Nothing is calculated here. */
export const loadPulse: Operation = (call) => {
  findRule(rulesOf(findItem(call).item), String(bodyOf(call).ruleId));
  return { message: "Pulse load started successfully." };
};
