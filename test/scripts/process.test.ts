import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { ensureFolder } from "../../scripts/process/atomic-folder";
import { proofTable, proveAll } from "../../scripts/process/prove-all";
import { procText } from "../../scripts/process/provider-host";
import { run } from "../../scripts/process/run";
import { stallDetector } from "../../scripts/process/stall";
import { runStages, type Step } from "../../scripts/process/steps";
import { folderOfFile, freshFolder } from "../support/folders";

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
  const folder = folderOfFile();

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

describe("a command", () => {
  const node = process.execPath;

  /** The letters by which the system tells what a process does; empty where there is none. On Linux without `ps`, as stop.ts. */
  function stateOf(pid: string): string {
    if (existsSync("/proc/self/stat")) return procText(Number(pid), "stat")?.split(") ").at(-1) ?? "";
    return spawnSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" }).stdout;
  }

  /** Waits until a process is gone, five seconds at most: one that is ended on a busy machine first has to have a turn. */
  async function ended(pid: string): Promise<boolean> {
    for (let attempt = 0; attempt < 50; attempt += 1) {
      // Where nothing collects the ended, they stay listed as zombies.
      if (/^(Z.*)?\s*$/.test(stateOf(pid))) return true;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return false;
  }

  test("what a command prints and its exit code are told", async () => {
    const program = 'console.log("out"); console.error("err"); process.exitCode = 3';
    const pieces: string[] = [];
    const finished = await run(node, ["-e", program], { onOutput: (text) => pieces.push(text) });
    expect(finished).toEqual({ code: 3, stdout: "out\n", stderr: "err\n" });
    expect(pieces.sort()).toEqual(["err\n", "out\n"]);
  });

  test("a command that cannot start says so", async () => {
    const finished = await run("no-such-program", []);
    expect(finished).toMatchObject({ code: 1, problem: expect.stringContaining("cannot start: ") });
  });

  test.each([
    ["a time limit", "stopped after 6 s"],
    ["a reason", "no progress"],
  ])("%s ends a command and all that it started, even what does not listen", async (why, problem) => {
    const deaf = 'process.on("SIGINT", () => {}); setInterval(() => {}, 1000);';
    const child = `spawn(process.execPath, ["-e", ${JSON.stringify(deaf)}], { detached: true, stdio: "ignore" })`;
    const program = `${deaf} console.log(require("node:child_process").${child}.pid)`;
    let started = "";
    const onOutput = (text: string) => {
      started += text;
    };
    const shouldStop = () => (started === "" ? undefined : problem);
    const options = why === "a reason" ? { shouldStop } : { timeoutMs: 6000 };
    expect(await run(node, ["-e", program], { ...options, onOutput })).toMatchObject({ code: 1, problem });
    expect(Number(started)).toBeGreaterThan(0);
    await expect(ended(started.trim())).resolves.toBe(true);
  });
});

describe("a folder that appears whole", () => {
  let root: string;
  beforeEach(() => {
    root = freshFolder();
  });

  test("several at once: one fills, the others wait and find it complete", async () => {
    const folder = path.join(root, "tool");
    let fills = 0;
    let waits = 0;
    const fill = async (staging: string) => {
      fills += 1;
      await writeFile(path.join(staging, "first"), "1");
      await new Promise((wake) => setTimeout(wake, 50));
      await writeFile(path.join(staging, "second"), "2");
    };
    const onWait = () => {
      waits += 1;
    };
    await Promise.all([1, 2, 3].map(() => ensureFolder(folder, { fill, onWait })));
    expect({ fills, waits }).toEqual({ fills: 1, waits: 2 });
    expect(readdirSync(folder).sort()).toEqual(["first", "second"]);
  });

  test("a failure leaves nothing behind, and the next try may succeed", async () => {
    const folder = path.join(root, "tool");
    const failing = async (staging: string) => {
      await writeFile(path.join(staging, "half"), "");
      throw new Error("no luck");
    };
    await expect(ensureFolder(folder, { fill: failing })).rejects.toThrow("no luck");
    expect(readdirSync(root)).toEqual([]);
    await ensureFolder(folder, { fill: (staging) => writeFile(path.join(staging, "whole"), "w") });
    expect(readFileSync(path.join(folder, "whole"), "utf8")).toBe("w");
  });

  test("what a killed process left behind does not stand in the way", async () => {
    const folder = path.join(root, "tool");
    await mkdir(`${folder}.lock`);
    await mkdir(`${folder}.partial-1`);
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(`${folder}.lock`, longAgo, longAgo);
    await ensureFolder(folder, { fill: async () => {} });
    expect(readdirSync(root)).toEqual(["tool"]);
  });

  test("a stall is noticed only while nothing changes", () => {
    let size = 0;
    let time = 0;
    const [sizeOf, now] = [() => size, () => time];
    const stalled = stallDetector(sizeOf, 20_000, now);
    time = 19_000;
    size = 5;
    expect(stalled()).toBeUndefined();
    time = 38_000;
    expect(stalled()).toBeUndefined();
    time = 40_000;
    expect(stalled()).toBe("no progress for 20 s");
  });
});
