import { consoleCondition } from "../emulator/sdk/console-condition";
import { audienceText, conditionText, isEverybody } from "../plain-words";
import type { Condition } from "./specs";

/** Conditions of the document in words; those that everybody meets are left out. */
export function conditionWords(conditions: readonly Condition[]): string[] {
  return conditions.flatMap((one) => {
    const said = consoleCondition(one);
    if (said === undefined) return ["in the share that is drawn for it"];
    return isEverybody(said) ? [] : [conditionText(said)];
  });
}

/** Whom conditions are for: `users in NZ`, `everyone`. A draw says nothing of them. */
export function audienceOf(conditions: readonly Condition[], idType: string | undefined): string {
  const said = conditions.map(consoleCondition).filter((one) => one !== undefined);
  return audienceText(said, { idType });
}
