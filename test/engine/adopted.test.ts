import { expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { idMember } from "../../src/provider/schema/object-id";
import { expectQuiet, refreshed, rule, start, subject } from "../laws/harness";

// What people made in the console, and no create would take. Quiet adoption of many more such objects: test/acceptance/unusual.test.ts.

const lists = {
  ...{ metric: "metrics", gate: "gates", dynamicConfig: "dynamic_configs", experiment: "experiments" },
} as const;
type Kind = keyof typeof lists;

const ruled = (condition: JsonObject) => ({ rules: [rule("one", 100, { conditions: [condition] })] });
const weather = ruled({ type: "weather", operator: "any", targetValue: ["rain"] });
const oneStep = { funnelEventList: [{ name: "buy", type: "event_dau" }] };
const metricTypes = ["count_distinct", "import_window", "setup_incomplete", "event_count", "event_dau"];

/** Why it is unusual, its kind, its id and its name, or its type, and more members. */
type Row = readonly [what: string, kind: Kind, name: string, idOrType: string, more?: JsonObject];
const rows: Row[] = [
  ...["[LOCAL] Time spent", "x", "größer als §", "a".repeat(300)].map(
    (name): Row => [`[C1] a metric called ${name.slice(0, 20)}`, "metric", name, "sum"],
  ),
  ["[C1] a gate called g", "gate", "g", "g"],
  ["[C1] a gate called Großes [Tor]", "gate", "Großes [Tor]", "tor"],
  ["[C1] a config called {c}", "dynamicConfig", "{c}", "{c}"],
  ["[C1] an experiment called a/b: 1", "experiment", "a/b: 1", "ab"],
  ...[...metricTypes, "hybrid_warehouse"].map(
    (type): Row => [`[C2] a metric of type ${type}`, "metric", "Time spent", type],
  ),
  ["[C3] a funnel of one step", "metric", "buys", "funnel", oneStep],
  ["[C3] a funnel without steps", "metric", "buys", "funnel"],
  [
    "[C4] an unknown operator",
    "gate",
    "g",
    "g",
    ruled({ type: "email", operator: "like", targetValue: ["a"] }),
  ],
  ["[C4] an unknown type of condition", "gate", "g", "g", weather],
  ["[C4] an experiment with an unknown method", "experiment", "e", "e", { analyticsType: "oracle" }],
];

test.each(rows)(
  "%s is refused where it is to be made, imported by its id, adopted, stays quiet, and changes",
  async (_, kind, name, idOrType, more = {}) => {
    const isMetric = kind === "metric";
    const says = { ...(isMetric ? { type: idOrType } : { key: idOrType }), name, ...more };
    const there = { ...says, id: isMetric ? `${name}::${idOrType}` : idOrType };
    await start(catalog[kind], { seed: { [lists[kind]]: [there] } });
    expect(await subject.problems(says)).not.toEqual([]);
    const __adopt = idMember(catalog[kind]) === "id" ? there.id : name;
    subject.nextRun();
    await expectQuiet(await subject.up({ ...says, __adopt }), says);
    subject.nextRun();
    const args = { ...says, adopt: true };
    const made = await subject.up(args);
    expect(subject.writes()).toEqual([]);
    await expectQuiet(made, args);
    const seen = await refreshed(made);
    await expectQuiet(seen, args);
    // From now on state has it: adopt is no longer needed.
    await expectQuiet(await subject.update(seen, says), says);
    const rules = "rules" in more ? { rules: [...(more.rules as JsonObject[]), rule("two", 1)] } : {};
    const changed = { ...says, description: "changed", ...rules };
    await expectQuiet(await subject.update(seen, changed), changed);
  },
);

test("[C4] a gate that is adopted keeps to what any write is refused for", async () => {
  await start(catalog.gate, { seed: { gates: [{ id: "gate", name: "gate", description: "" }] } });
  const args = { key: "gate", adopt: true, ...ruled({ type: "custom_field" }) };
  expect(await subject.problems(args)).toMatchObject([{ reason: expect.stringContaining("field: missing") }]);
});

test("[C4] a choice that state does not have is an error all the same", async () => {
  const args = { name: "known", analyticsType: "bayesian" };
  await start(catalog.experiment, { seed: { experiments: [{ id: "known", ...args }] } });
  const made = await subject.up({ key: "known", ...args, adopt: true });
  const oracle = { key: "known", ...args, analyticsType: "oracle", adopt: true };
  expect(await subject.problems(oracle, made.inputs)).toMatchObject([{ property: "analyticsType" }]);
});
