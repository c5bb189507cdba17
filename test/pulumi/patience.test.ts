import { readFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { late, within } from "../../src/provider/pulumi/patience";

test("while this process computes, nothing is late: an answer that came meanwhile counts", async () => {
  const answer = within(100, readFile(__filename, "utf8"));
  const end = performance.now() + 150;
  while (performance.now() < end);
  expect(await answer).toContain("while this process computes");
});

test("work that never ends is late", async () => {
  expect(await within(20, new Promise(() => {}))).toBe(late);
});
