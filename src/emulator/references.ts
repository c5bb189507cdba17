import type { Operation } from "./behaviour";
import { findItem } from "./items";
import { usualPages } from "./pages";
import { findRule, rulesOf } from "./rules";
import { answerPage } from "./verbs";

/** Objects of a kind that refer to this one. These lists alone declare their range, and refuse what is beyond it. */
export function references(collection: string): Operation {
  return {
    run(call) {
      const { id } = findItem(call);
      const users = call.world.referrers(`${call.behaviour.definition.name}:${id}`, collection);
      const items = users.flatMap((user) => call.world.get(collection, user) ?? []);
      return answerPage(call, items, { ...usualPages, beyond: "refuse" });
    },
  };
}

/** Loads of a rule's results: nothing here has results, so there are none. */
export const pulseLoadHistory: Operation = {
  run(call) {
    findRule(rulesOf(findItem(call).item), call.params.ruleID ?? "");
    return answerPage(call, [], usualPages);
  },
};
