import { expect, test } from "@jest/globals";
import { type Reading, translated } from "../../../src/emulator/sdk/reading";
import { specConditions } from "../../../src/emulator/sdk/spec/conditions";
import { consoleCondition } from "../../../src/emulator/sdk/spec/console-condition";
import { type ConditionType, conditionTypes } from "../../../src/provider/definitions/parts/condition-types";
import type { JsonObject } from "../../../src/provider/schema/json";
import { conditionText } from "../../../src/provider/words";

/** What no SDK is told, so that nothing leads back. */
const untold = new Set(["javascript"]);

const two = ["a", "b"];
const targets: Readonly<Record<string, unknown>> = {
  ...{ texts: two, values: two, text: "1.2", some: "a", number: 1767225600000, none: undefined },
};

const cases = Object.entries<ConditionType>(conditionTypes)
  .filter(([type]) => !untold.has(type))
  .flatMap(([type, { operators, needs }]) => {
    const named = needs === undefined ? {} : { [needs]: "plan" };
    const known: [string, string][] = Object.entries(operators === "any" ? { any: "texts" } : operators);
    return known.map(([operator, shape]): [string, JsonObject] => [
      `${type} ${operator}`,
      {
        ...{ type, ...named, ...(operator === "" ? {} : { operator }) },
        // Several patterns go to an SDK as one.
        targetValue: operator === "str_matches" ? ["a"] : (targets[shape] ?? null),
      },
    ]);
  });

test.each(cases)("%s is said of a server SDK's condition in the same words", (_, condition) => {
  const gate = translated({ tell() {}, addGate() {} } as unknown as Reading, "gate", {});
  const [told] = specConditions(gate, { name: "Rule", conditions: [condition] });
  const back = told === undefined ? undefined : consoleCondition(told);
  expect(conditionText(back)).toBe(conditionText(condition));
});
