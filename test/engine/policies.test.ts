import { describe, expect, test } from "@jest/globals";
import type { Transport } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import {
  expectChange,
  expectQuiet,
  fault,
  listOf,
  refreshed,
  rule,
  shares,
  start,
  staysQuiet,
  subject,
} from "../laws/harness";
import type { Resource } from "../laws/subject";
import { partialOf } from "../support/driver";
import { allOf } from "../support/raw-client";

const key = "flag_one";
/** Quiet in the next run, after a refresh. */
const mustBeQuiet = async (made: Resource, args: JsonObject) => {
  subject.nextRun();
  const seen = await refreshed(made);
  await expectQuiet(seen, args);
  return seen;
};
const up = async (args: JsonObject) => mustBeQuiet(await subject.up(args), args);
const update = async (made: Resource, args: JsonObject) =>
  mustBeQuiet(await subject.update(made, args), args);
const gates = () => allOf(subject.raw.gate.list());

describe("a policy that refuses sudden rises", () => {
  const begin = () => start(catalog.gate, { behaviour: { suddenRises: "refuse" } });
  const bare = (...percents: number[]) => ({ key, rules: percents.map((one, at) => rule(`r${at}`, one)) });
  const staged = (...percents: number[]) => ({
    ...bare(...percents),
    gradualRolloutStrategy: { type: "bypass" },
  });
  const expectOne = async (...percents: number[]) => {
    expect(await gates()).toHaveLength(1);
    expect((await shares(key)).map(([, percent]) => percent)).toEqual(percents);
  };

  test.each<[string, "before" | "after" | undefined]>([
    ["whose create is answered", undefined],
    ["whose connection broke before the console had the create", "before"],
    ["whose connection broke after it", "after"],
  ])(
    "is met by a program that says a strategy, %s: at creation, at each rise, for each new rule",
    async (_, reset) => {
      await begin();
      if (reset !== undefined) fault({ method: "POST", path: "/gates", reset });
      await update(await update(await update(await up(staged(10)), staged(50)), staged(50, 5)), staged(5));
      await expectOne(5);
    },
  );

  test("is met by the run after one whose create was lost for good, and by what that raises", async () => {
    await begin();
    fault({ method: "POST", path: "/gates", reset: "after" }, { method: "GET", reset: "before", times: 50 });
    await expect(subject.up(staged(10))).rejects.toThrow();
    subject.emulator.clearFaults();
    subject.nextRun();
    await update(await up(staged(10)), staged(60, 5));
    await expectOne(60, 5);
  });

  test("says which argument it asks for, and nothing is changed", async () => {
    await begin();
    const asked =
      /set gradual_rollout_strategy\. In the program, gradual_rollout_strategy is gradualRolloutStrategy\.$/;
    await expect(subject.up(bare(10))).rejects.toThrow(asked);
    expect(await gates()).toEqual([]);
    subject.nextRun();
    const made = await subject.up(staged(10));
    await expect(subject.update(made, bare(20))).rejects.toThrow(asked);
    await expectOne(10);
    await mustBeQuiet(made, staged(10));
  });
});

describe("a required review that a write does not go past", () => {
  const required = { reviewSettings: { requiredReview: true } };
  const behaviour = { requiredReviews: "refuse" } as const;

  test("in the middle of a create leaves an object that the next run finishes", async () => {
    await start(catalog.gate, { behaviour });
    await expect(subject.up({ key, status: "Launched", ...required })).rejects.toThrow(/requires a review/);
    expect(await gates()).toMatchObject([{ id: key, status: "In Progress" }]);
    subject.nextRun();
    await up({ key, status: "In Progress", ...required });
    expect(await gates()).toHaveLength(1);
  });
});

