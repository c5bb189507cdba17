import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { runStages, type Step } from "../../scripts/process/steps";

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

const printed = (blocks: readonly string[]) => blocks.map((block) => block.replaceAll(/ in [\d.]+ s/g, ""));

test("steps run side by side, and each is printed whole when it ends", async () => {
  const blocks: string[] = [];
  const results = await runStages([[[step("long", 300)], [step("short", 10)]]], (text) => blocks.push(text));
  expect(printed(blocks)).toEqual([
    "\n== short\nshort begins\nshort ends\n-- done\n",
    "\n== long\nlong begins\nlong ends\n-- done\n",
  ]);
  expect(results.map(({ headline }) => headline)).toEqual(["long", "short"]);
});

test("a failed step stops no other, and a stage waits for the one before it", async () => {
  const blocks: string[] = [];
  const broken: Step = { headline: "broken", work: () => Promise.reject(new Error("no such file")) };
  const stages = [[[broken, step("after", 10)], [step("beside", 50, 2)]], [[step("next", 10)]]];
  const results = await runStages(stages, (text) => blocks.push(text));
  expect(blocks.at(-1)).toContain("== next");
  expect(blocks[0]).toContain("no such file\n-- failed");
  expect(results.map(({ passed }) => passed)).toEqual([false, true, false, true]);
});
