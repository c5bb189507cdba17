import { expect, test } from "@jest/globals";
import * as fc from "../../src";
import { createEmulator, type Seed } from "../../src/emulator";
import { flagsOn, type SpecDocument } from "../../src/emulator/evaluation";
import { flagsOf } from "../../src/tools/testing";

const asking = (type: "public" | "passes_gate", targetValue?: string): fc.GateRuleArgs =>
  ({ name: "Asks", passPercentage: 100, conditions: [{ type, targetValue }] }) as fc.GateRuleArgs;
const everyone = [asking("public")];
const groups = ["Control", "Test"].map((name) => ({ name, size: 50, parameterValues: {} }));
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
  new fc.Gate("basket", { rules: [asking("passes_gate", "checkout")] });
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

/** Flags of a console in memory, as `evaluate` reads an embedded one; a gate for each condition. */
const flagsIn = (conditions: Readonly<Record<string, object>>, seed: Seed = {}) => {
  const gates = Object.entries(conditions).map(([id, condition]) => ({
    ...{ id, rules: [{ name: "Free", passPercentage: 100, conditions: [condition] }] },
  }));
  const emulator = createEmulator({ profile: "embedded", seed: { ...seed, gates } });
  return flagsOn(JSON.parse(emulator.sdkDocuments().v1) as SpecDocument);
};

test("B15: of a list of 1,001 ids, SDKs look at the case of letters", async () => {
  const asks = (segment: string) => ({ type: "passes_segment", targetValue: [segment] });
  const segments = Object.entries({ short: 1000, long: 1001 }).map(([id, length]) => ({
    ...{ id, name: id, type: "id_list", idType: "userID" },
    ids: Array.from({ length }, (_, at) => `User-${at}`),
  }));
  const flags = await flagsIn({ in_short: asks("short"), in_long: asks("long") }, { segments });
  const passing = (gate: string) => ["User-1", "user-1"].map((userID) => flags.gate(gate, { userID }).value);
  expect([passing("in_short"), passing("in_long")]).toEqual([
    [true, true],
    [true, false],
  ]);
});

test.each([
  ["that is not set", {}, "tags is not set"],
  ["that is no list", { custom: { tags: "a" } }, "tags is no list"],
  ["that has it", { custom: { tags: ["z"] } }, "tags does not have z"],
])("B16: a condition on what a list does not have is not met by a field %s", async (_, more, unmet) => {
  const field = { type: "custom_field", field: "tags" };
  const flags = await flagsIn({ tagged: { ...field, operator: "array_contains_none", targetValue: ["z"] } });
  const why = `tagged fails: no rule is for this user; rule "Free" did not match (not met: ${unmet})`;
  expect(flags.gate("tagged", { ...ann, ...more })).toMatchObject({ value: false, why });
});
