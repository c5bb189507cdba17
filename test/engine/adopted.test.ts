import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog, type KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { idMember } from "../../src/provider/schema/object-id";
import { quiet } from "../laws/quiet";
import { type Subject, startSubject } from "../laws/subject";

let subject: Subject;
afterEach(() => subject.close());

const rule = (condition: JsonObject) => ({
  rules: [{ name: "one", passPercentage: 100, conditions: [condition] }],
});

/** What the console has that no create makes: the kind, the list of its seed, the object, and what a program says of it. */
type Case = readonly [
  what: string,
  kind: KindName,
  list: string,
  there: JsonObject,
  said: JsonObject,
  /** A change that it takes. */
  change: JsonObject,
];

const described = { description: "changed" };
const named = (name: string): JsonObject => ({ name, description: "" });
const metric = (name: string, type: string): JsonObject => ({ id: `${name}::${type}`, name, type });
const cases: Case[] = [
  ...(["[LOCAL] Time spent", "x", "größer als §", "a".repeat(300)] as const).map(
    (name): Case => [
      `[C1] a metric called ${name.slice(0, 20)}`,
      "metric",
      "metrics",
      metric(name, "sum"),
      { name, type: "sum" },
      described,
    ],
  ),
  ["[C1] a gate called g", "gate", "gates", { id: "g", name: "g" }, { key: "g", name: "g" }, described],
  [
    "[C1] a gate called Großes [Tor]",
    "gate",
    "gates",
    { id: "tor", name: "Großes [Tor]" },
    { key: "tor", name: "Großes [Tor]" },
    described,
  ],
  [
    "[C1] a config called {c}",
    "dynamicConfig",
    "dynamic_configs",
    { id: "{c}", name: "{c}" },
    { key: "{c}", name: "{c}" },
    described,
  ],
  [
    "[C1] an experiment called a/b: 1",
    "experiment",
    "experiments",
    { id: "ab", name: "a/b: 1" },
    { key: "ab", name: "a/b: 1" },
    described,
  ],
  ...[
    "count_distinct",
    "import_window",
    "setup_incomplete",
    "event_count",
    "event_dau",
    "hybrid_warehouse",
  ].map(
    (type): Case => [
      `[C2] a metric of type ${type}`,
      "metric",
      "metrics",
      metric("Time spent", type),
      { name: "Time spent", type },
      described,
    ],
  ),
  [
    "[C3] a funnel of one step",
    "metric",
    "metrics",
    { ...metric("buys", "funnel"), funnelEventList: [{ name: "buy", type: "event_dau" }] },
    { name: "buys", type: "funnel", funnelEventList: [{ name: "buy", type: "event_dau" }] },
    described,
  ],
  [
    "[C3] a funnel without steps",
    "metric",
    "metrics",
    metric("buys", "funnel"),
    { name: "buys", type: "funnel" },
    described,
  ],
  [
    "[C4] a gate with an operator that this version does not know",
    "gate",
    "gates",
    { id: "future", name: "future", ...rule({ type: "email", operator: "sounds_like", targetValue: ["a"] }) },
    {
      key: "future",
      name: "future",
      ...rule({ type: "email", operator: "sounds_like", targetValue: ["a"] }),
    },
    described,
  ],
  [
    "[C4] a gate with a type of condition that this version does not know",
    "gate",
    "gates",
    { id: "future", name: "future", ...rule({ type: "weather", operator: "any", targetValue: ["rain"] }) },
    { key: "future", name: "future", ...rule({ type: "weather", operator: "any", targetValue: ["rain"] }) },
    {
      rules: [
        ...(rule({ type: "weather", operator: "any", targetValue: ["rain"] }).rules as JsonObject[]),
        { name: "two", passPercentage: 1, conditions: [] },
      ],
    },
  ],
  [
    "[C4] an experiment with a method that this version does not know",
    "experiment",
    "experiments",
    { id: "future", name: "future", analyticsType: "oracle" },
    { key: "future", name: "future", analyticsType: "oracle" },
    described,
  ],
];

async function startWith(kind: KindName, list: string, there: JsonObject): Promise<void> {
  subject = await startSubject(catalog[kind], { seed: { [list]: [there] } });
}

const writes = () => subject.writes().length;

test.each(cases)("%s is adopted, stays quiet, and changes", async (_, kind, list, there, said, change) => {
  await startWith(kind, list, there);
  const args = { ...said, adopt: true };
  const made = await subject.up(args);
  expect(writes()).toBe(0);
  expect(await subject.diff(made, args)).toEqual(quiet);
  const refreshed = (await subject.refresh(made)) ?? made;
  expect(await subject.diff(refreshed, args)).toEqual(quiet);
  // From now on state has it: adopt is no longer needed.
  expect(await subject.diff(await subject.update(refreshed, said), said)).toEqual(quiet);
  const changed = { ...said, ...change };
  expect(await subject.diff(await subject.update(refreshed, changed), changed)).toEqual(quiet);
});

test.each(cases)("%s is imported by its id", async (_, kind, list, there, said) => {
  await startWith(kind, list, there);
  const id = idMember(catalog[kind]) === "id" ? there.id : there.name;
  const made = await subject.up({ ...said, __adopt: id });
  expect(writes()).toBe(0);
  expect(await subject.diff(made, said)).toEqual(quiet);
});

test.each(cases.filter(([what]) => !what.startsWith("[C3] a funnel without")))(
  "%s is refused where it is to be made",
  async (_, kind, _list, _there, said) => {
    subject = await startSubject(catalog[kind]);
    expect((await subject.problems(said)).length).toBeGreaterThan(0);
  },
);

describe("an object that is adopted", () => {
  test("[C4] keeps to what any write is refused for", async () => {
    await startWith("gate", "gates", { id: "gate", ...named("gate") });
    const problems = await subject.problems({ key: "gate", adopt: true, ...rule({ type: "custom_field" }) });
    expect(problems).toMatchObject([{ reason: expect.stringContaining("field: missing") }]);
  });

  test("[C4] a choice that state does not have is an error all the same", async () => {
    await startWith("experiment", "experiments", { id: "known", name: "known", analyticsType: "bayesian" });
    const args = { key: "known", analyticsType: "bayesian", adopt: true };
    const made = await subject.up(args);
    const problems = await subject.problems({ ...args, analyticsType: "oracle" }, made.inputs);
    expect(problems).toMatchObject([{ property: "analyticsType" }]);
  });
});
