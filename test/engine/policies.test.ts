import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { quiet } from "../laws/quiet";
import { type Resource, type Subject, startSubject } from "../laws/subject";
import { allOf } from "../support/raw-client";

let subject: Subject;
afterEach(() => subject.close());

const mustBeQuiet = async (made: Resource, args: JsonObject) => {
  subject.nextRun();
  const refreshed = (await subject.refresh(made)) as Resource;
  expect(await subject.diff(refreshed, args)).toEqual(quiet);
  return refreshed;
};
const gates = () => allOf(subject.raw.gate.list());
const percentages = async () =>
  ((await subject.raw.gate.get({ id: "flag_one" })).rules as JsonObject[]).map((rule) => rule.passPercentage);

describe("a policy that refuses sudden rises", () => {
  const start = async () => {
    subject = await startSubject(catalog.gate, { behaviour: { suddenRises: "refuse" } });
  };
  const rule = (name: string, passPercentage: number) => ({
    ...{ name, passPercentage },
    conditions: [{ type: "public" }],
  });
  const bare = (...percents: number[]): JsonObject => ({
    key: "flag_one",
    rules: percents.map((percent, index) => rule(`r${index}`, percent)),
  });
  const staged = (...percents: number[]): JsonObject => ({
    ...bare(...percents),
    gradualRolloutStrategy: { type: "bypass" },
  });

  test("is met by a program that says a strategy: at creation, at each rise, for each new rule", async () => {
    await start();
    const made = await mustBeQuiet(await subject.up(staged(10)), staged(10));
    const more = await mustBeQuiet(await subject.update(made, staged(20)), staged(20));
    const both = await mustBeQuiet(await subject.update(more, staged(20, 5)), staged(20, 5));
    await mustBeQuiet(await subject.update(both, staged(5)), staged(5));
    expect(await percentages()).toEqual([5]);
  });

  test.each(["before", "after"] as const)(
    "is met by a create whose answer is lost: connection broken %s the console had it",
    async (reset) => {
      await start();
      subject.emulator.addFaults([{ method: "POST", path: "/gates", reset, times: 1 }]);
      const made = await mustBeQuiet(await subject.up(staged(10)), staged(10));
      await mustBeQuiet(await subject.update(made, staged(50)), staged(50));
      expect([await gates(), await percentages()]).toEqual([[expect.anything()], [50]]);
    },
  );

  test("is met by the run after one whose create was lost for good, and by what that raises", async () => {
    await start();
    subject.emulator.addFaults([
      { method: "POST", path: "/gates", reset: "after", times: 1 },
      { method: "GET", reset: "before", times: 50 },
    ]);
    await expect(subject.up(staged(10))).rejects.toThrow();
    subject.emulator.clearFaults();
    subject.nextRun();
    const made = await mustBeQuiet(await subject.up(staged(10)), staged(10));
    await mustBeQuiet(await subject.update(made, staged(60, 5)), staged(60, 5));
    expect([await gates(), await percentages()]).toEqual([[expect.anything()], [60, 5]]);
  }, 30_000);

  test("says which argument it asks for, and nothing is changed", async () => {
    await start();
    const asked =
      /set gradual_rollout_strategy\. In the program, gradual_rollout_strategy is gradualRolloutStrategy\.$/;
    await expect(subject.up(bare(10))).rejects.toThrow(asked);
    expect(await gates()).toEqual([]);
    subject.nextRun();
    const made = await subject.up(staged(10));
    const raised = { ...staged(20), gradualRolloutStrategy: undefined };
    await expect(subject.update(made, raised)).rejects.toThrow(asked);
    expect(await percentages()).toEqual([10]);
    await mustBeQuiet(made, staged(10));
  });
});

describe("a required review that a write does not go past", () => {
  const required = { reviewSettings: { requiredReview: true } };
  const behaviour = { requiredReviews: "refuse" } as const;

  test("is told in the console's words, and the gate stays as it is", async () => {
    subject = await startSubject(catalog.gate, { behaviour });
    const args = { key: "flag_one", description: "old", ...required };
    const made = await mustBeQuiet(await subject.up(args), args);
    await expect(subject.update(made, { ...args, description: "new" })).rejects.toThrow(
      'Cannot update gate "flag_one": PATCH /gates/flag_one answered 400: A change of this gate requires a review',
    );
    await mustBeQuiet(made, args);
    expect(await subject.raw.gate.get({ id: "flag_one" })).toMatchObject({ description: "old", version: 1 });
  });

  test("in the middle of a create leaves an object that the next run finishes", async () => {
    subject = await startSubject(catalog.gate, { behaviour });
    const { isEnabled: _, ...args }: JsonObject = { key: "flag_one", status: "Launched", ...required };
    await expect(subject.up(args)).rejects.toThrow(/requires a review/);
    const [held] = await gates();
    expect(held).toMatchObject({ id: "flag_one", status: "In Progress" });
    subject.nextRun();
    const open = { ...args, status: "In Progress" };
    await mustBeQuiet(await subject.up(open), open);
    expect(await gates()).toHaveLength(1);
  });
});

describe.each([
  ["gate", catalog.gate],
  ["dynamic config", catalog.dynamicConfig],
] as const)("a template: %s", (title, definition) => {
  const template = { key: "pattern", isTemplate: true, description: "old" };

  test.each(["said", "template"] as const)("is quiet, its type being read as %s", async (templateTypes) => {
    subject = await startSubject(definition, { behaviour: { templateTypes, templateWrites: "refuse" } });
    await mustBeQuiet(await subject.up(template), template);
  });

  test.each(["TEMPORARY", "PERMANENT"])("of type %s is quiet, whatever type is read", async (type) => {
    subject = await startSubject(definition, { behaviour: { templateTypes: "template" } });
    const args = { ...template, type };
    await mustBeQuiet(await subject.up(args), args);
  });

  test("that cannot be changed stays, and the error says so; destroy archives it", async () => {
    subject = await startSubject(definition, { behaviour: { templateWrites: "refuse" } });
    const made = await mustBeQuiet(await subject.up(template), template);
    await expect(subject.update(made, { ...template, description: "new" })).rejects.toThrow(
      `This ${title} is a template, which cannot be changed through the API`,
    );
    await mustBeQuiet(made, template);
    await subject.destroy(made);
    subject.nextRun();
    expect((await subject.refresh(made))?.outputs).toMatchObject({ status: "Archived", description: "old" });
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
    subject = await startSubject(definition, { seed });
    const args = { key: "reviewed", description: "", adopt: true };
    const made = await mustBeQuiet(await subject.up(args), args);
    const told = () => subject.lines.filter((line) => line.includes("review"));
    expect(told()).toEqual([]);
    await subject.update(made, { ...args, description: "new" });
    expect(told()).toEqual([
      `${title} "reviewed" has an open review, "More people" ("pending"): this update goes past it, and what the review ` +
        "changes comes on top when it is committed. Look at it in the console.",
    ]);
    subject.nextRun();
    const free = { key: "free", description: "new", adopt: true };
    await subject.up(free);
    expect(told()).toHaveLength(1);
  },
);
