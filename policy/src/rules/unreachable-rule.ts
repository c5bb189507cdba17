import { isCatchAll, shadowedRules } from "pulumi-feature-console/facts";
import { defineRule, type Finding, titleOf } from "../rule";

/** A rule that stands after others that decide for all whom it is for does nothing, whatever somebody thinks that it does. */
export const unreachableRule = defineRule<object>({
  name: "unreachable-rule",
  description: "No rule stands after rules that decide for all whom it is for.",
  level: "advisory",
  needs: "program",
  parameters: {},
  judge(object): Finding[] {
    const field = object.kind.rulesField;
    if (field === undefined) return [];
    return shadowedRules(object.args[field]).map(({ at, after }) => {
      const before = after.map((one) => `${field}[${one}]`).join(" and ");
      const rules = object.args[field] as readonly unknown[];
      const whom = after.every((one) => isCatchAll(rules[one])) ? "everybody" : "all whom it is for";
      const decide = after.length === 1 ? "decides" : "decide";
      return {
        message: `${titleOf(object)}: no check comes to ${field}[${at}], because ${before} ${decide} for ${whom} before it. Put it further up, or take it out.`,
      };
    });
  },
  examples: {
    violated: {
      kind: "Gate",
      args: {
        rules: [
          { name: "Everyone", passPercentage: 10, conditions: [{ type: "public" }] },
          {
            name: "Staff",
            passPercentage: 100,
            conditions: [{ type: "passes_segment", targetValue: "staff" }],
          },
        ],
      },
    },
    met: {
      kind: "Gate",
      args: {
        rules: [
          {
            name: "Staff",
            passPercentage: 100,
            conditions: [{ type: "passes_segment", targetValue: "staff" }],
          },
          { name: "Everyone", passPercentage: 10, conditions: [{ type: "public" }] },
        ],
      },
    },
  },
});
