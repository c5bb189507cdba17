import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { answersInForce } from "../../src/provider/schema/observations";
import { questions } from "../../src/tools/verify";
import { deskOf, requireReviews } from "../emulator/desk";
import { type Resource, type Subject, startSubject } from "../laws/subject";

let subject: Subject;
afterEach(() => subject?.close());

type Answers = Readonly<Record<string, string>>;

const fileOf = (answers: Answers, console?: string) =>
  JSON.stringify({
    format: 1,
    ...(console === undefined ? {} : { console }),
    questions: Object.entries(answers).map(([id, answer]) => ({ id, as: "otherwise", answer })),
  });

/** A console that answers so, and a provider that has been told, or not. */
async function start(answers: Answers, { isTold = true, reviews = "bypass" } = {}) {
  subject = await startSubject(catalog.gate, {
    behaviour: answers,
    config: {
      "feature-console:reviews": reviews,
      ...(isTold ? { "feature-console:observations": "answers.json" } : {}),
    },
  });
  writeFileSync(path.join(subject.folder, "answers.json"), fileOf(answers));
}

/** The lines of a preview of a program of one resource, without the one about the answers. */
async function preview(args: JsonObject, made?: Resource): Promise<readonly string[]> {
  subject.nextRun();
  const before = subject.lines.length;
  const said = { ...args, __program: { name: "one", preview: true, declared: 1 } };
  if (made === undefined) await subject.checked(said);
  else await subject.diff(made, said);
  subject.nextRun();
  return subject.lines.slice(before).filter((line) => !/^Answers of|^The key was not tried/.test(line));
}

const failing = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith("This update will fail:"));

const rule = (more: JsonObject = {}) => ({
  ...{ name: "Everyone", passPercentage: 10, conditions: [{ type: "public" }] },
  ...more,
});
const asks = (condition: JsonObject) => ({ key: "checkout", rules: [rule({ conditions: [condition] })] });
const plain = { key: "checkout", rules: [rule()] };

/** A change that the console refuses, or drops a part of, by these answers, and what the preview says of it. */
const refused: readonly [
  answers: Answers,
  before: JsonObject | undefined,
  after: JsonObject,
  says: RegExp,
][] = [
  [
    { suddenRises: "refuse" },
    { ...plain, gradualRolloutStrategy: { type: "bypass" } },
    { key: "checkout", rules: [rule({ passPercentage: 60 })] },
    /rules\[0\]\.passPercentage: rises from 10 to 60 at once/,
  ],
  [{ suddenRises: "refuse" }, undefined, plain, /rules\[0\]\.passPercentage: rises from 0 to 10 at once/],
  [
    { templateWrites: "refuse" },
    { ...plain, isTemplate: true },
    { ...plain, isTemplate: true, description: "New" },
    /it is a template/,
  ],
  [
    { unknownEnvironments: "refuse" },
    plain,
    { key: "checkout", rules: [rule({ environments: ["qa"] })] },
    /"qa" is no .*environment/,
  ],
  [
    { unknownEnvironments: "refuse" },
    undefined,
    asks({ type: "environment_tier", operator: "any", targetValue: ["qa"] }),
    /"qa" is no .*environment/,
  ],
  [
    { unknownReferences: "refuse" },
    plain,
    asks({ type: "passes_gate", targetValue: ["nowhere"] }),
    /"nowhere" is no gate/,
  ],
  [
    { unknownReferences: "refuse" },
    undefined,
    asks({ type: "passes_segment", targetValue: ["nobody"] }),
    /"nobody" is no segment/,
  ],
  [{ unknownTeams: "refuse" }, plain, { ...plain, team: "grwth" }, /team: "grwth" is no team/],
  [{ unknownTags: "refuse" }, plain, { ...plain, tags: ["new"] }, /tags\[0\]: "new" is no tag/],
  [{ unknownTargetApps: "refuse" }, undefined, { ...plain, targetApps: ["shop"] }, /"shop" is no target app/],
  [{ unknownTags: "ignore" }, plain, { ...plain, tags: ["new"] }, /"new" is no tag .*which drops the name/],
  [
    { unknownTargetApps: "ignore" },
    undefined,
    { ...plain, targetApps: ["shop"] },
    /"shop" is no target app .*which drops the name/,
  ],
  [
    { unusualOperators: "refuse" },
    plain,
    asks({ type: "country", operator: "gt", targetValue: "NZ" }),
    /"gt" is unusual for "country"/,
  ],
];

