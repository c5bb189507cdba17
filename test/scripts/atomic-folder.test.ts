import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { ensureFolder, removeTree } from "../../scripts/process/atomic-folder";
import { stallDetector } from "../../scripts/process/stall";

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "atomic-folder-"));
});
afterEach(() => removeTree(root));

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
