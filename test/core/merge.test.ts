import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { meaning, sameMeaning } from "../../src/provider/values/compare";
import { withUnseenChanges } from "../../src/provider/values/merge";
import { caseCount } from "../support/sample";
import { configRules, programValue } from "./arbitraries";
import { editsOf, memberEdit, moved, type Rules, seenRules, share } from "./rule-edits";

const definition = catalog.gate;
const merging = (wanted: Rules, seen: Rules, live: Rules) =>
  withUnseenChanges(definition, "rules", { program: wanted, seen, live });
const merged = (wanted: Rules, seen: Rules, live: Rules) => merging(wanted, seen, live).value as Rules;
const expectSame = (one: unknown, other: unknown) => {
  if (!sameMeaning(definition, "rules", one, other)) expect(one).toEqual(other);
};

const textOf = (value: unknown) => JSON.stringify(value);
const theProgram = editsOf("p_");
const theConsole = editsOf("c_");
const check = <T>(property: fc.IProperty<T>) => fc.assert(property, { numRuns: caseCount(100, 3000) });

describe("rules that a program and people in the console change", () => {
  test("are what the program says, or what the console has, where the other changed nothing", () => {
    check(
      fc.property(seenRules, theProgram, (seen, edit) => {
        expectSame(merged(edit(seen), seen, seen), edit(seen));
        expectSame(merged(seen, seen, edit(seen)), edit(seen));
      }),
    );
  });

  test("hold both changes, where they are at different places", () => {
    check(
      fc.property(seenRules, memberEdit, memberEdit, (seen, program, console) => {
        const placeOf = ({ at, member }: typeof program) => `${at % seen.length} ${member}`;
        fc.pre(seen.length > 0 && placeOf(program) !== placeOf(console));
        const [wanted, live] = [program.apply(seen), console.apply(seen)];
        expectSame(merged(wanted, seen, live), console.apply(wanted));
      }),
    );
  });

  test("keep the order of the console, where the program changes content, and the other way round", () => {
    check(
      fc.property(seenRules, moved, memberEdit, (seen, order, content) => {
        fc.pre(seen.length > 1);
        const byContent = content.apply(seen);
        const both = order(byContent);
        expectSame(merged(byContent, seen, order(seen)), both);
        expectSame(merged(order(seen), seen, byContent), both);
      }),
    );
  });

  test("without a conflict, hold what both changed, whoever was the program; merged again they are the same", () => {
    const sorted = <T>(list: readonly T[]) =>
      list.toSorted((one, other) => (textOf(one) < textOf(other) ? -1 : 1));
    // What both add stands in one order or the other; of two conditions that are alike nobody knows which was changed.
    const textsIn = (condition: JsonObject) => Object.values(condition).flat().map(textOf);
    const inOneOrder = (rules: unknown) =>
      sorted(
        ((meaning(definition, "rules", rules) ?? []) as JsonObject[]).map(({ conditions = [], ...rest }) =>
          textOf([rest, sorted((conditions as JsonObject[]).flatMap(textsIn))]),
        ),
      );
    let without = 0;
    check(
      fc.property(seenRules, theProgram, theConsole, (seen, program, console) => {
        const [wanted, live] = [program(seen), console(seen)];
        const [one, other] = [merging(wanted, seen, live), merging(live, seen, wanted)];
        expectSame(merged(one.value as Rules, seen, live), one.value);
        expect(one.conflicts.length > 0).toBe(other.conflicts.length > 0);
        if (one.conflicts.length > 0) return;
        without += 1;
        expect(inOneOrder(one.value)).toEqual(inOneOrder(other.value));
      }),
    );
    expect(without).toBeGreaterThan(30);
  });

  test("are in conflict where both changed the same place, and there they are the program's", () => {
    check(
      fc.property(seenRules, fc.nat(5), share, share, (seen, at, ours, theirs) => {
        fc.pre(seen.length > 0);
        const place = at % seen.length;
        const set = (passPercentage: number) => seen.with(place, { ...seen[place], passPercentage } as never);
        const was = seen[place]?.passPercentage;
        fc.pre(was !== ours);
        const { value, conflicts } = merging(set(ours), seen, set(theirs));
        expectSame(value, set(ours));
        const path = ["rules", place, "passPercentage"];
        const isConflict = theirs !== ours && theirs !== was;
        expect(conflicts).toMatchObject(isConflict ? [{ path, seen: was, program: ours, live: theirs }] : []);
      }),
    );
  });

  test("lose none that nobody removed, and get none twice", () => {
    check(
      fc.property(seenRules, theProgram, theConsole, (seen, program, console) => {
        const [wanted, live] = [program(seen), console(seen)];
        const names = merged(wanted, seen, live).map(({ name }) => name);
        const find = (rules: Rules, name: string) => rules.find((one) => one.name === name);
        const expected = [...new Set([...wanted, ...live].map(({ name }) => name))].filter((name) => {
          const [was, ours] = [find(seen, name), find(wanted, name)];
          if (was === undefined) return true;
          if (ours === undefined) return false;
          // What the console removed comes back only where the program has changed it.
          return find(live, name) !== undefined || !sameMeaning(definition, "rules", [was], [ours]);
        });
        expect(names.toSorted()).toEqual(expected.toSorted());
      }),
    );
  });
});

describe("conditions, which have no names", () => {
  const email = { type: "email", operator: "any", targetValue: ["a"] };
  const user = { type: "user_id", operator: "any", targetValue: ["u"] };
  const country = { type: "country", operator: "none", targetValue: ["XX"] };
  const emails = { ...email, targetValue: ["a", "b"] };
  const none = { operator: "none" };
  const [noEmail, noEmails] = [
    { ...email, ...none },
    { ...emails, ...none },
  ];
  const rule = (...its: readonly JsonObject[]): Rules => [{ name: "A", passPercentage: 10, conditions: its }];

  test.each<[string, wanted: JsonObject[], live: JsonObject[], expected: JsonObject[]]>([
    ["in another order, keep what was changed", [user, email], [emails, user], [user, emails]],
    ["moved by the console, take the program's change", [emails, user], [user, email], [user, emails]],
    ["one replaced by another is not mixed with it", [country, user], [noEmails, user], [country, user]],
    ["two members of one", [noEmail, user], [emails, user], [noEmails, user]],
  ])("%s", (_, wanted, live, expected) => {
    expectSame(merged(rule(...wanted), rule(email, user), rule(...live)), rule(...expected));
  });
});

test.each<[string, string, fc.Arbitrary<unknown>]>([
  ["rules", "rules", configRules],
  ["a value", "defaultValue", fc.dictionary(fc.constantFrom("a", "b", "c"), programValue)],
])("%s of a config: nobody's change is lost, and merged again they are the same", (_, name, values) => {
  const of = catalog.dynamicConfig;
  const result = (wanted: unknown, seen: unknown, live: unknown) =>
    withUnseenChanges(of, name, { program: wanted, seen, live }).value;
  const expectMeant = (one: unknown, other: unknown) => {
    if (!sameMeaning(of, name, one, other)) expect(one).toEqual(other);
  };
  check(
    fc.property(values, values, values, (one, other, live) => {
      expectMeant(result(one, other, other), one);
      expectMeant(result(other, other, one), one);
      expectMeant(result(one, other, one), one);
      const once = result(one, other, live);
      expectMeant(result(once, other, live), once);
    }),
  );
});
