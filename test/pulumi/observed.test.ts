import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import type { JsonObject } from "../../src/provider/schema/json";
import { answersInForce } from "../../src/provider/schema/observations";
import { questions } from "../../src/tools/verify/verify";
import { rule } from "../laws/harness";
import type { Resource } from "../support/driver";
import { freshFolder } from "../support/folders";
import { emulator, start, startJob } from "./stage";

// A run that has a file of `verify` knows how its console answers, and says before an update what it will refuse.

type Answers = Readonly<Record<string, string>>;
const fileOf = (answers: Answers, console?: string) =>
  JSON.stringify({
    format: 1,
    ...(console === undefined ? {} : { console }),
    questions: Object.entries(answers).map(([id, answer]) => ({ id, as: "otherwise", answer })),
  });
const told = { "feature-console:observations": "answers.json" };

/** A console that answers so; its stack, whose folder has a file with the answers. */
async function answering(behaviour: Answers, settings: Record<string, string> = told) {
  await start({ behaviour });
  const folder = freshFolder();
  const tell = (answers: Answers) => writeFileSync(path.join(folder, "answers.json"), fileOf(answers));
  tell(behaviour);
  const job = (own = settings) => startJob({ folder, settings: own });
  /** What a preview of a program of one resource says of its end. */
  const foretold = async (args: JsonObject, made?: Resource, own = settings) => {
    const { checked, diff, lines } = job(own);
    const said = { ...args, __program: { name: "one", preview: true, declared: 1 } };
    await (made === undefined ? checked(said) : diff(made, said));
    return lines.filter((line) => /^This update will fail:/.test(line));
  };
  const up = (args: JsonObject) => job().up(args);
  const carryOut = (resource: Resource | undefined, after: JsonObject) =>
    resource === undefined ? up(after) : job().update(resource, after);
  return { job, up, foretold, carryOut, tell };
}

const everyone = (passPercentage: number, more: JsonObject = {}) => [rule("Everyone", passPercentage, more)];
const asks = (condition: JsonObject) => ({
  key: "checkout",
  rules: everyone(10, { conditions: [condition] }),
});
const plain = { key: "checkout", rules: everyone(10) };

type Refused = readonly [answer: string, before: JsonObject | undefined, after: JsonObject, says: RegExp];
const bypass = { ...plain, gradualRolloutStrategy: { type: "bypass" } };
const template = { ...plain, isTemplate: true };
const tier = asks({ type: "environment_tier", operator: "any", targetValue: ["qa"] });
const apps = { ...plain, targetApps: ["shop"] };
const inQa = { key: "checkout", rules: everyone(10, { environments: ["qa"] }) };
const [nowhere, nobody] = [
  asks({ type: "passes_gate", targetValue: ["nowhere"] }),
  asks({ type: "passes_segment", targetValue: ["nobody"] }),
];
const gt = asks({ type: "country", operator: "gt", targetValue: "NZ" });
const tags = { ...plain, tags: ["new"] };
const sixty = { key: "checkout", rules: everyone(60) };

/** A change that the console refuses, or drops a part of, by an answer, and what the preview says of it. */
const refused: readonly Refused[] = [
  ["suddenRises refuse", bypass, sixty, /Percentage: rises from 10 to 60 at once/],
  ["suddenRises refuse", undefined, plain, /rules\[0\]\.passPercentage: rises from 0 to 10 at once/],
  ["templateWrites refuse", template, { ...template, description: "New" }, /it is a template/],
  ["unknownEnvironments refuse", plain, inQa, /"qa" is no .*environment/],
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

describe.each(refused)("a change that the console refuses by %s", (answer, before, after, says) => {
  const [question = "", value = ""] = answer.split(" ");

  test("the preview says it, and the update meets it; without the file no preview says it", async () => {
    const { up, foretold, carryOut } = await answering({ [question]: value });
    const made = before && (await up(before));
    expect(await foretold(after, made, {})).toEqual([]);
    expect(await foretold(after, made)).toEqual([expect.stringMatching(says)]);
    await expect(carryOut(made, after)).rejects.toThrow(/answered 40[04]|did not make it/);
  });

  test("a console that accepts it is told of nothing, nor what stays while something else changes", async () => {
    const accepted = { [question]: question === "unknownTags" ? "create" : "accept" };
    const { up, foretold, carryOut, tell } = await answering(accepted);
    const made = before && (await up(before));
    expect(await foretold(after, made)).toEqual([]);
    const changed = await carryOut(made, { ...before, ...after });
    if (question === "templateWrites") return;
    tell({ [question]: value });
    expect(await foretold({ ...before, ...after, description: "Other" }, changed)).toEqual([]);
  });
});

test("a gate or segment that neither program nor console has is a warning, where the console takes it", async () => {
  const { job } = await answering({});
  const { checked, lines } = job({});
  const conditions = [
    { type: "passes_gate", targetValue: ["nowhere"] },
    { type: "fails_segment", targetValue: ["nobody"] },
  ];
  const program = { ...plain, rules: everyone(10, { conditions }) };
  await checked({ ...program, __program: { name: "one", preview: true, declared: 1 } });
  const nowhere =
    "of this program or of the console: nobody passes it, and everyone fails it. Declare it first, or correct the name.";
  expect(lines.filter((line) => line.includes("is no "))).toEqual([
    `gate "checkout": rules[0].conditions[0].targetValue: "nowhere" is no gate ${nowhere}`,
    `gate "checkout": rules[0].conditions[1].targetValue: "nobody" is no segment ${nowhere}`,
  ]);
});

test("a preview names the answers in force once, and no others", async () => {
  const { job } = await answering({ suddenRises: "refuse", singleTargets: "list", unknownTags: "create" });
  const { checked, lines } = job();
  const said = { ...plain, __program: { name: "one", preview: true, declared: 2 } };
  await checked(said);
  await checked({ ...said, key: "other" });
  expect(lines.filter((line) => line.includes("answers.json"))).toEqual([
    "Answers of answers.json in force: suddenRises refuse.",
  ]);
});

test.each<[string, string | undefined, RegExp]>([
  ["is missing", undefined, /answers\.json.* cannot be read/],
  ["is something else", "{}", /is no file of .{1,2}npx feature-console verify/],
  ["is of another console", fileOf({}, "elsewhere"), /holds the answers of another console/],
])("a file that %s: one clear refusal, and nothing is sent", async (_, text, says) => {
  await start();
  const { up, folder } = startJob({ settings: told });
  if (text !== undefined) writeFileSync(path.join(folder, "answers.json"), text);
  await expect(up(plain)).rejects.toThrow(says);
  expect(emulator.requests).toEqual([]);
});

test("the answers in force are answers of verify", () => {
  for (const [id, answers] of Object.entries(answersInForce))
    expect(Object.keys(questions.find((one) => one.id === id)?.answers ?? {})).toEqual(
      expect.arrayContaining([...answers]),
    );
});
