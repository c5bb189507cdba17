import type { JsonObject } from "../../src/provider/schema/json";
import type { RulesInForce } from "../../src/provider/words/reach-changes";
import { Dice } from "../world/dice";

/** The moment of every check: times before it are past. */
export const now = Date.UTC(2026, 10, 22);

const shares = [0, 0, 1, 10, 20, 50, 80, 100, 100, 100];
const names = ["All", "Staff", "Kiwis", "Block", "Beta"];
const conditions: readonly JsonObject[] = [
  ...[{ type: "public" }, { type: "public" }, { type: "public" }],
  { type: "country", operator: "any", targetValue: ["NZ"] },
  { type: "country", operator: "any", targetValue: ["nz"] },
  { type: "country", operator: "any", targetValue: ["AU", "NZ"] },
  { type: "country", operator: "none", targetValue: ["NZ"] },
  { type: "country", operator: "any", targetValue: [] },
  { type: "email", operator: "str_contains_any", targetValue: ["@example.com"] },
  { type: "email", operator: "str_contains_none", targetValue: ["example"] },
  { type: "email", operator: "any", targetValue: ["Ann@Example.com"] },
  { type: "email", operator: "is_null" },
  { type: "email", operator: "str_matches", targetValue: "^ann" },
  { type: "custom_field", field: "age", operator: "gt", targetValue: 17 },
  { type: "custom_field", field: "age", operator: "lte", targetValue: 40 },
  { type: "custom_field", field: "plan", operator: "any_case_sensitive", targetValue: ["Pro"] },
  { type: "custom_field", field: "plan", operator: "any", targetValue: ["pro"] },
  { type: "custom_field", field: "tags", operator: "array_contains_any", targetValue: ["a", "b"] },
  { type: "custom_field", field: "tags", operator: "array_contains_none", targetValue: ["a"] },
  { type: "app_version", operator: "version_gte", targetValue: "2.4" },
  { type: "app_version", operator: "version_lt", targetValue: "2.4.0" },
  { type: "time", operator: "before", targetValue: now - 1e10 },
  { type: "time", operator: "after", targetValue: now - 1e10 },
  { type: "passes_segment", targetValue: ["staff"] },
  { type: "fails_segment", targetValue: ["staff", "beta"] },
  { type: "passes_segment", targetValue: ["beta"] },
  { type: "environment_tier", operator: "any", targetValue: ["production"] },
];
const environments = [null, null, null, null, ["production"], ["staging"], ["production", "staging"]];

function ruleOf(dice: Dice, name: unknown): JsonObject {
  const own = Array.from({ length: dice.below(4) === 0 ? 2 : 1 }, () => dice.one(conditions));
  const rule = { passPercentage: dice.one(shares), environments: dice.one(environments), conditions: own };
  return { name, ...rule };
}

/** Rules after one change that somebody may make. */
function changed(dice: Dice, rules: readonly JsonObject[]): JsonObject[] {
  const at = dice.below(rules.length + 1);
  const { [at]: rule = ruleOf(dice, "All") } = rules;
  const other = ruleOf(dice, rule.name);
  const free = names.filter((name) => rules.every((has) => has.name !== name));
  const put = (...now: JsonObject[]) => rules.toSpliced(at, 1, ...now);
  const moves: (() => JsonObject[])[] = [
    () => put({ ...rule, passPercentage: other.passPercentage }),
    () => put({ ...rule, conditions: other.conditions }),
    () => put({ ...rule, environments: other.environments }),
    () => put(),
    () => [ruleOf(dice, dice.one(free)), ...rules],
    () => [...rules.slice(1), ...rules.slice(0, 1)],
    () => rules.toReversed(),
    () => rules.map((each, place) => ({ ...each, name: rules[rules.length - 1 - place]?.name })),
  ];
  return dice.one(moves)();
}

/** A gate before and after a change. */
export interface Case {
  readonly before: RulesInForce & { readonly rules: readonly JsonObject[] };
  readonly after: RulesInForce & { readonly rules: readonly JsonObject[] };
}

export function caseOf(seed: number): Case {
  const dice = new Dice(seed);
  const rules = names.slice(0, dice.below(4)).map((name) => ruleOf(dice, name));
  const once = changed(dice, rules);
  const after = dice.below(3) === 0 ? changed(dice, once) : once;
  const reaches = ["rules", "rules", "rules", "rules", "rules", "nobody", "everybody"] as const;
  return {
    before: { rules, reach: dice.one(reaches) },
    after: { rules: after, reach: dice.one(reaches) },
  };
}
