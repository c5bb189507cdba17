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

type Refused = readonly [answer: string, before: JsonObject | undefined, after: JsonObject, says: RegExp];
const bypass = { ...plain, gradualRolloutStrategy: { type: "bypass" } };
const template = { ...plain, isTemplate: true };
const tier = asks({ type: "environment_tier", operator: "any", targetValue: ["qa"] });
const apps = { ...plain, targetApps: ["shop"] };
const share = (more: JsonObject) => ({ key: "checkout", rules: [rule(more)] });
const [nowhere, nobody] = [
  asks({ type: "passes_gate", targetValue: ["nowhere"] }),
  asks({ type: "passes_segment", targetValue: ["nobody"] }),
];
const gt = asks({ type: "country", operator: "gt", targetValue: "NZ" });
const tags = { ...plain, tags: ["new"] };

/** A change that the console refuses, or drops a part of, by an answer, and what the preview says of it. */
const refused: readonly Refused[] = [
  ["suddenRises refuse", bypass, share({ passPercentage: 60 }), /Percentage: rises from 10 to 60 at once/],
  ["suddenRises refuse", undefined, plain, /rules\[0\]\.passPercentage: rises from 0 to 10 at once/],
  ["templateWrites refuse", template, { ...template, description: "New" }, /it is a template/],
  ["unknownEnvironments refuse", plain, share({ environments: ["qa"] }), /"qa" is no .*environment/],
  ["unknownEnvironments refuse", undefined, tier, /"qa" is no .*environment/],
  ["unknownReferences refuse", plain, nowhere, /"nowhere" is no gate/],
  ["unknownReferences refuse", undefined, nobody, /"nobody" is no segment/],
  ["unknownTeams refuse", plain, { ...plain, team: "grwth" }, /team: "grwth" is no team/],
  ["unknownTags refuse", plain, tags, /tags\[0\]: "new" is no tag/],
  ["unknownTargetApps refuse", undefined, apps, /"shop" is no target app/],
  ["unknownTags ignore", plain, tags, /"new" is no tag .*which drops the name/],
  ["unknownTargetApps ignore", undefined, apps, /"shop" is no target app .*which drops the name/],
  ["unusualOperators refuse", plain, gt, /"gt" is unusual for "country"/],
];

const answersOf = (text: string): Answers => Object.fromEntries([text.split(" ")]);
const made = async (before: JsonObject | undefined) =>
  before === undefined ? undefined : await subject.up(before);
const carryOut = (resource: Resource | undefined, after: JsonObject) =>
  resource === undefined ? subject.up(after) : subject.update(resource, after);

describe.each(refused)("a change that the console refuses by %s", (answer, before, after, says) => {
  test("the preview says it, and the update meets it; without the file no preview says it", async () => {
    await start(answersOf(answer), { isTold: false });
    expect(failing(await preview(after, await made(before)))).toEqual([]);
    await subject.close();
    await start(answersOf(answer));
    const resource = await made(before);
    expect(failing(await preview(after, resource))).toEqual([expect.stringMatching(says)]);
    await expect(carryOut(resource, after)).rejects.toThrow(/answered 40[04]|did not make it/);
  });

  test("a console that accepts it is told of nothing", async () => {
    const [question = ""] = answer.split(" ");
    await start({ [question]: question === "unknownTags" ? "create" : "accept" });
    const resource = await made(before);
    expect(failing(await preview(after, resource))).toEqual([]);
    await expect(carryOut(resource, after)).resolves.toBeDefined();
  });

  const isOfValues = before !== undefined && !answer.startsWith("templateWrites");
  if (isOfValues)
    test("a change of something else says nothing of what stays", async () => {
      await start({});
      const both = { ...before, ...after };
      const resource = await subject.up(both);
      writeFileSync(path.join(subject.folder, "answers.json"), fileOf(answersOf(answer)));
      expect(failing(await preview({ ...both, description: "Other" }, resource))).toEqual([]);
    });
});

describe("a change that needs a review", () => {
  test.each<[string, string, boolean]>([
    ["refuse", "bypass", false],
    ["forbid", "bypass", false],
    ["hold", "bypass", false],
    ["asked", "respect", false],
    ["refuse", "respect", false],
    ["apply", "bypass", true],
    ["apply", "respect", true],
    ["asked", "bypass", true],
  ])(
    "requiredReviews %s, reviews %s: as the preview says, it succeeds: %s",
    async (answer, reviews, succeeds) => {
      await start({ requiredReviews: answer }, { reviews });
      const resource = await subject.up(plain);
      await requireReviews(deskOf(subject.emulator));
      const changed = { key: "checkout", rules: [rule({ passPercentage: 20 })] };
      const told = (await preview(changed, resource)).filter((line) => line.includes("needs a review"));
      const update = subject.update(resource, changed);
      if (succeeds) {
        expect(told).toEqual([]);
        await update;
      } else {
        await expect(update).rejects.toThrow();
        const text = /^This update will fail: gate "checkout": a change of rules needs a review/;
        expect(told).toEqual([expect.stringMatching(text)]);
      }
    },
  );
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
