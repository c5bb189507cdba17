import { describe, expect, test } from "@jest/globals";
import type { Transport } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import {
  expectChange,
  expectQuiet,
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
  const stage = {
    passPercent: 10,
    isComplete: false,
    timeString: "tomorrow",
    phaseDurationMs: 1000,
    time: 5,
  };
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
