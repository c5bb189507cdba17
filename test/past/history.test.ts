import { expect, test } from "@jest/globals";
import { managed } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { historyInStack, historyReport } from "../../src/tools/past/history";
import { rendered } from "../../src/tools/render/report";
import { api, deskForEachTest } from "../drift/each-test";

deskForEachTest();

const everyone = { name: "Everyone", passPercentage: 10, conditions: [{ type: "public" }] };
const gate = `new fc.Gate("flag", {
  description: "Old",
  rules: [{ name: "Everyone", passPercentage: 10, conditions: [{ type: "public" }] }],
});
`;
const gateKind = managed.gate as ResourceDefinition;

async function textOf(name: string, definition?: ResourceDefinition) {
  const { resource, history } = await historyInStack(api.ports, name, definition);
  return rendered(historyReport(resource, history), "text");
}

test("each version shows its author, its time and who got something else by it", async () => {
  await api.apply(gate);
  api.later();
  await api.asAna("PATCH", "/gates/flag", { rules: [{ ...everyone, passPercentage: 25 }] });
  api.later();
  await api.asAna("PATCH", "/gates/flag", { description: "New" });
  api.later();
  await api.asAna("PUT", "/gates/flag/archive");
  api.later();
  await api.asAna("PUT", "/gates/flag/unarchive");
  expect(await textOf("flag")).toBe(`gate "flag" · 5 versions

version 5 · ana@example.com, 2026-11-22 10:07 UTC
  comes back from the archive
  nobody → 25 % of everyone

version 4 · ana@example.com, 2026-11-22 10:06 UTC
  goes to the archive: 25 % of everyone → nobody

version 3 · ana@example.com, 2026-11-22 10:05 UTC
  description Old → New

version 2 · ana@example.com, 2026-11-22 10:04 UTC
  all environments: 10 % → 25 % of everyone

version 1 · a key, 2026-11-22 10:03 UTC
  created
`);
});

test("JSON has a stable form", async () => {
  await api.apply(gate);
  api.later();
  await api.asAna("PATCH", "/gates/flag", { description: "New" });
  const { resource, history } = await historyInStack(api.ports, "flag", undefined);
  const edited = { version: 2, at: "2026-11-22T10:04:00.000Z", by: "ana@example.com" };
  const created = { version: 1, at: "2026-11-22T10:03:00.000Z", by: null, changes: ["created"] };
  expect(JSON.parse(rendered(historyReport(resource, history), "json"))).toEqual({
    ...{ format: 1, kind: "Gate", id: "flag", name: "flag", exists: true, unknown: [] },
    versions: [{ ...edited, changes: ["description Old → New"] }, created],
  });
});

test("a deletion, and every change of a kind without versions, comes from the audit log", async () => {
  await api.apply('new fc.Gate("flag", {});\nnew fc.Tag("shop", { description: "Old" });\n');
  api.later();
  await api.asAna("DELETE", "/gates/flag");
  const text = await textOf("flag");
  expect(text).toContain('gate "flag" · does not exist');
  expect(text).toContain(
    "audit log · ana@example.com, 2026-11-22 10:04 UTC\n  deleted, and its versions with it",
  );
  expect(text).toContain("the console keeps the versions of existing objects only");
  const tag = await textOf("shop");
  expect(tag).toContain("The console keeps no versions of a tag");
  expect(tag).toMatch(/audit log · CONSOLE API, 2026-11-22 10:03 UTC\n {2}create/i);
  await api.apply('new fc.Alert("errors", { name: "Errors" });\n');
  const alert = await textOf("errors");
  expect(alert).toContain("The console keeps no versions of an alert");
  expect(alert).toContain(
    "names, which are not unique for this kind: no entry is known to be about this alert.",
  );
  api.write('new fc.Tag("shop", { description: "Old" });\n');
  const gone = await textOf("flag", gateKind);
  expect(gone).toContain("deleted, and its versions with it");
});

test("a log that the key may not read is reported once, and the versions are shown", async () => {
  await api.apply(gate);
  const body = { status: 403, message: "Forbidden" };
  api.emulator.addFaults([{ times: 9, path: "/audit_logs", status: 403, body }]);
  const text = await textOf("flag");
  expect(text).toContain("created");
  expect(text).toContain("The key may not read the audit log, which alone shows deletions.");
  expect(api.progress.filter((line) => line.startsWith("The audit log was not read"))).toHaveLength(1);
});

test("a name of several kinds asks for the kind, and a name that is not there names a near one", async () => {
  await api.apply('new fc.Gate("flag", {});\nnew fc.DynamicConfig("flag", {});\n');
  await expect(textOf("flag")).rejects.toThrow(
    '2 kinds have an object "flag": give --kind dynamicConfig or --kind gate',
  );
  expect(await textOf("flag", gateKind)).toContain('gate "flag" · 1 version');
  await expect(textOf("flog")).rejects.toThrow('the stack has no resource "flog"; did you mean "flag"?');
  await expect(textOf("gone")).rejects.toThrow(
    'the stack has no resource "gone". Of an object that left the stack, give the id and the kind: --kind gate',
  );
  await expect(textOf("flog", gateKind)).rejects.toThrow('the stack has no gate "flog"');
});
