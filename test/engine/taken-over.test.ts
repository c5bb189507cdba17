import { beforeEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { ConsoleError } from "../../src/provider/schema/errors";
import type { JsonObject } from "../../src/provider/schema/json";
import { idMember } from "../../src/provider/schema/object-id";
import { expectQuiet, fault, live, refreshed, rule, start, subject } from "../laws/harness";
import { adapters, kinds } from "../laws/subject";
import { samples, samplesOf } from "../samples";
import { allOf } from "../support/raw-client";

const args = { key: "flag_one", name: "Flag one" };
const program = (name: string) => ({ __program: { name } });

describe("a gate without adopt", () => {
  beforeEach(() => start(catalog.gate));

  test("a lost answer is no reason to take a person's", async () => {
    await subject.raw.gate.create({
      body: { id: "flag_one", name: "Flag one", creatorEmail: "ann@example.com" },
    });
    fault({ method: "POST", path: "/gates", reset: "before" });
    await expect(subject.up(args)).rejects.toThrow("exists already");
  });
});

const sending = kinds.filter(
  ([
    ,
    {
      lifecycle: { create },
    },
  ]) => create.how === "send" && !create.fills,
);
const isUnnamed = (kind: (typeof kinds)[number]) => kind[1].identity.how === "server";
/** Two stacks make an equal object at the same time. */
async function race(definition: (typeof kinds)[number][1]) {
  await start(definition);
  const first = subject.up(samplesOf(definition).smallest);
  subject.nextRun("prod");
  return Promise.allSettled([first, subject.up(samplesOf(definition).smallest)]);
}

test.each(sending.filter((kind) => !isUnnamed(kind)))(
  "of two stacks that make an equal %s at the same time, one is refused",
  async (_, definition) => {
    const ended = await race(definition);
    expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  },
);

test.each(sending.filter(isUnnamed))(
  "of two stacks that make an equal %s at the same time, each keeps its own",
  async (_, definition) => {
    const ended = await race(definition);
    const made = ended.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
    // Some have names that are given once, although nothing is called by them.
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ id }) => id)).size).toBe(made.length);
    for (const one of made) expect(await subject.refresh(one)).toBeDefined();
  },
);

