import { expect, test } from "@jest/globals";
import * as fc from "../../src";
import { createEmulator, type Seed } from "../../src/emulator";
import { flagsOn, type SpecDocument } from "../../src/emulator/evaluation";
import { flagsOf } from "../../src/tools/testing";

const everyone = [{ name: "All", passPercentage: 100, conditions: [{ type: "public" as const }] }];
const groups = [
  { name: "Control", size: 50, parameterValues: {} },
  { name: "Test", size: 50, parameterValues: {} },
];
const ann = { userID: "ann" };

test("B6: experiments that ask for more than their layer has: which gets the rest is not known here", async () => {
  const program = (second: number) => () => {
    const layer = new fc.Layer("shop", { idType: "userID" });
    for (const [name, allocation] of Object.entries({ first: 80, second }))
      new fc.Experiment(name, { layerID: layer, status: "active", allocation, groups });
    new fc.Experiment("apart", { status: "active", groups });
  };
  const flags = await flagsOf(program(60));
  const why =
    /experiment "second": not known here: the running experiments of layer \S+ ask for 140 % of it, and which of them gets only what is left depends on the order in which they start/;
  expect(() => flags.experiment("second", ann)).toThrow(why);
  expect(() => flags.experiment("first", ann)).toThrow(/not known here/);
  expect(flags.experiment("apart", ann).rule).toMatch(/Control|Test/);
  expect((await flagsOf(program(20))).experiment("second", ann).why).toMatch(/second: /);
});

const staged = () => {
  const phase = { name: "Testers", timeIntervalMs: 60_000, requiredReview: true, rules: [] };
  const pipeline = new fc.ReleasePipeline("careful", { name: "careful", phases: [phase] });
  new fc.Gate("checkout", { releasePipelineID: pipeline, rules: everyone });
  new fc.Gate("basket", {
    rules: [
      { name: "Asks", passPercentage: 100, conditions: [{ type: "passes_gate", targetValue: "checkout" }] },
    ],
  });
  new fc.Gate("other", { rules: everyone });
};

test("B7: what a release pipeline's stage lets out is not known here", async () => {
  const flags = await flagsOf(staged);
  expect(() => flags.gate("checkout", ann)).toThrow(
    'gate "checkout": not known here: release pipeline "careful" brings its rules out in stages, now "Testers", and what a stage lets ' +
      'out is known to the service alone; { pipelines: "finished" } evaluates what is out after the last one',
  );
  expect(() => flags.share("basket")).toThrow(
    /not known here: it depends on "checkout", and release pipeline/,
  );
  expect(flags.gate("other", ann).value).toBe(true);
});

test("B7: the rules after the last stage are evaluated where the test asks for them", async () => {
  const flags = await flagsOf(staged, { pipelines: "finished" });
  expect(flags.gate("checkout", ann).value).toBe(true);
});

/** Flags of a console in memory, as `evaluate` reads an embedded one. */
const flagsIn = (seed: Seed) => {
  const emulator = createEmulator({ profile: "embedded", seed });
  return flagsOn(JSON.parse(emulator.sdkDocuments().v1) as SpecDocument);
};

test("B15: of a list of 1,001 ids, SDKs look at the case of letters", async () => {
  const asks = (segment: string) => ({
    ...{ id: `in_${segment}`, name: `in_${segment}`, isEnabled: true, idType: "userID" },
    rules: [
      { name: "Asks", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: [segment] }] },
    ],
  });
  const list = (id: string, count: number) => ({
    ...{ id, name: id, type: "id_list", idType: "userID" },
    ids: Array.from({ length: count }, (_, at) => `User-${at}`),
  });
  const flags = await flagsIn({
    segments: [list("short", 1000), list("long", 1001)],
    gates: [asks("short"), asks("long")],
  });
  const passes = (gate: string, userID: string) => flags.gate(gate, { userID }).value;
  expect([passes("in_short", "User-1"), passes("in_short", "user-1")]).toEqual([true, true]);
  expect([passes("in_long", "User-1"), passes("in_long", "user-1")]).toEqual([true, false]);
});

test.each([
  ["that is not set", {}, "tags is not set"],
  ["that is no list", { custom: { tags: "a" } }, "tags is no list"],
  ["that has it", { custom: { tags: ["z"] } }, "tags does not have z"],
])("B16: a condition on what a list does not have is not met by a field %s", async (_, more, why) => {
  const condition = {
    type: "custom_field",
    field: "tags",
    operator: "array_contains_none",
    targetValue: ["z"],
  };
  const flags = await flagsIn({
    gates: [
      {
        ...{ id: "tagged", name: "tagged", isEnabled: true, idType: "userID" },
        rules: [{ name: "Free", passPercentage: 100, conditions: [condition] }],
      },
    ],
  });
  expect(flags.gate("tagged", { ...ann, ...more })).toMatchObject({
    value: false,
    why: `tagged fails: no rule is for this user; rule "Free" did not match (not met: ${why})`,
  });
});
