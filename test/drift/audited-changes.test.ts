import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { explainStack, explainText, reportJson, reportText } from "../../src/tools/drift";
import { allOf } from "../support/raw-client";
import { Desk } from "./desk";

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});
afterEach(() => desk?.close());

const auditRequests = () => desk.emulator.requests.filter(({ path }) => path.includes("/audit_logs"));

test("a deleted object is shown with the person who deleted it, and when", async () => {
  await desk.apply('new fc.Gate("flag", {});\nnew fc.DynamicConfig("limits", {});\n');
  desk.later();
  await desk.asAna("DELETE", "/gates/flag");
  desk.later();
  await desk.raw.dynamicConfig.delete({ id: "limits" });
  const findings = await desk.compare();
  expect(reportText(findings)).toContain(
    'gate "flag" (index.ts:2:1) was deleted in the console (ana@example.com, 2026-11-22 10:04 UTC); "pulumi up" alone does not see that, "pulumi up --refresh" makes it again',
  );
  expect(reportText(findings)).toContain("was deleted in the console (CONSOLE API, 2026-11-22 10:05 UTC);");
  expect(JSON.parse(reportJson(findings))).toMatchObject({
    objects: [
      { id: "limits", deletedBy: "CONSOLE API", deletedAt: "2026-11-22T10:05:00.000Z" },
      { id: "flag", deletedBy: "ana@example.com", deletedAt: "2026-11-22T10:04:00.000Z" },
    ],
  });
  const explained = await explainStack(desk.ports, { name: "flag", place: undefined });
  expect(explainText(explained)).toContain("was deleted in the console (ana@example.com,");
});

test("an edit of a kind without audit fields is shown with the person who made it", async () => {
  await desk.apply('new fc.Tag("shop", { description: "Old" });\n');
  desk.later();
  const [{ id = "" } = {}] = await allOf(desk.raw.tag.list());
  await desk.asAna("PATCH", `/tags/${String(id)}`, { description: "New" });
  const findings = await desk.compare();
  expect(reportText(findings)).toContain("changed in the console: ana@example.com, 2026-11-22 10:04 UTC");
  expect(JSON.parse(reportJson(findings))).toMatchObject({
    objects: [{ differences: [{ changedBy: "ana@example.com", changedAt: "2026-11-22T10:04:00.000Z" }] }],
  });
});

test("the end of a part, of another kind or of an earlier object is not the deletion", async () => {
  desk.write(
    'new fc.Gate("flag", { rules: [{ name: "r", passPercentage: 1, conditions: [{ type: "public" }] }] });\n',
  );
  await desk.raw.gate.create({ body: { id: "flag", name: "flag" } });
  await desk.asAna("DELETE", "/gates/flag");
  desk.later();
  await desk.up();
  desk.later();
  const { rules } = await desk.raw.gate.get({ id: "flag" });
  await desk.asAna("DELETE", `/gates/flag/rules/${String(rules?.[0]?.id)}`);
  await desk.raw.dynamicConfig.create({ body: { name: "flag" } });
  await desk.asAna("DELETE", "/dynamic_configs/flag");
  await desk.raw.gate.delete({ id: "flag" });
  desk.emulator.addFaults([{ times: 1, path: "/audit_logs", status: 200, body: await withoutNewest() }]);
  expect(reportText(await desk.compare())).toContain("was deleted in the console; ");
});

/** The log as it was before the gate went. */
async function withoutNewest() {
  const [, ...data] = await allOf(desk.raw.auditLog.list());
  return { message: "Listed", data, pagination: { nextPage: null } };
}

test("a log that the key may not read is reported once, and drift is shown without it", async () => {
  await desk.apply('new fc.Gate("flag", {});\nnew fc.DynamicConfig("limits", {});\n');
  await desk.raw.gate.delete({ id: "flag" });
  await desk.raw.dynamicConfig.delete({ id: "limits" });
  desk.emulator.addFaults([
    { times: 1, path: "/audit_logs", status: 403, body: { status: 403, message: "Forbidden" } },
  ]);
  expect(reportText(await desk.compare())).toContain(
    'gate "flag" (index.ts:2:1) was deleted in the console; ',
  );
  expect(desk.progress.filter((line) => line.startsWith("The audit log was not read"))).toHaveLength(1);
});

test("the log is read once for all objects, from the day before they last changed, and not without need", async () => {
  const names = Array.from({ length: 30 }, (_, index) => `flag_${index}`);
  // A refresh that misses more than half would stop.
  const others = Array.from({ length: 31 }, (_, index) => `other_${index}`);
  desk.write([...names, ...others].map((name) => `new fc.Gate("${name}", {});\n`).join(""));
  await desk.up();
  await desk.compare();
  await desk.edit("flag_1", { description: "New" });
  await desk.compare();
  expect(auditRequests()).toEqual([]);
  for (const id of names) await desk.asAna("DELETE", `/gates/${id}`);
  const { comparisons } = await desk.compare();
  expect(comparisons.map(({ audited }) => audited?.by)).toEqual(names.map(() => "ana@example.com"));
  expect(auditRequests().map(({ query }) => query)).toEqual([
    expect.stringContaining("startDate=2026-11-21"),
  ]);
});

test("a long log is read for three pages", async () => {
  await desk.apply('new fc.Gate("flag", {});\n');
  await desk.asAna("DELETE", "/gates/flag");
  await desk.raw.gate.create({ body: { id: "other", name: "other" } });
  for (let count = 0; count < 320; count += 1) await desk.edit("other", { description: String(count) });
  expect(reportText(await desk.compare())).toContain("was deleted in the console; ");
  expect(auditRequests()).toHaveLength(3);
});
