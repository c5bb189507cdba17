import { expect, test } from "@jest/globals";
import { experiment } from "../../src/provider/definitions/flags/experiment";
import type { JsonObject } from "../../src/provider/schema/json";
import { makeReview, readPreview } from "../../src/tools/review";

const now = Date.UTC(2026, 10, 22);
const everyone = { type: "public" };
const inCountry = (...targetValue: string[]) => ({ type: "country", operator: "any", targetValue });
const rule = (name: string, passPercentage: number, condition: object, more: object = {}) => ({
  ...{ name, passPercentage, conditions: [condition] },
  ...more,
});
const all = (share: number, more: object = {}) => rule("All", share, everyone, more);
const staff = (share: number) => rule("Staff", share, { type: "passes_segment", targetValue: ["staff"] });
const nz = (share: number, more: object = {}) => rule("NZ", share, inCountry("NZ"), more);
const production = { environments: ["production"] };

/** What a report says of an object that a program changes. */
function told(before: object, after: object, kind = "Gate") {
  const type = `pulumi-nodejs:dynamic/feature-console:${kind}`;
  const urn = `urn:pulumi:dev::shop::${type}::flag`;
  const side = (args: object): object => ({
    ...{ urn, type, id: "flag", inputs: { key: "flag", name: "flag", ...args } },
    outputs: {
      id: "flag",
      key: "flag",
      name: "flag",
      idType: "userID",
      ...args,
      __managed: Object.keys(args),
    },
  });
  const step = { op: "update", urn, oldState: side(before), newState: side(after) };
  const [change] = makeReview(
    readPreview(JSON.stringify({ steps: [step] })),
    undefined,
    undefined,
    now,
  ).changes;
  return { risk: change?.risk, headline: change?.headline, facts: change?.facts.map(({ text }) => text) };
}

const gate = (before: JsonObject[], after: JsonObject[], more: object = {}) =>
  told({ rules: before, ...more }, { rules: after, ...more });

const times = (operator: string) => ({
  type: "time",
  operator,
  targetValue: Date.UTC(2020, 0, 1),
});
const pro = { type: "custom_field", field: "plan", operator: "any", targetValue: ["pro"] };

test.each<
  [what: string, before: JsonObject[], after: JsonObject[], risk: string, headline: string, fact: string]
