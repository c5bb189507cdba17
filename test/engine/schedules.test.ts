import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Resource, type Subject, startSubject } from "../laws/subject";
import { allOf } from "../support/raw-client";

const everyone = [{ type: "public" }];
const staff = [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }];
const rules = (share: number) => [
  { name: "Staff", passPercentage: 100, conditions: staff },
  { name: "Everyone", passPercentage: share, conditions: everyone },
];
const program = (share = 10, more: JsonObject = {}) => ({ key: "flag_one", rules: rules(share), ...more });
const steps = [
  { passPercent: 50, time: 1 },
  { passPercent: 100, time: 2 },
];

let subject: Subject;
afterEach(() => subject.close());

const everyoneOf = async (): Promise<JsonObject> => {
  const { rules: live } = (await subject.raw.gate.get({ id: "flag_one" })) as unknown as {
    rules: JsonObject[];
  };
  return live.find(({ name }) => name === "Everyone") ?? {};
};

/** A gate of a schedule that has reached a step, `left` of which are to come, under the resource of its program. */
async function scheduled(share: number, left: JsonObject[]): Promise<Resource> {
  const seed = {
    gates: [
      {
        ...program(share),
        id: "flag_one",
        name: "flag_one",
        rules: rules(share).map((rule) =>
          rule.name === "Everyone" ? { ...rule, pendingAutomatedRollouts: left } : rule,
        ),
      },
    ],
  };
  subject = await startSubject(catalog.gate, { seed });
  const adopted = await subject.up(program(share, { adopt: true }));
  return adopted;
}

describe("a scheduled rollout in progress", () => {
  /** What state holds of the time before the schedule began to move. */
  const from = (resource: Resource, share: number): Resource => ({
    ...resource,
    inputs: { ...resource.inputs, rules: rules(share) },
    outputs: { ...resource.outputs, rules: rules(share) },
  });

  test("is no drift, and an up that changes another thing of its rule does not stop it", async () => {
    const before = from(await scheduled(50, steps.slice(1)), 10);
    const wanted = program(10, { adopt: true });
    expect((await everyoneOf()).pendingAutomatedRollouts).toEqual(steps.slice(1));
    expect((await subject.diff(before, wanted)).quiet).toBe(true);
    const refreshed = (await subject.refresh(before)) as Resource;
    expect(refreshed.inputs.rules).toEqual(rules(10));
    expect((await subject.diff(refreshed, wanted)).quiet).toBe(true);
    const [first, last] = rules(10);
    const changed = { ...wanted, rules: [{ ...last, conditions: staff }, first], description: "Moved" };
    for (const resource of [before, refreshed]) {
      const updated = await subject.update(resource, changed);
      expect(await everyoneOf()).toMatchObject({
        passPercentage: 50,
        conditions: staff,
        pendingAutomatedRollouts: steps.slice(1),
      });
      expect((await subject.diff(updated, changed)).quiet).toBe(true);
    }
  });

  test("ends where the program changes that very percentage", async () => {
    const before = from(await scheduled(50, steps.slice(1)), 10);
    const wanted = program(20, { adopt: true });
    expect((await subject.diff(before, wanted)).quiet).toBe(false);
    const updated = await subject.update(before, wanted);
    expect((await everyoneOf()).passPercentage).toBe(20);
    expect((await subject.diff(updated, wanted)).quiet).toBe(true);
  });

  test("is drift once it is over", async () => {
    const before = from(await scheduled(100, []), 10);
    const refreshed = (await subject.refresh(before)) as Resource;
    expect((await subject.diff(refreshed, program(10, { adopt: true }))).quiet).toBe(false);
  });
});

test("a release that a pipeline stages is no drift, and an up of other fields neither ends it nor starts another", async () => {
  subject = await startSubject(catalog.gate);
  const pipeline = subject.of(catalog.releasePipeline);
  const { id: releasePipelineID } = await pipeline.up({
    name: "Slowly",
    phases: [{ name: "First", timeIntervalMs: 3_600_000, requiredReview: false, rules: [] }],
  });
  const made = await subject.up(program(10, { releasePipelineID }));
  const begun = await subject.update(made, program(20, { releasePipelineID }));
  const releases = async () =>
    (await allOf(subject.raw.releasePipelineTrigger.list())).map(({ status }) => status);
  const before = await releases();
  expect(before).toContain("IN_PROGRESS");
  const refreshed = (await subject.refresh(begun)) as Resource;
  expect((await subject.diff(refreshed, program(20, { releasePipelineID }))).quiet).toBe(true);
  await subject.update(refreshed, program(20, { releasePipelineID, description: "Another" }));
  expect(await releases()).toEqual(before);
});
