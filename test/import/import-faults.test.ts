import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, jest, test } from "@jest/globals";
import type { Fault } from "../../src/emulator";
import { observeRequests } from "../../src/emulator/http/ingress";
import { testKey } from "../emulator/desk";
import { openMessyConsole } from "./console/messy-console";
import { type ImportDesk, importDeskOver } from "./desk";
import { readingKey } from "./proof";

jest.setTimeout(180_000);

// Two pages, of gates that cost little to write.
const count = 110;
const everyGate = Array.from({ length: count }, (_, at) => `gate_${at}`).sort();
let api: ImportDesk;
beforeAll(async () => {
  const options = { rateLimit: true, readOnlyKey: readingKey };
  const gates = everyGate.map((id) => ({ id, name: id }));
  const plan = { seed: { gates }, made: [], counts: { gate: count } };
  api = importDeskOver(await openMessyConsole(plan, options), readingKey);
});
afterAll(() => api?.close());
beforeEach(() => {
  for (const name of readdirSync(api.folder)) rmSync(path.join(api.folder, name), { recursive: true });
  api.emulator.clearFaults();
});

/** What came of an import: the number of objects, or what it failed with. */
const importGates = (): Promise<number | string> =>
  api.import({ kinds: ["gate"] }).then(
    ({ objects }) => objects.length,
    (error: Error) => error.message,
  );

/** Names of the resources in the file for Pulumi. */
function resources(): string[] {
  const { resources: entries } = JSON.parse(api.read(".feature-console/import-dev.json")) as {
    resources: { name: string }[];
  };
  return entries.map(({ name }) => name).sort();
}

test.each<[string, readonly Fault[]]>([
  ["a storm of 429", [{ method: "GET", times: 12, status: 429, retryAfter: 0 }]],
  ["a 500 in the middle of a list", [{ path: "/gates", after: 1, times: 1, status: 500 }]],
  ["an answer that is lost", [{ path: "/gates", after: 1, times: 1, reset: "after" }]],
  ["half an answer", [{ path: "/gates", after: 1, times: 1, truncate: "wrong" }]],
])("%s: every gate is in the program all the same", async (_, faults) => {
  api.emulator.addFaults(faults);
  expect(await importGates()).toBe(count);
  expect(resources()).toEqual(everyGate);
});

test.each<[string, Fault]>([
  ["a list that answers 500 for good", { path: "/gates", after: 1, times: 1000, status: 500 }],
  ["a key that is refused in the middle", { path: "/gates", after: 1, times: 1000, status: 403 }],
])("%s: says what it could not read, and writes nothing", async (_, fault) => {
  api.emulator.addFaults([fault]);
  const failure = String(await importGates());
  expect(failure).toContain("Cannot read the gates");
  expect(failure).not.toContain(testKey);
  expect(existsSync(path.join(api.folder, "gates.ts"))).toBe(false);
  api.emulator.clearFaults();
  expect(await importGates()).toBe(count);
  expect(resources()).toEqual(everyGate);
});

test.each<[string, "DELETE" | "POST", string]>([
  ["a gate that goes from a page already read", "DELETE", "/gates/gate_3"],
  ["a gate that comes", "POST", "/gates"],
])("%s while the list is read: nothing that stays is missing", async (_, method, target) => {
  let isDone = false;
  const stop = observeRequests(({ kind, route, query }) => {
    if (isDone || kind !== "gate" || route !== "list" || !/(^|&)page=1(&|$)/.test(query)) return;
    isDone = true;
    // In this process a request is carried out before the second page can be asked for.
    void api.emulator.transport.send({
      ...{ method, url: `/console/v1${target}`, headers: { "SERVICE-API-KEY": testKey } },
      body: method === "POST" ? JSON.stringify({ id: "a_new_gate", name: "a_new_gate" }) : "",
    });
  });
  const imported = await importGates();
  stop();
  expect(isDone).toBe(true);
  const said = resources();
  expect([imported, everyGate.filter((name) => name !== "gate_3" && !said.includes(name))]).toEqual([
    expect.any(Number),
    [],
  ]);
});
