import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { meaning, sameMeaning } from "../../src/provider/values/compare";
import { withUnseenChanges } from "../../src/provider/values/merge";
import { sampleOf } from "../support/sample";
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
const check = <T>(property: fc.IProperty<T>) => fc.assert(property, { numRuns: sampleOf(100, 3000) });

describe("rules that a program and people in the console change", () => {
  test("are what the program says, where nobody changed them in the console", () => {
    check(
      fc.property(seenRules, theProgram, (seen, program) => {
        const wanted = program(seen);
        expectSame(merged(wanted, seen, seen), wanted);
      }),
    );
  });

  test("stay as they are, where the program changed nothing", () => {
    check(
      fc.property(seenRules, theConsole, (seen, console) => {
        const live = console(seen);
        expectSame(merged(seen, seen, live), live);
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

  test("without a conflict, hold what both changed: it does not matter who was the program", () => {
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
        const set = (value: number) =>
          seen.map((one, index) => (index === at % seen.length ? { ...one, passPercentage: value } : one));
        fc.pre(seen[at % seen.length]?.passPercentage !== ours);
        const { value, conflicts } = merging(set(ours), seen, set(theirs));
        expectSame(value, set(ours));
        const was = seen[at % seen.length]?.passPercentage;
        const path = ["rules", at % seen.length, "passPercentage"];
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
        const isIn = (rules: Rules, name: string) => rules.some((one) => one.name === name);
        const expected = [...new Set([...wanted, ...live].map(({ name }) => name))].filter((name) => {
          const was = seen.find((one) => one.name === name);
          if (was === undefined) return true;
          if (!isIn(wanted, name)) return false;
          // What the console removed comes back only where the program has changed it.
          const ours = wanted.find((one) => one.name === name);
          return isIn(live, name) || !sameMeaning(definition, "rules", [was], [ours]);
        });
        expect(names.toSorted()).toEqual(expected.toSorted());
      }),
    );
  });

  test("are the same, merged again", () => {
    check(
      fc.property(seenRules, theProgram, theConsole, (seen, program, console) => {
        const [wanted, live] = [program(seen), console(seen)];
        const once = merged(wanted, seen, live);
        expectSame(merged(once, seen, live), once);
      }),
    );
  });
});

describe("conditions, which have no names", () => {
  const email = { type: "email", operator: "any", targetValue: ["a"] };
  const user = { type: "user_id", operator: "any", targetValue: ["u"] };
  const country = { type: "country", operator: "none", targetValue: ["XX"] };
  const emails = { ...email, targetValue: ["a", "b"] };
  const rule = (...its: readonly JsonObject[]): Rules => [{ name: "A", passPercentage: 10, conditions: its }];

  test.each<[string, Rules, Rules, Rules, Rules]>([
    [
      "put in another order, keep what was changed",
      rule(user, email),
      rule(email, user),
      rule(emails, user),
      rule(user, emails),
    ],
    [
      "put in another order by the console, take the program's change",
      rule(emails, user),
      rule(email, user),
      rule(user, email),
      rule(user, emails),
    ],
    [
      "one replaced by another is not mixed with it",
      rule(country, user),
      rule(email, user),
      rule({ ...emails, operator: "none" }, user),
      rule(country, user),
    ],
    [
      "two members of one",
      rule({ ...email, operator: "none" }, user),
      rule(email, user),
      rule(emails, user),
      rule({ ...emails, operator: "none" }, user),
    ],
  ])("%s", (_, wanted, seen, live, expected) => {
    expectSame(merged(wanted, seen, live), expected);
  });
});

describe.each<[string, string, fc.Arbitrary<unknown>]>([
  ["rules of a config", "rules", configRules],
  ["a value of a config", "defaultValue", fc.dictionary(fc.constantFrom("a", "b", "c"), programValue)],
])("%s, whatever is in them", (_, name, values) => {
  const of = catalog.dynamicConfig;
  const result = (wanted: unknown, seen: unknown, live: unknown) =>
    withUnseenChanges(of, name, { program: wanted, seen, live }).value;
  const expectMeant = (one: unknown, other: unknown) => {
    if (!sameMeaning(of, name, one, other)) expect(one).toEqual(other);
  };

  test("nobody changed them in the console: the program's; the program changed nothing: the console's", () => {
    check(
      fc.property(values, values, (one, other) => {
        expectMeant(result(one, other, other), one);
        expectMeant(result(other, other, one), one);
        expectMeant(result(one, other, one), one);
      }),
    );
  });

  test("merged again they are the same", () => {
    check(
      fc.property(values, values, values, (wanted, seen, live) => {
        const once = result(wanted, seen, live);
        expectMeant(result(once, seen, live), once);
      }),
    );
  });
});