describe("a change that the console refuses", () => {
  test.each(refused)(
    "%j: the preview says it, and the update meets it",
    async (answers, before, after, says) => {
      await start(answers);
      const made = before === undefined ? undefined : await subject.up(before);
      const lines = await preview(after, made);
      expect(failing(lines)).toEqual([expect.stringMatching(says)]);
      const update = made === undefined ? subject.up(after) : subject.update(made, after);
      await expect(update).rejects.toThrow(/answered 40[04]|did not make it/);
    },
  );

  test.each(refused)("%j: without the file no preview says it", async (answers, before, after) => {
    await start(answers, { isTold: false });
    const made = before === undefined ? undefined : await subject.up(before);
    expect(failing(await preview(after, made))).toEqual([]);
  });

  test.each(refused)("%j: a console that accepts it is told of nothing", async (answers, before, after) => {
    const [question = ""] = Object.keys(answers);
    await start({ [question]: question === "unknownTags" ? "create" : "accept" });
    const made = before === undefined ? undefined : await subject.up(before);
    expect(failing(await preview(after, made))).toEqual([]);
    const update = made === undefined ? subject.up(after) : subject.update(made, after);
    await expect(update).resolves.toBeDefined();
  });

  const ofValues = refused.filter(
    ([answers, before]) => before !== undefined && !("templateWrites" in answers),
  );
  test.each(ofValues)(
    "%j: a change of something else says nothing of what stays",
    async (answers, before = {}, after) => {
      await start({});
      const made = await subject.up({ ...before, ...after });
      writeFileSync(path.join(subject.folder, "answers.json"), fileOf(answers));
      const lines = await preview({ ...before, ...after, description: "Other" }, made);
      expect(failing(lines)).toEqual([]);
    },
  );
});

describe("a change that needs a review", () => {
  const madeUnderReviews = async (requiredReviews: string, reviews: string) => {
    await start({ requiredReviews }, { reviews });
    const made = await subject.up(plain);
    await requireReviews(deskOf(subject.emulator));
    return made;
  };
  const changed = { key: "checkout", rules: [rule({ passPercentage: 20 })] };

  test.each<[string, string]>([
    ["refuse", "bypass"],
    ["forbid", "bypass"],
    ["hold", "bypass"],
    ["asked", "respect"],
    ["refuse", "respect"],
  ])(
    "requiredReviews %s, reviews %s: the preview says that it fails, and it does",
    async (answer, reviews) => {
      const made = await madeUnderReviews(answer, reviews);
      expect(failing(await preview(changed, made))).toEqual([
        expect.stringMatching(/^This update will fail: gate "checkout": a change of rules needs a review/),
      ]);
      await expect(subject.update(made, changed)).rejects.toThrow();
    },
  );

  test.each<[string, string]>([
    ["apply", "bypass"],
    ["apply", "respect"],
    ["asked", "bypass"],
  ])("requiredReviews %s, reviews %s: the preview says nothing, and it succeeds", async (answer, reviews) => {
    const made = await madeUnderReviews(answer, reviews);
    expect((await preview(changed, made)).filter((line) => line.includes("needs a review"))).toEqual([]);
    await subject.update(made, changed);
  });
});

test("a preview names the answers in force once, and no others", async () => {
  await start({ suddenRises: "refuse", singleTargets: "list", unknownTags: "create" });
  const said = { ...plain, __program: { name: "one", preview: true, declared: 2 } };
  await subject.checked(said);
  await subject.checked({ ...said, key: "other" });
  expect(subject.lines.filter((line) => line.includes("answers.json"))).toEqual([
    "Answers of answers.json in force: suddenRises refuse.",
  ]);
});

test.each<[string, string | undefined, RegExp]>([
  ["is missing", undefined, /answers\.json.* cannot be read/],
  ["is something else", "{}", /is no file of .{1,2}npx feature-console verify/],
  ["is of another console", fileOf({}, "elsewhere"), /holds the answers of another console/],
])("a file that %s: one clear refusal, and nothing is sent", async (_, text, says) => {
  subject = await startSubject(catalog.gate, { config: { "feature-console:observations": "answers.json" } });
  if (text !== undefined) writeFileSync(path.join(subject.folder, "answers.json"), text);
  await expect(subject.up(plain)).rejects.toThrow(says);
  expect(subject.emulator.requests).toEqual([]);
});

test("the answers in force are answers of verify", () => {
  for (const [id, answers] of Object.entries(answersInForce))
    expect(Object.keys(questions.find((one) => one.id === id)?.answers ?? {})).toEqual(
      expect.arrayContaining([...answers]),
    );
});