describe.each([
  ["gate", catalog.gate],
  ["dynamic config", catalog.dynamicConfig],
] as const)("a template: %s", (title, definition) => {
  const template = { key: "pattern", isTemplate: true, description: "old" };

  test.each([
    [{}, "said"],
    [{}, "template"],
    [{ type: "TEMPORARY" }, "template"],
    [{ type: "PERMANENT" }, "template"],
  ] as const)("that says %j is quiet, its type being read as %s", async (type, templateTypes) => {
    await start(definition, { behaviour: { templateTypes, templateWrites: "refuse" } });
    await up({ ...template, ...type });
  });

  test("that cannot be changed stays, and the error says so; destroy archives it", async () => {
    await start(definition, { behaviour: { templateWrites: "refuse" } });
    const made = await up(template);
    await expect(subject.update(made, { ...template, description: "new" })).rejects.toThrow(
      `This ${title} is a template, which cannot be changed through the API`,
    );
    await mustBeQuiet(made, template);
    await subject.destroy(made);
    subject.nextRun();
    expect((await refreshed(made)).outputs).toMatchObject({ status: "Archived", description: "old" });
  });
});

test.each([
  ["gate", catalog.gate, "gates"],
  ["experiment", catalog.experiment, "experiments"],
] as const)(
  "a write to a %s with an open review says so, and nothing else does",
  async (title, definition, list) => {
    const activeReview = { reviewID: "r1", reviewStatus: "pending", description: "More people" };
    const seed = { [list]: [{ id: "reviewed", name: "reviewed", activeReview }, { name: "free" }] };
    await start(definition, { seed });
    const args = { key: "reviewed", description: "", adopt: true };
    const made = await up(args);
    const told = () => subject.lines.filter((line) => line.includes("review"));
    expect(told()).toEqual([]);
    await subject.update(made, { ...args, description: "new" });
    subject.nextRun();
    await subject.up({ key: "free", description: "new", adopt: true });
    expect(told()).toEqual([
      `${title} "reviewed" has an open review, "More people" ("pending"): this update goes past it, and what the review ` +
        "changes comes on top when it is committed. Look at it in the console.",
    ]);
  },
);

const strategy = { gradualRolloutStrategy: { type: "bypass" } };

// A project whose policy asks for the strategy refuses each change of the rules that goes without it.
test.each<[string, JsonObject, JsonObject, unknown]>([
  [
    "a change of one rule carries the strategy, by the route that takes it",
    { ...strategy, rules: [rule("A", 10), rule("B", 5)] },
    { ...strategy, rules: [rule("A", 20), rule("B", 5)] },
    {
      gradual_rollout_strategy: strategy.gradualRolloutStrategy,
      rules: [
        { name: "A", passPercentage: 20 },
        { name: "B", passPercentage: 5 },
      ],
    },
  ],
  ["another change does not", strategy, { ...strategy, description: "New" }, { description: "New" }],
  [
    "without a strategy one rule goes by its own route",
    { rules: [rule("A", 10)] },
    { rules: [rule("A", 20)] },
    { passPercentage: 20 },
  ],
])("%s", async (_, from, to, body) => {
  const bodies: unknown[] = [];
  const through = ({ send }: Transport): Transport => ({
    send(request) {
      if (request.method !== "GET") bodies.push(JSON.parse(request.body ?? "{}"));
      return send(request);
    },
  });
  await start(catalog.gate, { through });
  const made = await subject.up({ key, ...from });
  bodies.length = 0;
  await expectQuiet(await subject.update(made, { key, ...to }), { key, ...to });
  expect(bodies).toMatchObject([body]);
  expect(Object.keys(bodies[0] as object).sort()).toEqual(Object.keys(body as object));
});

test("the strategy, which no read shows, is sent again after an update that was refused", async () => {
  await start(catalog.gate);
  await subject.up({ key: "taken_name", __program: { name: "other" } });
  const made = await subject.up({ key });
  const args = (name: string) => ({ key, name, ...strategy, creatorEmail: "owner@example.com" });
  const inputs = await subject.checked(args("taken_name"), made.inputs);
  const failure = await subject.update(made, args("taken_name")).catch(partialOf);
  expect(failure?.id).toBe(made.id);

  const left = { ...made, inputs, outputs: failure && "properties" in failure ? failure.properties : {} };
  await expectChange(left, args(key));
  expect((await subject.update(left, args(key))).outputs).toMatchObject(args(key));
  const patches = subject.emulator.requests.filter(({ route }) => route === "patch");
  expect(patches.map(({ status }) => status)).toEqual([400, 200]);
});

