import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog, type KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { idMember } from "../../src/provider/schema/object-id";
import { quiet } from "../laws/quiet";
import { type Subject, startSubject } from "../laws/subject";

// What people made in the console, and no create would take. Quiet adoption of many more such objects: test/acceptance/unusual.test.ts.

let subject: Subject;
afterEach(() => subject.close());

const rule = (condition: JsonObject) => ({
  rules: [{ name: "one", passPercentage: 100, conditions: [condition] }],
});
const described = { description: "changed" };
const lists = {
  metric: "metrics",
  gate: "gates",
  dynamicConfig: "dynamic_configs",
  experiment: "experiments",
} as const;

interface Case {
  readonly what: string;
  readonly kind: keyof typeof lists;
  readonly there: JsonObject;
  readonly says: JsonObject;
  /** A change that it takes. */
  readonly change?: JsonObject;
}

const metric = (what: string, name: string, type = "sum", more: JsonObject = {}): Case => {
  const says = { name, type, ...more };
  return { what, kind: "metric", there: { id: `${name}::${type}`, ...says }, says };
};
const keyed = (what: string, kind: Case["kind"], id: string, name: string, more: JsonObject = {}): Case => ({
  ...{ what, kind },
  there: { id, name, ...more },
  says: { key: id, name, ...more },
});
const weather = rule({ type: "weather", operator: "any", targetValue: ["rain"] });
const step = { name: "buy", type: "event_dau" };

const cases: Case[] = [
  ...["[LOCAL] Time spent", "x", "größer als §", "a".repeat(300)].map((name) =>
    metric(`[C1] a metric called ${name.slice(0, 20)}`, name),
  ),
  keyed("[C1] a gate called g", "gate", "g", "g"),
  keyed("[C1] a gate called Großes [Tor]", "gate", "tor", "Großes [Tor]"),
  keyed("[C1] a config called {c}", "dynamicConfig", "{c}", "{c}"),
  keyed("[C1] an experiment called a/b: 1", "experiment", "ab", "a/b: 1"),
  ...[
    "count_distinct",
    "import_window",
    "setup_incomplete",
    "event_count",
    "event_dau",
    "hybrid_warehouse",
  ].map((type) => metric(`[C2] a metric of type ${type}`, "Time spent", type)),
  metric("[C3] a funnel of one step", "buys", "funnel", { funnelEventList: [step] }),
  metric("[C3] a funnel without steps", "buys", "funnel"),
  keyed("[C4] a gate with an unknown operator", "gate", "future", "future", {
    ...rule({ type: "email", operator: "sounds_like", targetValue: ["a"] }),
  }),
  {
    ...keyed("[C4] a gate with an unknown type of condition", "gate", "future", "future", weather),
    change: { rules: [...weather.rules, { name: "two", passPercentage: 1, conditions: [] }] },
  },
  keyed("[C4] an experiment with an unknown method", "experiment", "future", "future", {
    analyticsType: "oracle",
  }),
];
const rows = cases.map((one) => [one.what, one] as const);

async function startWith(kind: keyof typeof lists, there: JsonObject): Promise<void> {
  subject = await startSubject(catalog[kind as KindName], { seed: { [lists[kind]]: [there] } });
}

test.each(rows)(
  "%s is adopted, stays quiet, and changes",
  async (_, { kind, there, says, change = described }) => {
    await startWith(kind, there);
    const args = { ...says, adopt: true };
    const made = await subject.up(args);
    expect(subject.writes()).toEqual([]);
    expect(await subject.diff(made, args)).toEqual(quiet);
    const refreshed = (await subject.refresh(made)) ?? made;
    expect(await subject.diff(refreshed, args)).toEqual(quiet);
    // From now on state has it: adopt is no longer needed.
    expect(await subject.diff(await subject.update(refreshed, says), says)).toEqual(quiet);
    const changed = { ...says, ...change };
    expect(await subject.diff(await subject.update(refreshed, changed), changed)).toEqual(quiet);
  },
);

test.each(rows)(
  "%s is imported by its id, and refused where it is to be made",
  async (_, { kind, there, says }) => {
    await startWith(kind, there);
    const made = await subject.up({
      ...says,
      __adopt: idMember(catalog[kind]) === "id" ? there.id : there.name,
    });
    expect(subject.writes()).toEqual([]);
    expect(await subject.diff(made, says)).toEqual(quiet);
    subject.nextRun();
    expect(await subject.problems(says)).not.toEqual([]);
  },
);

describe("an object that is adopted", () => {
  test("[C4] keeps to what any write is refused for", async () => {
    await startWith("gate", { id: "gate", name: "gate", description: "" });
    const problems = await subject.problems({ key: "gate", adopt: true, ...rule({ type: "custom_field" }) });
    expect(problems).toMatchObject([{ reason: expect.stringContaining("field: missing") }]);
  });

  test("[C4] a choice that state does not have is an error all the same", async () => {
    await startWith("experiment", { id: "known", name: "known", analyticsType: "bayesian" });
    const args = { key: "known", analyticsType: "bayesian", adopt: true };
    const made = await subject.up(args);
    const problems = await subject.problems({ ...args, analyticsType: "oracle" }, made.inputs);
    expect(problems).toMatchObject([{ property: "analyticsType" }]);
  });
});
