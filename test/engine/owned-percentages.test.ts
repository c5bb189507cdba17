import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { changesOf } from "../../src/provider/decisions/plan";
import { catalog } from "../../src/provider/definitions";
import { type Updated, withoutUnannounced } from "../../src/provider/engine/edits/unannounced";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { objectValues, stateOf } from "../../src/provider/values/managed";
import { editsOf, type Rules, seenRules, share } from "../core/rule-edits";

const owns = { rollout: "console" };

/** The rules that an update would send; those that are there, where it sends none. */
function sentRules(
  definition: ResourceDefinition,
  { applied, wanted, live, ...more }: Record<"applied" | "wanted" | "live", Rules> & { owns?: object },
): Rules {
  const args = (rules: Rules) => ({ key: "flag_one", ...more, rules });
  const state = stateOf(definition, args(applied), args(applied));
  const now: JsonObject = { id: "flag_one", rules: live };
  const target = {
    definition,
    id: "flag_one",
    program: args(wanted),
    state,
    live: now,
  } as unknown as Updated;
  const { announced } = withoutUnannounced(target);
  const changes = changesOf(definition, objectValues(announced.program, announced.state, now));
  return (changes.rules ?? live) as Rules;
}

const sharesOf = (rules: Rules) =>
  new Map(
    rules.map(({ name, passPercentage, variants = [] }) => [
      name,
      [passPercentage, (variants as Rules).map((one) => [one.name, one.passPercentage])],
    ]),
  );

/** Of every rule that is there by its name, and is still there after. */
function expectNoneMoved(sent: Rules, live: Rules) {
  const after = sharesOf(sent);
  const kept = [...sharesOf(live)].filter(([name]) => after.has(name));
  expect(kept.map(([name]) => [name, after.get(name)])).toEqual(kept);
}

const ramps = fc.array(share, { minLength: 8, maxLength: 8 });
const ramped = (rules: Rules, by: readonly number[]): Rules =>
  rules.map((rule, at) => ({ ...rule, passPercentage: by[at % by.length] }));
const renamed = (rules: Rules, at: number): Rules =>
  rules.map((rule, index) => (index === at % rules.length ? { ...rule, name: "Renamed" } : rule));

test.each([catalog.gate, catalog.dynamicConfig] as ResourceDefinition[])(
  "of $title rules no percentage that the console owns moves, whatever the program and people change",
  (definition) => {
    const [program, people] = [editsOf("p_"), editsOf("c_")];
    fc.assert(
      fc.property(seenRules, program, people, ramps, ramps, (applied, edit, theirs, by, ours) => {
        const live = ramped(theirs(applied), by);
        const sent = sentRules(definition, { applied, wanted: ramped(edit(applied), ours), live, owns });
        expectNoneMoved(sent, live);
      }),
      { numRuns: 100 },
    );
  },
);

test("a renamed rule keeps its percentage", () => {
  fc.assert(
    fc.property(seenRules, fc.nat(5), ramps, ramps, (applied, at, by, ours) => {
      fc.pre(applied.length > 0);
      const conditions = (index: number) => [
        { type: "email", operator: "any", targetValue: [`${index}@example.com`] },
      ];
      const before = applied.map((one, index) => ({ ...one, conditions: conditions(index) }));
      const live = ramped(before, by);
      const wanted = ramped(renamed(before, at), ours);
      const sent = sentRules(catalog.gate, { applied: before, wanted, live, owns });
      expect(sharesOf(sent)).toEqual(sharesOf(renamed(live, at)));
    }),
    { numRuns: 100 },
  );
});

test("variants keep theirs, also where others come and go", () => {
  const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { minLength: 1 });
  const variants = (of: readonly string[], by: readonly number[]) =>
    of.map((name, at) => ({ name, passPercentage: by[at], returnValue: { name } }));
  fc.assert(
    fc.property(names, names, ramps, ramps, ramps, (first, second, by, ours, theirs) => {
      const rule = (its: JsonObject[]): Rules => [
        { name: "A", passPercentage: 10, conditions: [], returnValue: {}, variants: its },
      ];
      const live = rule(variants(first, theirs));
      const sent = sentRules(catalog.dynamicConfig, {
        applied: rule(variants(first, by)),
        wanted: rule(variants(second, ours)),
        live,
        owns,
      });
      expectNoneMoved((sent[0]?.variants ?? []) as Rules, (live[0]?.variants ?? []) as Rules);
    }),
    { numRuns: 100 },
  );
});

test("a schedule keeps what it moves, unless the program changes that very percentage", () => {
  fc.assert(
    fc.property(seenRules, ramps, ramps, fc.nat(5), (applied, by, ours, at) => {
      fc.pre(applied.length > 0);
      const steps = { pendingAutomatedRollouts: [{ passPercent: 100, time: 1 }] };
      const live = ramped(applied, by).map((rule) => ({ ...rule, ...steps }));
      const place = at % applied.length;
      const own = ours[place];
      fc.pre(own !== applied[place]?.passPercentage);
      const wanted = applied.map((rule, index) =>
        index === place ? { ...rule, passPercentage: own } : rule,
      );
      const sent = sharesOf(sentRules(catalog.gate, { applied, wanted, live }));
      expect(sent).toEqual(
        sharesOf(live.map((rule, index) => (index === place ? { ...rule, passPercentage: own } : rule))),
      );
    }),
    { numRuns: 100 },
  );
});