test("[A7] the stages of a gradual rollout have members, and there is one at least", async () => {
  await start(catalog.gate);
  const gradual = (...phases: JsonObject[]) => ({
    ...{ key, rules: [], gradualRolloutStrategy: { type: "gradual", phases } },
  });
  const stage = { passPercent: 10, isComplete: false, timeString: "tomorrow", phaseDurationMs: 1, time: 5 };
  await staysQuiet(await subject.up(gradual(stage)), gradual(stage));
  for (const [args, reason] of [
    [gradual(), /at least 1/],
    [gradual({ passPercent: 1 }), /phases\[0\]\.isComplete: missing/],
  ] as const)
    expect(await subject.problems(args)).toMatchObject([{ reason: expect.stringMatching(reason) }]);
});

describe("a scheduled rollout in progress", () => {
  const staff = [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }];
  const rules = (share: number) => [rule("Staff", 100, { conditions: staff }), rule("Everyone", share)];
  const program = (share: number) => ({ key, rules: rules(share), adopt: true });
  const last = [{ passPercent: 100, time: 2 }];

  /** A gate that a schedule has brought to a share, of which state holds what was before: 10 %. */
  async function scheduled(share: number, pendingAutomatedRollouts: JsonObject[]): Promise<Resource> {
    const [first, second] = rules(share);
    const there = { id: key, name: key, rules: [first, { ...second, pendingAutomatedRollouts }] };
    await start(catalog.gate, { seed: { gates: [there] } });
    const { id, inputs, outputs } = await subject.up(program(share));
    return { id, inputs: { ...inputs, rules: rules(10) }, outputs: { ...outputs, rules: rules(10) } };
  }

  test("is no drift, and an up that changes another thing of its rule does not stop it", async () => {
    const before = await scheduled(50, last);
    await expectQuiet(before, program(10));
    const seen = await refreshed(before);
    expect(seen.inputs.rules).toEqual(rules(10));
    await expectQuiet(seen, program(10));
    const [first, second] = rules(10);
    const moved = { ...program(10), rules: [{ ...second, conditions: staff }, first], description: "Moved" };
    for (const resource of [before, seen]) {
      const updated = await subject.update(resource, moved);
      const everyone = { passPercentage: 50, conditions: staff, pendingAutomatedRollouts: last };
      expect(await listOf(key)).toMatchObject([everyone, { name: "Staff" }]);
      await expectQuiet(updated, moved);
    }
  });

  test("ends where the program changes that very percentage", async () => {
    const before = await scheduled(50, last);
    await expectChange(before, program(20));
    await expectQuiet(await subject.update(before, program(20)), program(20));
    expect((await shares(key))[1]).toEqual(["Everyone", 20]);
  });

  test("is drift once it is over", async () => {
    await expectChange(await refreshed(await scheduled(100, [])), program(10));
  });
});

test("a release that a pipeline stages is no drift, and an up of other fields neither ends it nor starts another", async () => {
  await start(catalog.gate);
  const { id: releasePipelineID } = await subject.of(catalog.releasePipeline).up({
    name: "Slowly",
    phases: [{ name: "First", timeIntervalMs: 3_600_000, requiredReview: false, rules: [] }],
  });
  const program = (share: number) => ({ key, rules: [rule("Everyone", share)], releasePipelineID });
  const begun = await subject.update(await subject.up(program(10)), program(20));
  const releases = async () =>
    (await allOf(subject.raw.releasePipelineTrigger.list())).map(({ status }) => status);
  const before = await releases();
  expect(before).toContain("IN_PROGRESS");
  const seen = await refreshed(begun);
  await expectQuiet(seen, program(20));
  await subject.update(seen, { ...program(20), description: "Another" });
  expect(await releases()).toEqual(before);
});
