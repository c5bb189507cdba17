import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { createEmulator, type Emulator, type EmulatorOptions, type Seed } from "../../src/emulator";
import { switchAnswers } from "../../src/emulator/console/rules/switches";
import { rendered } from "../../src/tools/render/report";
import { statusOf, verifyReport } from "../../src/tools/verify/report";
import { questions, verify } from "../../src/tools/verify/verify";
import { mixture } from "../laws/consoles";
import { clock, key, namesIn, portsFor } from "./run";

type Behaviour = NonNullable<EmulatorOptions["behaviour"]>;

let emulator: Emulator;
afterEach(() => (emulator as Emulator | undefined)?.close());

const keys = [{ name: "CI", type: "CONSOLE" }];

function open(behaviour: Behaviour = {}, seed: Seed = { keys }): void {
  emulator = createEmulator({ profile: "custom", key, behaviour, seed, clock: clock.now });
}

function run(
  options: Partial<Parameters<typeof verify>[0]> = {},
  more: Partial<Parameters<typeof verify>[1]> = {},
) {
  return verify({ write: true, ...options }, { ...portsFor(emulator.transport), ...more });
}

const writes = () => emulator.requests.filter(({ method }) => method !== "GET");

const switchValues = switchAnswers.flatMap(([name, values]) => values.map((value) => [name, value] as const));
const answersOf = ({ questions: asked }: Awaited<ReturnType<typeof run>>) =>
  Object.fromEntries(asked.map(({ id, answer }) => [id, answer]));

test("every question is about a switch of the emulator, or one of its answers is a fault to report", () => {
  const ofSwitches = questions.filter(({ row }) => row === undefined).map(({ id }) => id);
  expect(ofSwitches.toSorted()).toEqual(switchAnswers.map(([name]) => name).toSorted());
  for (const { id, row, answers } of questions)
    if (row !== undefined)
      expect([id, Object.values(answers).join(" ")]).toEqual([id, expect.stringContaining("Report it: ")]);
});

test.each(switchValues)("a console with %s=%s: the answer is found", async (name, value) => {
  open({ [name]: value });
  const verified = await run({ only: [name] });
  expect(answersOf(verified)).toEqual({ [name]: value });
  const isAssumed = Object.keys(questions.find(({ id }) => id === name)?.answers ?? {})[0] === value;
  expect(statusOf(verified)).toBe(isAssumed ? 0 : 3);
});

test.each([
  mixture(1).behaviour,
  mixture(2).behaviour,
  { ...mixture(3).behaviour, suddenRises: "refuse" },
  { ...mixture(4).behaviour, suddenRises: "refuse", requiredReviews: "refuse" },
] as const)("a console that mixes answers: all of them are found (%#)", async (behaviour) => {
  open(behaviour);
  const verified = await run();
  expect(answersOf(verified)).toMatchObject(behaviour);
  expect(verified.left).toEqual([]);
  expect(verified.writes).toBeLessThanOrEqual(400);
});

describe("a run", () => {
  const seed: Seed = {
    keys,
    gates: [
      { name: "checkout", rules: [{ name: "All", passPercentage: 10, conditions: [{ type: "public" }] }] },
    ],
    segments: [{ name: "staff", type: "rule_based" }],
  };

  test("leaves a console as it was, but for what it counts", async () => {
    // Pages are asked about where a list has some.
    open({}, { ...seed, gates: [...(seed.gates ?? []), { name: "basket" }, { name: "search" }] });
    const before = await objects();
    const verified = await run();
    expect(verified.questions.filter(({ as }) => as !== "assumed")).toEqual([]);
    const page = readFileSync(join(__dirname, "..", "..", "docs", "verify.md"), "utf8");
    expect(page).toContain(`questions take about ${verified.writes} writes`);
    expect(await objects()).toEqual(before);
    expect(writes().filter(({ path }) => /checkout|staff/.test(path))).toEqual([]);
  });

  test("sends no write without --write, and reads every object", async () => {
    open({}, seed);
    const verified = await run({ write: false });
    expect(writes()).toEqual([]);
    expect(verified.objects).toBeGreaterThanOrEqual(2);
    expect(rendered(verifyReport(verified), "text")).toContain("Nothing was written.");
  });

  test("stops when it is interrupted, and removes what it made", async () => {
    open({}, seed);
    const before = await objects();
    const stop = new AbortController();
    const verified = await run(
      {},
      { signal: stop.signal, report: (line) => line.startsWith("8 of") && stop.abort() },
    );
    expect(verified).toMatchObject({ isInterrupted: true, left: [] });
    expect(verified.questions).toHaveLength(8);
    expect(await objects()).toEqual(before);
    expect(statusOf(verified)).toBe(1);
  });

  test("removes what a killed run left", async () => {
    open({}, { ...seed, gates: [...(seed.gates ?? []), { name: "fcverify_old_1" }] });
    const lines: string[] = [];
    await run({ only: ["templateTypes"] }, { report: (line) => lines.push(line) });
    expect(lines).toContain("Removing 1 object of an interrupted run.");
    expect((await objects()).gates).toEqual(["checkout"]);
  });

  test("writes nothing where the person says no, or where applications ask the project", async () => {
    const project = "shop";
    open({}, { projects: [{ id: project }], gates: [{ name: "checkout", checksPerHour: 12 }] });
    await expect(run()).rejects.toThrow(
      /^applications ask this project \(.*\)\. Nothing was written\. .*--project/,
    );
    await expect(run({ project }, { confirm: () => Promise.resolve(false) })).rejects.toThrow(
      "Nothing was written.",
    );
    expect(writes()).toEqual([]);
    expect((await run({ project, only: ["templateTypes"] })).questions).toHaveLength(1);
  });

  test("names the id of the project where that reads like production", async () => {
    open();
    const ports = portsFor(emulator.transport);
    const project = Object.assign(async () => "shop-prod", { known: () => undefined });
    const context = { ...ports.context, client: { ...ports.context.client, project } };
    await expect(run({}, { ...ports, context })).rejects.toThrow(
      /^the id of this project \(shop-prod\) reads like production\. Nothing was written\./,
    );
  });

  test("has neither the key nor the content of an object in its JSON", async () => {
    open({}, seed);
    const text = rendered(verifyReport(await run({ only: ["templateTypes", "keysInReads"] })), "json");
    expect(text).not.toContain(key);
    expect(text).not.toContain("checkout");
    expect(JSON.parse(text)).toMatchObject({ format: 1, questions: [{ as: "assumed" }, { as: "assumed" }] });
  });

  test("a refused key ends it before any write", async () => {
    open();
    const ports = portsFor(emulator.transport, ["another", "one"].join("-"));
    await expect(run({}, ports)).rejects.toThrow(/Check the key/);
    expect(writes()).toEqual([]);
  });
});

/** Names of the objects of the kinds that a run makes. */
async function objects(): Promise<Record<string, unknown[]>> {
  const lists = ["gates", "segments", "experiments", "layers", "tags"];
  const found = lists.map(async (list) => [list, await namesIn(emulator.transport, `/${list}`)] as const);
  return Object.fromEntries(await Promise.all(found));
}
