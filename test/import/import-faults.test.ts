import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, jest, test } from "@jest/globals";
import type { Fault, RunningEmulator } from "../../src/emulator";
import { observeRequests } from "../../src/emulator/ingress";
import { testKey } from "../emulator/desk";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { openMessyConsole, planManyGates } from "./console/messy-console";
import { readingKey, settingsFor, toldBy } from "./proof";
import { openWorkshop, type Timed, type Workshop } from "./workshop";

jest.setTimeout(180_000);

const count = 250;
let emulator: RunningEmulator;
let workshop: Workshop;
let folder: string;
let number = 0;

beforeAll(async () => {
  emulator = await openMessyConsole(planManyGates(count), { rateLimit: true, readOnlyKey: readingKey });
  workshop = await openWorkshop(settingsFor(emulator.url, readingKey), "faults");
}, FIRST_CLI_TIMEOUT_MS);
afterAll(async () => {
  await workshop?.remove();
  await emulator?.close();
});
beforeEach(async () => {
  number += 1;
  folder = await workshop.another(`faults-${number}`);
  emulator.clearFaults();
  emulator.clearRequests();
});

const importGates = (): Promise<Timed> =>
  workshop.import(["--no-run", "--json", "--kinds", "gate"], { cwd: folder });

/** Names of the resources in the file for Pulumi. */
function resources(): string[] {
  const text = readFileSync(path.join(folder, ".feature-console", "import-dev.json"), "utf8");
  const { resources: entries } = JSON.parse(text) as { resources: { name: string }[] };
  return entries.map(({ name }) => name).sort();
}

const everyGate = Array.from({ length: count }, (_, at) => `gate_${at}`).sort();

test.each<[string, readonly Fault[]]>([
  ["a storm of 429", [{ method: "GET", times: 12, status: 429, retryAfter: 0 }]],
  ["a 500 in the middle of a list", [{ path: "/gates", after: 1, times: 1, status: 500 }]],
  ["an answer that is lost", [{ path: "/gates", after: 2, times: 1, reset: "after" }]],
  ["half an answer", [{ path: "/gates", after: 1, times: 1, truncate: "wrong" }]],
])("%s: every gate is in the program all the same", async (_, faults) => {
  emulator.addFaults(faults);
  const imported = await importGates();
  expect([imported.stderr, imported.code]).toEqual([expect.any(String), 0]);
  expect(resources()).toEqual(everyGate);
  expect(toldBy(imported).objects).toBe(count);
});

test.each<[string, Fault]>([
  ["a list that answers 500 for good", { path: "/gates", after: 1, times: 1000, status: 500 }],
  ["a key that is refused in the middle", { path: "/gates", after: 1, times: 1000, status: 403 }],
])("%s: says what it could not read, and writes nothing", async (_, fault) => {
  emulator.addFaults([fault]);
  const imported = await importGates();
  expect(imported.code).toBe(1);
  expect(imported.stderr).toContain("Cannot read the gates");
  expect(imported.stderr).not.toContain(testKey);
  expect(imported.stderr.split("\n").filter((line) => line.startsWith("    at "))).toEqual([]);
  expect(existsSync(path.join(folder, "gates.ts"))).toBe(false);
  emulator.clearFaults();
  expect((await importGates()).code).toBe(0);
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
    void emulator.transport.send({
      ...{ method, url: `/console/v1${target}`, headers: { "SERVICE-API-KEY": testKey } },
      body: method === "POST" ? JSON.stringify({ id: "a_new_gate", name: "a_new_gate" }) : "",
    });
  });
  const imported = await importGates();
  stop();
  expect(isDone).toBe(true);
  const missing = everyGate.filter((name) => name !== "gate_3" && !resources().includes(name));
  expect([imported.code, missing]).toEqual([0, []]);
});
