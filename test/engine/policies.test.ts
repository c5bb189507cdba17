import { describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { expectQuiet, fault, live, refreshed, rule, shares, start, subject } from "../laws/harness";
import type { Resource } from "../laws/subject";
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

  test("is met by a program that says a strategy: at creation, at each rise, for each new rule", async () => {
    await begin();
    const made = await up(staged(10));
    await update(await update(await update(made, staged(20)), staged(20, 5)), staged(5));
    await expectOne(5);
  });

  test.each(["before", "after"] as const)(
    "is met by a create whose answer is lost: connection broken %s the console had it",
    async (reset) => {
      await begin();
      fault({ method: "POST", path: "/gates", reset });
      await update(await up(staged(10)), staged(50));
      await expectOne(50);
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

  test("is told in the console's words, and the gate stays as it is", async () => {
    await start(catalog.gate, { behaviour });
    const args = { key, description: "old", ...required };
    const made = await up(args);
    await expect(subject.update(made, { ...args, description: "new" })).rejects.toThrow(
      'Cannot update gate "flag_one": PATCH /gates/flag_one answered 400: A change of this gate requires a review',
    );
    await mustBeQuiet(made, args);
    expect(await live(key)).toMatchObject({ description: "old", version: 1 });
  });

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
