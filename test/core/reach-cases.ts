import type { JsonObject } from "../../src/provider/schema/json";
import type { RulesInForce } from "../../src/provider/words/reach-changes";

/** Draws numbers that are the same for one seed. */
export function dice(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x85ebca6b) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

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

const one = <Item>(roll: (below: number) => number, items: readonly Item[]): Item =>
  items[roll(items.length)] as Item;

function ruleOf(roll: (below: number) => number, name: string): JsonObject {
  const both = roll(4) === 0 ? [one(roll, conditions), one(roll, conditions)] : [one(roll, conditions)];
  return { name, passPercentage: one(roll, shares), environments: one(roll, environments), conditions: both };
}

/** What somebody may do to rules in one change. */
function changed(roll: (below: number) => number, rules: readonly JsonObject[]): JsonObject[] {
  const at = roll(rules.length + 1);
  const [rule = ruleOf(roll, "All")] = rules.slice(at);
  const other = ruleOf(roll, String(rule.name));
  const put = (...now: JsonObject[]) => [...rules.slice(0, at), ...now, ...rules.slice(at + 1)];
  const moves: (() => JsonObject[])[] = [
    () => put({ ...rule, passPercentage: other.passPercentage }),
    () => put({ ...rule, conditions: other.conditions }),
    () => put({ ...rule, environments: other.environments }),
    () => put(),
    () => [
      ruleOf(
        roll,
        one(
          roll,
          names.filter((name) => rules.every((has) => has.name !== name)),
        ),
      ),
      ...rules,
    ],
    () => [...rules.slice(1), ...rules.slice(0, 1)],
    () => [...rules].reverse(),
    () => rules.map((each, place) => ({ ...each, name: rules[rules.length - 1 - place]?.name })),
  ];
  return one(roll, moves)();
}

/** A gate before and after a change. */
export interface Case {
  readonly before: RulesInForce & { readonly rules: readonly JsonObject[] };
  readonly after: RulesInForce & { readonly rules: readonly JsonObject[] };
}

export function caseOf(seed: number): Case {
  const roll = dice(seed);
  const count = roll(4);
  const rules = names.slice(0, count).map((name) => ruleOf(roll, name));
  let is = changed(roll, rules);
  if (roll(3) === 0) is = changed(roll, is);
  const reaches = ["rules", "rules", "rules", "rules", "rules", "nobody", "everybody"] as const;
  return {
    before: { rules, reach: one(roll, reaches) },
    after: { rules: is, reach: one(roll, reaches) },
  };
}