>([
  [
    "B1: nobody of everyone is put above everyone",
    [all(100)],
    [rule("Nobody", 0, everyone), all(100)],
    "high",
    'all environments: new rule "Nobody": nobody; nobody reaches rule "All" any more: rule "Nobody" before it takes everyone',
    'down to nobody: 100 points fewer of everyone in all environments: rule "Nobody" decides for them, and no longer rule "All"',
  ],
  [
    "B1: one percent of everyone is put above everyone",
    [all(100)],
    [rule("Few", 1, everyone), all(100)],
    "high",
    'all environments: new rule "Few": 1 % of everyone; nobody reaches rule "All" any more: rule "Few" before it takes everyone',
    '99 points fewer of everyone in all environments: rule "Few" decides for them, and no longer rule "All"',
  ],
  [
    "B2: a block is put above everyone",
    [all(100)],
    [rule("Block NZ", 0, inCountry("NZ")), all(100)],
    "high",
    'all environments: new rule "Block NZ": none of users in NZ; rule "All" no longer reaches users in NZ',
    'down to nobody: 100 points fewer of users in NZ in all environments: rule "Block NZ" decides for them, and no longer rule "All"',
  ],
  [
    "B2: a block is removed",
    [rule("Block NZ", 0, inCountry("NZ")), all(100)],
    [all(100)],
    "medium",
    'all environments: rule "Block NZ" is removed (it let in none of users in NZ); rule "All" now reaches users in NZ too',
    'from 0 % to 100 % in one step: 100 points more of users in NZ in all environments: rule "All" decides for them, and no longer rule "Block NZ"',
  ],
  [
    "B3: a rule behind everyone rises",
    [all(10), nz(0)],
    [all(10), nz(90)],
    "low",
    'all environments: 0 % → 90 % of users in NZ (rule "NZ"), without effect: nobody reaches it: rule "All" before it takes everyone; rule "All" unchanged',
    'nobody reaches rule "NZ": rule "All" before it takes everyone; before as after',
  ],
  [
    "B3: a rule behind a wider one rises",
    [rule("Oceania", 10, inCountry("AU", "NZ")), nz(0)],
    [rule("Oceania", 10, inCountry("AU", "NZ")), nz(90)],
    "low",
    'all environments: 0 % → 90 % of users in NZ (rule "NZ"), without effect: nobody reaches it: rule "Oceania" before it takes all users in NZ; rule "Oceania" unchanged',
    'nobody reaches rule "NZ": rule "Oceania" before it takes all users in NZ; before as after',
  ],
  [
    "B5: production is taken by the rule before",
    [rule("Live", 5, everyone, production), all(10)],
    [rule("Live", 5, everyone, production), all(90)],
    "medium",
    'outside production: 10 % → 90 % of everyone (rule "All"); rule "Live" unchanged',
    "80 points more of everyone outside production",
  ],
  [
    "B5: a time that is over",
    [rule("Early", 10, times("before"))],
    [rule("Early", 90, times("before"))],
    "low",
    'all environments: 10 % → 90 % of users before 2020-01-01 00:00 UTC (rule "Early"), without effect: nobody can match it: its condition "before 2020-01-01 00:00 UTC" never holds',
    'nobody can match rule "Early": its condition "before 2020-01-01 00:00 UTC" never holds; before as after',
  ],
  [
    "B8: names are swapped",
    [rule("A", 80, inCountry("NZ")), rule("B", 20, inCountry("AU"))],
    [rule("B", 80, inCountry("NZ")), rule("A", 20, inCountry("AU"))],
    "medium",
    "",
    '80 % of users in NZ in all environments as before, but drawn anew, so that some gain and others lose: rule "B" decides for them, and no longer rule "A"',
  ],
  [
    "B9: the only rule is removed",
    [all(100)],
    [],
    "high",
    'all environments: rule "All" is removed (it let in everyone)',
    'down to nobody: 100 points fewer of everyone in all environments: rule "All" is gone, and none is left',
  ],
  [
    "B9: one of two rules is removed",
    [nz(100), staff(100)],
    [staff(100)],
    "high",
    "",
    'down to nobody: 100 points fewer of other users in NZ in all environments: rule "NZ" is gone, and no other rule is for them',
  ],
  [
    "B9: staff becomes everyone",
    [rule("Pilot", 100, { type: "passes_segment", targetValue: ["staff"] })],
    [rule("Pilot", 100, everyone)],
    "high",
    "",
    'from 0 % to 100 % in one step: 100 points more of everyone else in all environments: by rule "Pilot"',
  ],
  [
    "B11: one percent of everyone moves above others",
    [nz(100), rule("B", 50, pro), all(1)],
    [all(1), nz(100), rule("B", 50, pro)],
    "high",
    "",
    '99 points fewer of users in NZ in all environments: rule "All" decides for them, and no longer rule "NZ"',
  ],
  [
    "B13: a time turns round",
    [rule("Start", 100, times("before"))],
    [rule("Start", 100, times("after"))],
    "high",
    "",
    'from 0 % to 100 % in one step: 100 points more of everyone in all environments: by rule "Start"',
  ],
  [
    "B13: a list of countries is emptied",
    [nz(100)],
    [rule("NZ", 100, inCountry())],
    "high",
    'all environments: all users in NZ → all users whose country is one of no values (rule "NZ"), where nobody can match it: its condition "country is one of no values" never holds',
    'nobody can match rule "NZ": its condition "country is one of no values" never holds',
  ],
  [
    "B13: another case",
    [nz(50)],
    [rule("NZ", 50, inCountry("nz"))],
    "low",
    "",
    'rule "NZ" changes, and no unit gains or loses by that',
  ],
  [
    "B13: conditions in another order",
    [{ name: "Both", passPercentage: 50, conditions: [inCountry("NZ"), pro] }],
    [{ name: "Both", passPercentage: 50, conditions: [pro, inCountry("NZ")] }],
    "low",
    "",
    'rule "Both" changes, and no unit gains or loses by that',
  ],
])("%s", (_what, before, after, risk, headline, fact) => {
  const report = gate(before, after);
  expect(report.facts).toContain(fact);
  if (headline !== "") expect(report.headline).toBe(headline);
  expect(report.risk).toBe(risk);
});

