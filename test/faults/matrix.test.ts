import { beforeAll, describe, expect, jest, test } from "@jest/globals";
import { faultRows } from "./faults";
import { runMatrix } from "./matrix";
import { type Summary, summarise } from "./report";
import { createScanner, formsOf, matrixKey } from "./secrets";

jest.setTimeout(300_000);

/** A sample of `npm run prove -- faults`: a kind that looks before it creates, and one that keeps its fields in one list. */
describe.each([
  ["emulator", "Tag", "dynamic"],
  ["proxy", "Environments", "dynamic"],
  ["emulator", "Tag", "native"],
] as const)("faults made by the %s before a %s, %s", (by, kind, adapter) => {
  let summary: Summary;
  beforeAll(async () => {
    summary = summarise(await runMatrix({ kinds: [kind], by, adapter, requests: 2 }));
  });

  test("one more up makes it right, whatever went wrong", () => {
    expect(summary.problems).toEqual([]);
    expect(summary.run).toBeGreaterThan(50);
  });

  test("every fault has met the kind", () => {
    const met = summary.byFault.filter(({ verbs }) => Object.values(verbs).some(({ run }) => run > 0));
    const stale = by === "proxy" ? faultRows.filter(({ name }) => name.includes("stale")).length : 0;
    expect(met).toHaveLength(faultRows.length - stale);
  });

  test("check and diff ask nothing", () => {
    expect(summary.silent).toContain(`${kind} check and diff`);
  });

  test("the key is nowhere, and no stack was printed", () => {
    expect(summary.scan.hits).toEqual([]);
    expect(Object.keys(summary.scan.artefacts).sort()).toEqual([
      "error",
      "request",
      "standard error",
      "standard output",
      "state",
    ]);
    expect(summary.stacks).toBe(0);
  });
});

test("every kind meets an answer that is cut off, at each of its first three requests", async () => {
  const summary = summarise(await runMatrix({ faults: ["cut JSON, right length"], requests: 3 }));
  expect(summary.problems).toEqual([]);
  expect(summary.byKind.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["GateReviewCommit", "Ingestion"]),
  );
});

test("a create that arrived twice and may be another stack's comes right when a person says that it is this one's", async () => {
  const summary = summarise(await runMatrix({ kinds: ["Gate"], faults: ["twice, second"], requests: 2 }));
  expect(summary.problems).toEqual([]);
  // Those of the create, which the question for the project comes before; no update and no delete is ever left to a person.
  expect(summary.typed).toBe(3);
});

test.each(Object.entries(formsOf(matrixKey)))("the key is found as %s", (form, text) => {
  const scanner = createScanner(matrixKey);
  scanner.look("error", `before ${text} after`);
  expect(scanner.result().hits).toContain(`error: ${form}`);
});

test.each([0, 1, 2, 3])("the key is found inside longer base64, %d bytes in", (shift) => {
  const scanner = createScanner(matrixKey);
  scanner.look("request", Buffer.from(`${"x".repeat(shift)}${matrixKey} and more`).toString("base64"));
  expect(scanner.result().hits).toEqual([`request: base64 at ${shift % 3}`]);
});