describe("a gate that two resources adopt", () => {
  // Two resources that adopted one object at the same time both got it: neither had it when the other looked.
  beforeEach(async () => {
    await start(catalog.gate);
    await subject.raw.gate.create({ body: { id: "flag_one", name: "flag_one", description: "Live" } });
  });

  const adopting = (description: string) => ({
    ...{ ...program(description), key: "flag_one", description, adopt: true },
  });
  const refusal =
    /gate \\?"flag_one\\?" is named by the resources \\?"First\\?" and \\?"Second\\?" of this program/;

  test("is not taken over by a second one, one after the other", async () => {
    await subject.up(adopting("First"));
    await expect(subject.up(adopting("Second"))).rejects.toThrow(refusal);
    expect(await live("flag_one")).toMatchObject({ description: "First" });
  });

  test("nor at the same time", async () => {
    const results = await Promise.allSettled([subject.up(adopting("First")), subject.up(adopting("Second"))]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const refused = results.find((result) => result.status === "rejected");
    expect(String(refused?.reason)).toMatch(refusal);
  });

  test("is left to the next attempt by a take-over that failed", async () => {
    fault({ method: "PATCH", status: 403 });
    await expect(subject.up(adopting("First"))).rejects.toThrow(/403/);
    expect((await subject.up(adopting("First"))).outputs).toMatchObject({ description: "First" });
  });
});

describe("a target app, which has no key", () => {
  beforeEach(() => start(catalog.targetApp));
  const app = { name: "shop", description: "Shop" };
  const refused = [
    {
      reason: expect.stringMatching(
        /target app "shop" is what the resource "(first|second)" of this program/,
      ),
    },
  ];

  test("a create that takes over by name does not get what state says another resource has, whichever comes first", async () => {
    const first = await subject.up({ ...app, ...program("first") });
    const renamed = () => subject.problems({ ...app, name: "store", ...program("first") }, first.inputs);
    const second = (more: JsonObject) => subject.problems({ ...app, ...program("second"), ...more });
    subject.nextRun();
    expect(await second({ adopt: true })).toEqual([]);
    expect(await renamed()).toMatchObject(refused);
    subject.nextRun();
    expect(await renamed()).toEqual([]);
    expect(await second({ adopt: true })).toMatchObject(refused);
    subject.nextRun();
    expect(await second({})).toEqual([]);
    expect(await renamed()).toEqual([]);
  });

  test("what another stack of the folder made is not the fruit of a create that never arrived", async () => {
    fault({ method: "POST", path: "/target_app", times: 9, reset: "before" });
    await expect(subject.up(app)).rejects.toThrow(ConsoleError);
    subject.emulator.clearFaults();
    subject.nextRun("prod");
    const { id } = await subject.up(app);
    subject.nextRun();
    await expect(subject.up(app)).rejects.toThrow(
      `target app "${id}" exists already: another stack created it or took it over, as the journal shows.`,
    );
    await expect(subject.up({ ...app, adopt: true })).resolves.toMatchObject({ id });
  });
});

test("of two resources of one name that are made at the same time, one is refused", async () => {
  await start(catalog.tag);
  // Which resource they are of, nobody tells.
  const create = async () =>
    subject.calls().create(await subject.checked({ ...samples.tag.fullest, __program: { urn: undefined } }));
  const both = await Promise.all([1, 2].map(() => create().then(String, (error: unknown) => error)));
  const [refused, ...more] = both.filter((one) => one instanceof Error);
  expect(more).toEqual([]);
  expect(refused?.message).toMatch(/belongs to another resource of this program/);
});

// What others ask for does not go, and what a person archived comes back only where it is as the program says.
describe.each(adapters)("%s", (adapter) => {
  const wrote = () => subject.writes().filter(({ status }) => status < 400);

  test.each([
    ["rule_based", {}],
    ["id_list", { ids: ["u1"] }],
  ])(
    "a segment (%s) that a gate asks for is not deleted, unless by force; an unused one is",
    async (type, more) => {
      await start(catalog.segment, { adapter });
      const staff: JsonObject = { key: "staff", type, ...more };
      const made = await subject.up(staff);
      const unused = await subject.up({ ...staff, key: "unused", ...program("unused") });
      const conditions = [{ type: "passes_segment", targetValue: "staff" }];
      const rules = [{ name: "In", passPercentage: 100, conditions }];
      await subject.raw.gate.create({ body: { id: "asker", name: "asker", rules } });
      subject.nextRun();
      subject.emulator.clearRequests();
      await expect(subject.destroy(made)).rejects.toThrow(/gate "?asker"?(?=.*forceDelete: true)/s);
      expect(wrote()).toEqual([]);
      await subject.destroy(unused);
      const ids = async () => (await allOf(subject.raw.segment.list())).map(({ id }) => id);
      expect(await ids()).toEqual(["staff"]);
      subject.nextRun();
      await subject.destroy(await subject.update(made, { ...staff, forceDelete: true }));
      expect(await ids()).toEqual([]);
    },
  );

  test("a gate that a person has deleted is forgotten although others still ask for it", async () => {
    await start(catalog.gate, { adapter });
    const made = await subject.up({ key: "gone", onDelete: "delete" });
    const rules = [
      { name: "In", passPercentage: 100, conditions: [{ type: "passes_gate", targetValue: ["gone"] }] },
    ];
    await subject.raw.gate.create({ body: { id: "asker", name: "asker", rules } });
    await subject.raw.gate.delete({ id: "gone" });
    subject.nextRun();
    await subject.destroy(made);
    expect((await allOf(subject.raw.gate.list())).map(({ id }) => id)).toEqual(["asker"]);
  });

  test("a gate that a person archived is brought back where it is equal in meaning, and refused where it differs", async () => {
    await start(catalog.gate, { adapter });
    for (const id of ["equal", "differs"]) {
      await subject.raw.gate.create({ body: { id, name: id, description: "Theirs" } });
      await subject.raw.gate.archive({ id, body: { archiveReason: "Not needed any more" } });
    }
    subject.emulator.clearRequests();
    await expect(subject.up({ key: "differs", description: "Ours" })).rejects.toThrow(
      /^(?=.*gate "differs" exists)(?=.*archived)(?=.*description)(?=.*adopt: true)/s,
    );
    expect(wrote()).toEqual([]);
    await subject.up({ key: "equal", description: "Theirs" });
    expect(await live("equal")).toMatchObject({ status: "In Progress", description: "Theirs" });
  });
});

// What people made in the console, and no create would take. Quiet adoption of many more such objects: test/acceptance/acceptance.test.ts.

const lists = {
  ...{ metric: "metrics", gate: "gates", dynamicConfig: "dynamic_configs", experiment: "experiments" },
} as const;
type Kind = keyof typeof lists;

const ruled = (condition: JsonObject) => ({ rules: [rule("one", 100, { conditions: [condition] })] });
const weather = ruled({ type: "weather", operator: "any", targetValue: ["rain"] });
const oneStep = { funnelEventList: [{ name: "buy", type: "event_dau" }] };

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
  ...["setup_incomplete", "hybrid_warehouse"].map(
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
