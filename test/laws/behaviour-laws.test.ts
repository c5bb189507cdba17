import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { run } from "../../scripts/process/run";
import { switchAnswers } from "../../src/emulator/console/rules/switches";
import { readObservations } from "../../src/tools/cli/emulate";
import { folderOfFile } from "../support/folders";
import { behaviourLaws, runBehaviourLaws } from "./behaviour-laws";
import { type ConsoleSetting, harsh, isPolicy, mild, mixture, observed } from "./consoles";
import { kinds } from "./subject";

/** How many cases there were, and what was wrong in them. */
async function play(setting: ConsoleSetting, isMeant?: (kind: string, law: string) => boolean) {
  const failures: string[] = [];
  let cases = 0;
  for await (const { kind, law, failure } of runBehaviourLaws([setting], isMeant)) {
    cases += 1;
    if (failure !== undefined) failures.push(`${kind}: ${law}: ${failure}`);
  }
  return { cases, failures };
}

// Every law meets every kind once here; `npm run prove -- laws` plays all of them over both, and over 19 mixtures more.
test("every law holds of every kind, over a harsh console or one of a mixture, in turn, [R9]", async () => {
  const isHarsh = (kind: string, law: string) =>
    (kinds.findIndex(([one]) => one === kind) + behaviourLaws.findIndex(({ title }) => title === law)) % 2 ===
    0;
  const [first, second] = [
    await play(harsh, isHarsh),
    await play(mixture(1), (kind, law) => !isHarsh(kind, law)),
  ];
  expect([...first.failures, ...second.failures]).toEqual([]);
  expect(first.cases + second.cases).toBe(kinds.length * behaviourLaws.length);
}, 180_000);

test("mild is the default, harsh differs from it in every answer but policies, and mixtures give every answer", () => {
  const mixtures = Array.from({ length: 20 }, (_, index) => mixture(index + 1).behaviour);
  for (const [question, choices] of switchAnswers) {
    expect(mild.behaviour[question]).toBe(choices[0]);
    if (isPolicy(question)) continue;
    expect(harsh.behaviour[question]).toBe(choices.at(-1));
    const given = new Set<string>(mixtures.map((behaviour) => behaviour[question]));
    expect([question, given]).toEqual([question, new Set<string>(choices)]);
  }
  expect(mixture(3)).toEqual(mixture(3));
});

const folder = folderOfFile();

test("the laws hold over a console of the answers in a file, of which policies are left out", async () => {
  const file = path.join(folder, "observations.json");
  const questions = [
    { id: "emptyMembers", as: "otherwise", answer: "null" },
    { id: "listedMembers", as: "otherwise", answer: "fewer" },
    { id: "patchedLists", as: "assumed", answer: "replaced" },
    { id: "unknownTags", as: "undecided", answer: "forbidden (403)" },
  ];
  writeFileSync(file, JSON.stringify({ format: 1, console: "0", questions }));
  const setting = observed("a file", readObservations(file));
  expect(setting.behaviour).toMatchObject({ emptyMembers: "null", listedMembers: "fewer" });
  const found = await play(setting, (kind) => kind === "Gate");
  expect(found).toEqual({ cases: behaviourLaws.length, failures: [] });
  // These refuse some samples whatever the provider does.
  const { behaviour } = observed("one", { suddenRises: "refuse", unknownTags: "refuse" });
  expect(behaviour).toMatchObject({ suddenRises: "accept", unknownTags: "refuse" });
});

test("of a file that verify did not write the proof prints one line, and runs no law", async () => {
  const file = path.join(folder, "package.json");
  writeFileSync(file, "{}");
  const args = ["--import", "tsx", "scripts/prove.mts", "laws", "--kind", "Gate", "--observations", file];
  const { code, stdout, stderr } = await run(process.execPath, args, { cwd: path.join(__dirname, "../..") });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("not written by feature-console verify --out");
}, 120_000);
