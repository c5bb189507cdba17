import fc from "fast-check";
import type { JsonObject } from "../../src/provider/schema/json";
import { gateRules } from "./arbitraries";

type Rule = JsonObject & { readonly name: string };
/** Rules of a gate. */
export type Rules = readonly Rule[];
/** What somebody does to rules. */
export type Edit = (rules: Rules) => Rules;

/** A percentage. */
export const share = fc.integer({ min: 0, max: 100 });
const lists = fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 4 });
const condition = fc.record({
  type: fc.constantFrom("email", "user_id"),
  operator: fc.constantFrom("any", "none"),
  targetValue: lists,
});
const conditions = fc.array(condition, { maxLength: 3 });

const members = fc.oneof(
  share.map((value) => ["passPercentage", value] as const),
  conditions.map((value) => ["conditions", value] as const),
  lists.map((value) => ["environments", value] as const),
);

/** Sets one member of the rule at a place. */
export const memberEdit = fc.tuple(fc.nat(5), members).map(([at, [member, value]]) => ({
  at,
  member,
  apply: (rules: Rules) =>
    rules.map((rule, index) => (index === at % rules.length ? { ...rule, [member]: value } : rule)),
}));

const added = (prefix: string): fc.Arbitrary<Edit> =>
  fc
    .tuple(fc.nat(5), fc.integer({ min: 1, max: 99 }), share, conditions)
    .map(([at, name, passPercentage, its]) => (rules) => {
      const rule = { name: `${prefix}${name}`, passPercentage, conditions: its, environments: [] };
      if (rules.some((one) => one.name === rule.name)) return rules;
      return rules.toSpliced(at % (rules.length + 1), 0, rule);
    });
const removed: fc.Arbitrary<Edit> = fc
  .nat(5)
  .map((at) => (rules) => rules.filter((_, index) => index !== at % rules.length));
/** Puts one rule at another place. */
export const moved: fc.Arbitrary<Edit> = fc.tuple(fc.nat(5), fc.nat(5)).map(([from, to]) => (rules) => {
  const one = rules[from % rules.length];
  if (one === undefined) return rules;
  return rules.filter((other) => other !== one).toSpliced(to % rules.length, 0, one);
});

/** Anything that somebody may do to rules. New rules of two people have different names. */
export function editsOf(prefix: string): fc.Arbitrary<Edit> {
  const edit = fc.oneof(
    memberEdit.map(({ apply }): Edit => apply),
    added(prefix),
    removed,
    moved,
  );
  const inTurn = (edits: Edit[]) => (rules: Rules) => edits.reduce((now, one) => one(now), rules);
  return fc.array(edit, { maxLength: 4 }).map(inTurn);
}

/** Rules before anybody edits them. Environments are said: what a rule leaves out is the console's. */
export const seenRules = gateRules.map((rules) =>
  rules.map((rule) => ({ ...rule, environments: rule.environments ?? ["production"] })),
) as unknown as fc.Arbitrary<Rules>;