test.each([
  ["Disabled", "no effect while it is off: nobody passes, before or after", "no effect while it is off"],
  [
    "Launched",
    "no effect while it is launched: everyone passes, before and after",
    "no effect while it is launched",
  ],
])("B4: percentages of a gate that is %s have no effect", (status, fact, begin) => {
  const { risk, headline, facts } = gate([all(0)], [all(100)], { status });
  expect(facts).toEqual([fact]);
  expect(headline).toBe(`${begin}; all environments: 0 % → 100 % of everyone (rule "All")`);
  expect(risk).toBe("low");
});

test("B11: of a config it is told whose value changes, and to which", () => {
  const gives = (most: number) => ({ returnValue: { most } });
  const [first, second] = [nz(100, gives(1)), all(100, gives(2))];
  const { facts } = told({ rules: [first, second] }, { rules: [second, first] }, "DynamicConfig");
  expect(facts).toContain(
    'users in NZ in all environments get what rule "All" gives instead of what rule "NZ" gives',
  );
});

test("too many sorts of users are not guessed", () => {
  const many = (share: number) =>
    Array.from({ length: 40 }, (_, at) => ({
      ...{ name: `R${at}`, passPercentage: share },
      conditions: [0, 1, 2].map((part) => ({
        ...{
          type: "custom_field",
          field: `f${(at * 3 + part) % 17}`,
          operator: "any",
          targetValue: [`${at}`],
        },
      })),
    }));
  const { facts, risk } = gate(many(1), many(90));
  expect(risk).toBe("medium");
  expect(facts).toContain(
    "the rules distinguish too many groups of units: the report does not show who gains or loses",
  );
});

test("B6: experiments that ask for more than their layer has are told, and that one gets only the rest", () => {
  const type = "pulumi-nodejs:dynamic/feature-console:Experiment";
  const groups = [{ name: "A", size: 100, parameterValues: {} }];
  const side = (name: string, allocation: number, status = "active"): object => {
    const args = { key: name, name, layerID: "shop", allocation, status, groups };
    return {
      ...{ urn: `urn:pulumi:dev::shop::${type}::${name}`, type, id: name, inputs: args },
      outputs: { id: name, ...args, __managed: Object.keys(args) },
    };
  };
  const step = (name: string, was: number, is: number, status?: string) => ({
    ...{ op: was === is ? "same" : "update", urn: `urn:pulumi:dev::shop::${type}::${name}` },
    ...{ oldState: side(name, was, status), newState: side(name, is, status) },
  });
  const factsOf = (...steps: object[]) =>
    makeReview(readPreview(JSON.stringify({ steps }))).changes.flatMap(({ facts }) =>
      facts.map(({ text }) => text),
    );
  expect(factsOf(step("first", 80, 80), step("second", 20, 60))).toEqual([
    "share of the layer's units that take part: it asks for 40 points more, and gets only the rest if it starts last",
    'experiment "first" and experiment "second" ask for 140 % of layer "shop" together: whichever starts last gets only the rest',
  ]);
  expect(factsOf(step("first", 100, 10), step("second", 50, 50))).toEqual([
    "share of the layer's units that take part: it asks for 90 points fewer, and had only the rest if it started last",
  ]);
  const preview = readPreview(JSON.stringify({ steps: [step("first", 80, 80), step("second", 20, 60)] }));
  const values = { key: "first", layerID: "shop", allocation: 60, status: "active" };
  const objects = [{ definition: experiment, id: "first", values }];
  const { changes } = makeReview(preview, undefined, { asked: "asked", objects, notes: [] });
  expect(changes[0]?.facts[1]?.text).toMatch(/^experiment "first" and experiment "second" ask for 120 % /);
  expect(factsOf(step("first", 80, 80, "setup"), step("second", 20, 60))).toEqual([
    "share of the layer's units that take part: 40 points more",
  ]);
  expect(factsOf(step("second", 20, 60, "setup"))).toEqual([
    "share of the layer's units that take part: 40 points more, without effect until it starts",
  ]);
});
