import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "@jest/globals";
import { proofTable, proveAll } from "../../scripts/process/prove-all";
import { runStages, type Step } from "../../scripts/process/steps";

describe("steps of a command", () => {
  /** Prints its name at its begin and at its end. */
  const step = (headline: string, milliseconds: number, code = 0): Step => ({
    headline,
    async work(print) {
      print(`${headline} begins\n`);
      await sleep(milliseconds);
      print(`${headline} ends\n`);
      return code;
    },
  });
  const play = async (...stages: Step[][][]) => {
    const blocks: string[] = [];
    const results = await runStages(stages, (text) => blocks.push(text.replaceAll(/ in [\d.]+ s/g, "")));
    return { blocks, results };
  };

  test("run side by side, and each is printed whole when it ends", async () => {
    const { blocks, results } = await play([[step("long", 300)], [step("short", 10)]]);
    expect(blocks).toEqual([
      "\n== short\nshort begins\nshort ends\n-- done\n",
      "\n== long\nlong begins\nlong ends\n-- done\n",
    ]);
    expect(results.map(({ headline }) => headline)).toEqual(["long", "short"]);
  });

  test("go on after one that failed, and a stage waits for the one before it", async () => {
    const broken: Step = { headline: "broken", work: () => Promise.reject(new Error("no such file")) };
    const { blocks, results } = await play(
      [[broken, step("after", 10)], [step("beside", 50, 2)]],
      [[step("next", 10)]],
    );
    expect(blocks.at(-1)).toContain("== next");
    expect(blocks[0]).toContain("no such file\n-- failed");
    expect(results.map(({ passed }) => passed)).toEqual([false, true, false, true]);
  });
});

describe("all proofs in turn", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "feature-console-proofs-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Two proofs, of which the second ends as told. */
  const twoProofs = async (file: string, second: () => { code: number; stdout: string }) => {
    const asked: string[] = [];
    const prove = async (name: string) => {
      asked.push(name);
      return name === "dice" ? { code: 0, stdout: "1: six\n600 throws, 0 wrong\nDone.\n" } : second();
    };
    const place = path.join(folder, file);
    const results = await proveAll({ names: ["dice", "kills"], file: place, report: () => {}, prove });
    return { asked, results };
  };

  test("the table has each proof with its counts, its result and the commit", async () => {
    const { results } = await twoProofs("table.json", () => ({ code: 1, stdout: "kill 7 | not mended\n" }));
    expect(proofTable(results, "0123abcd")).toBe(`Proofs of commit 0123abcd

| proof | result | seconds | counts |
|---|---|---:|---|
| dice | ok | 0 | 600 throws, 0 wrong |
| kills | FAILED | 0 | kill 7 \\| not mended |`);
  });

  const interrupt = (): never => {
    throw new Error("interrupted");
  };

  test.each<[string, () => { code: number; stdout: string }]>([
    ["was interrupted", interrupt],
    ["failed", () => ({ code: 1, stdout: "" })],
  ])("one that %s runs again, one that passed does not", async (why, first) => {
    await twoProofs(`${why}.json`, first).catch(() => undefined);
    const { asked, results } = await twoProofs(`${why}.json`, () => ({ code: 0, stdout: "50 kills" }));
    expect(asked).toEqual(["kills"]);
    expect([...results.values()].map(({ passed, counts }) => [passed, counts])).toEqual([
      [true, "600 throws, 0 wrong"],
      [true, "50 kills"],
    ]);
  });
});
