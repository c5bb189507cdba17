import { audienceText, conditionText, isEverybody } from "../../provider/words";
import { consoleCondition } from "../sdk/spec/console-condition";
import type { Condition } from "./specs";

/** Conditions of the document in words; those that everybody meets are left out. */
export function conditionWords(conditions: readonly Condition[]): string[] {
  return conditions.flatMap((one) => {
    const said = consoleCondition(one);
    if (said === undefined) return ["in the share that is drawn for it"];
    return isEverybody(said) ? [] : [conditionText(said)];
  });
}

/** That a user has no value, or no list, where a condition looks for a list: `tags is not set`. */
export function absenceWords(condition: Condition, lacks: "value" | "list" | undefined): string | undefined {
  if (lacks === undefined) return undefined;
  const unset = conditionWords([{ ...condition, operator: "eq", targetValue: null }]).join("");
  return lacks === "value" ? unset : unset.replace(/is not set$/, "is no list");
}

/** Whom conditions are for: `users in NZ`, `everyone`. A draw says nothing of them. */
export function audienceOf(conditions: readonly Condition[], idType: string | undefined): string {
  const said = conditions.map(consoleCondition).filter((one) => one !== undefined);
  return audienceText(said, { idType });
}
