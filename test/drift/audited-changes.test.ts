import { expect, test } from "@jest/globals";
import { explainReport, explainStack } from "../../src/tools/drift/explain";
import { reviewsReport, stackReviews } from "../../src/tools/drift/open-reviews";
import { rendered } from "../../src/tools/render/report";
import { allOf } from "../support/raw-client";
import { api, deskForEachTest } from "./each-test";

deskForEachTest();

const auditRequests = () => api.emulator.requests.filter(({ path }) => path.includes("/audit_logs"));

test("a deleted object is shown with the person who deleted it, and when", async () => {
  await api.apply('new fc.Gate("flag", {});\nnew fc.DynamicConfig("limits", {});\n');
  api.later();
  await api.asAna("DELETE", "/gates/flag");
  api.later();
  await api.raw.dynamicConfig.delete({ id: "limits" });
  const findings = await api.compare();
  expect(await api.told(findings)).toContain(
    'gate "flag" (index.ts:2:1) was deleted in the console (ana@example.com, 2026-11-22 10:04 UTC); "pulumi up" alone does not see that, "pulumi up --refresh" makes it again',
  );
  expect(await api.told(findings)).toContain(
    "was deleted in the console (CONSOLE API, 2026-11-22 10:05 UTC);",
  );
  expect(api.toldAsJson(findings)).toMatchObject({
    objects: [
      { id: "limits", deletedBy: "CONSOLE API", deletedAt: "2026-11-22T10:05:00.000Z" },
      { id: "flag", deletedBy: "ana@example.com", deletedAt: "2026-11-22T10:04:00.000Z" },
    ],
  });
  const told = await explainStack(api.ports, { name: "flag", place: undefined });
  expect(rendered(explainReport(told), "text")).toContain("was deleted in the console (ana@example.com,");
});

test("an edit of a kind without audit fields is shown with the person who made it", async () => {
  await api.apply('new fc.Tag("shop", { description: "Old" });\n');
  api.later();
  const [{ id = "" } = {}] = await allOf(api.raw.tag.list());
  await api.asAna("PATCH", `/tags/${String(id)}`, { description: "New" });
  const findings = await api.compare();
  expect(await api.told(findings)).toContain("changed in the console: ana@example.com, 2026-11-22 10:04 UTC");
  expect(api.toldAsJson(findings)).toMatchObject({
    objects: [{ differences: [{ changedBy: "ana@example.com", changedAt: "2026-11-22T10:04:00.000Z" }] }],
  });
});

test("the end of a part, of another kind or of an earlier object is not the deletion", async () => {
  api.write(
    'new fc.Gate("flag", { rules: [{ name: "r", passPercentage: 1, conditions: [{ type: "public" }] }] });\n',
  );
  await api.raw.gate.create({ body: { id: "flag", name: "flag" } });
  await api.asAna("DELETE", "/gates/flag");
  api.later();
  await api.up();
  api.later();
  const { rules } = await api.raw.gate.get({ id: "flag" });
  await api.asAna("DELETE", `/gates/flag/rules/${String(rules?.[0]?.id)}`);
  await api.raw.dynamicConfig.create({ body: { name: "flag" } });
  await api.asAna("DELETE", "/dynamic_configs/flag");
  await api.raw.gate.delete({ id: "flag" });
  api.emulator.addFaults([{ times: 1, path: "/audit_logs", status: 200, body: await withoutNewest() }]);
  expect(await api.told()).toContain("was deleted in the console; ");
});

/** The log as it was before the gate went. */
async function withoutNewest() {
  const [, ...data] = await allOf(api.raw.auditLog.list());
  return { message: "Listed", data, pagination: { nextPage: null } };
}

test("a log that the key may not read is reported once, and drift is shown without it", async () => {
  await api.apply('new fc.Gate("flag", {});\nnew fc.DynamicConfig("limits", {});\n');
  await api.raw.gate.delete({ id: "flag" });
  await api.raw.dynamicConfig.delete({ id: "limits" });
  api.emulator.addFaults([
    { times: 1, path: "/audit_logs", status: 403, body: { status: 403, message: "Forbidden" } },
  ]);
  expect(await api.told()).toContain('gate "flag" (index.ts:2:1) was deleted in the console; ');
  expect(api.progress.filter((line) => line.startsWith("The audit log was not read"))).toHaveLength(1);
});

test("the log is read once for all objects, from the day before they last changed, and not without need", async () => {
  const names = Array.from({ length: 30 }, (_, index) => `flag_${index}`);
  // A refresh that misses more than half would stop.
  const others = Array.from({ length: 31 }, (_, index) => `other_${index}`);
  api.write([...names, ...others].map((name) => `new fc.Gate("${name}", {});\n`).join(""));
  await api.up();
  await api.compare();
  await api.edit("flag_1", { description: "New" });
  await api.compare();
  expect(auditRequests()).toEqual([]);
  for (const id of names) await api.asAna("DELETE", `/gates/${id}`);
  const { comparisons } = await api.compare();
  expect(comparisons.map(({ audited }) => audited?.by)).toEqual(names.map(() => "ana@example.com"));
  expect(auditRequests().map((one) => one.query)).toEqual([expect.stringContaining("startDate=2026-11-21")]);
});

test("a long log is read for three pages", async () => {
  await api.apply('new fc.Gate("flag", {});\n');
  await api.asAna("DELETE", "/gates/flag");
  await api.raw.gate.create({ body: { id: "other", name: "other" } });
  for (let count = 0; count < 320; count += 1) await api.edit("other", { description: String(count) });
  expect(await api.told()).toContain("was deleted in the console; ");
  expect(auditRequests()).toHaveLength(3);
});

const reviews = (waits: boolean) =>
  stackReviews(api.ports, { waits, betweenMs: 1, sleep: () => Promise.reject(new Error("it waits")) });

const gate = (share: number) => `new fc.Gate("checkout", {
  reviewSettings: { requiredReview: true },
  reviews: "open",
  rules: [{ name: "Everyone", passPercentage: ${share}, conditions: [{ type: "public" }] }],
});
`;

test("drift and reviews name the review that a change waits for", async () => {
  await api.apply(gate(10));
  await api.apply(gate(50));
  const told = await api.told();
  expect(told).toContain("  review 1 of rules was pending after the last update\n");
  expect(told).toContain("rules, not applied yet: 10 % → 50 % of everyone");
  expect(told).toContain("1 resource, 0 changed in the console; 1 with values of the program");
  expect(rendered(reviewsReport(await reviews(false)), "text")).toBe(
    'gate "checkout": review 1 of rules is pending (resource checkout)\n',
  );
});

test("a stack without reviews says so", async () => {
  await api.apply(gate(10));
  expect(rendered(reviewsReport(await reviews(true)), "text")).toBe("No reviews of this stack are open.\n");
});
