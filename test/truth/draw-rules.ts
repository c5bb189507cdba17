import type { JsonObject } from "../../src/provider/schema/json";
import type { Dice } from "../world/dice";

export type Rule = JsonObject & { name: string; passPercentage: number };

const audiences: Readonly<Record<string, readonly JsonObject[]>> = {
  Everyone: [{ type: "public" }],
  All: [{ type: "public" }],
  Oceania: [{ type: "country", operator: "any", targetValue: ["AU", "NZ"] }],
  Kiwis: [{ type: "country", operator: "any", targetValue: ["NZ"] }],
  Mail: [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }],
  Pros: [{ type: "custom_field", field: "plan", operator: "any", targetValue: ["pro"] }],
  Staff: [{ type: "passes_segment", targetValue: { $id: "segment.staff" } }],
  Friends: [{ type: "passes_gate", targetValue: { $id: "gate.circle" } }],
  Abroad: [{ type: "country", operator: "none", targetValue: ["NZ"] }],
  ProKiwis: [
    { type: "country", operator: "any", targetValue: ["NZ"] },
    { type: "custom_field", field: "plan", operator: "any", targetValue: ["pro"] },
  ],
  Begun: [{ type: "time", operator: "after", targetValue: Date.UTC(2020, 0, 1) }],
  Over: [{ type: "time", operator: "before", targetValue: Date.UTC(2020, 0, 1) }],
};
const audienceNames = Object.keys(audiences);
export const shares = [0, 1, 10, 50, 80, 100];

function ruleOf(dice: Dice, name: string): Rule {
  const environments = dice.weighted<string[] | undefined>([
    [undefined, 7],
    [["production"], 2],
    [["staging"], 1],
  ]);
  return {
    ...{ name, passPercentage: dice.one(shares), conditions: audiences[name] },
    ...(environments === undefined ? {} : { environments }),
  };
}

export function rulesOf(dice: Dice): Rule[] {
  const names = audienceNames.filter(() => dice.roll() < 0.22);
  return names.toSorted(() => dice.roll() - 0.5).map((name) => ruleOf(dice, name));
}

export function editedRules(dice: Dice, kind: string, rules: readonly Rule[]): Rule[] {
  const missing = audienceNames.filter((name) => !rules.some((rule) => rule.name === name));
  const at = dice.below(Math.max(rules.length, 1));
  const fresh = (): Rule => {
    const rule = ruleOf(dice, dice.one(missing));
    return kind === "gate" ? rule : { ...rule, returnValue: { most: 20 } };
  };
  const how = dice.weighted([
    ["share", rules.length > 0 ? 6 : 0],
    ["remove", rules.length > 0 ? 1 : 0],
    ["swap", rules.length > 1 ? 2 : 0],
    ["environment", rules.length > 0 ? 1 : 0],
    ["rename", rules.length > 0 ? 1 : 0],
    ["audience", rules.length > 0 ? 1 : 0],
    ["add", missing.length > 0 ? 3 : 0],
  ] as const);
  const changed = (members: JsonObject) =>
    rules.map((rule, index) => (index === at ? ({ ...rule, ...members } as Rule) : rule));
  switch (how) {
    case "share":
      return changed({ passPercentage: dice.one(shares) });
    case "remove":
      return rules.filter((_, index) => index !== at);
    case "swap":
      return rules.toSorted(() => dice.roll() - 0.5);
    case "environment":
      return changed({ environments: [dice.one(["production", "staging"])] });
    case "rename":
      return changed({ name: "Some people" });
    case "audience":
      return changed({ conditions: audiences[dice.one(audienceNames)] });
    case "add":
      return rules.toSpliced(dice.below(rules.length + 1), 0, fresh());
  }
}
