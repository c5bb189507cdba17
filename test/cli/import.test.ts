import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type Fault, type RunningEmulator, startEmulator } from "../../src/emulator";
import { importCommand } from "../../src/tools/cli/import";
import { testKey } from "../emulator/desk";
import { type Ended, runCommand } from "./run-command";

const readingKey = `${testKey}-that-reads`;
const count = 250;
const everyGate = Array.from({ length: count }, (_, at) => `gate_${at}`);
const seed = {
  gates: everyGate.map((id) => ({ id, name: id })),
  keys: [
    { description: "writes", key: testKey, type: "CONSOLE", scopes: ["omni_read_write", "can_access_keys"] },
    { description: "reads", key: readingKey, type: "CONSOLE", scopes: ["omni_read_only"] },
  ],
};

let folder: string;
let console: RunningEmulator | undefined;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "import command "));
});
afterEach(async () => {
  await console?.close();
  rmSync(folder, { recursive: true });
});

/** Starts a console and returns its address. */
async function openConsole(faults: readonly Fault[]): Promise<string> {
  console = await startEmulator({ key: testKey, readOnlyKey: readingKey, seed, faults });
  return console.url;
}

/** Imports all gates into a folder with a space in its path. */
function importGates(url: string, key = readingKey): Promise<Ended> {
  const out = path.join(folder, "my flags");
  mkdirSync(out, { recursive: true });
  const settings = { FEATURE_CONSOLE_PROFILE: "custom", FEATURE_CONSOLE_BASE_URL: url };
  const env = { ...settings, FEATURE_CONSOLE_API_KEY: key };
  return runCommand(importCommand, ["--kinds", "gates", "--no-run", "--out", out], { env });
}

const code = () => readFileSync(path.join(folder, "my flags", "gates.ts"), "utf8");
const missing = (gates: readonly string[]) =>
  gates.filter((gate) => !code().includes(`new fc.Gate("${gate}"`));

test("a storm of 429 and a 500 in the middle: every gate is in the program all the same", async () => {
  const url = await openConsole([
    { method: "GET", path: "/gates", times: 10, status: 429, retryAfter: 0 },
    { method: "GET", path: "/gates", after: 1, times: 2, status: 500 },
  ]);
  const { status, out, errors } = await importGates(url);
  expect([status, missing(everyGate)]).toEqual([0, []]);
  expect(out).toContain(`${count} objects`);
  expect(out).toContain(`  cd '${path.join(folder, "my flags")}'\n`);
  expect(out).not.toContain("key could write");
  expect(out + errors).not.toContain(readingKey);
});

test("a console that answers 500 for good: it is told what could not be read, and nothing is written", async () => {
  const url = await openConsole([{ path: "/gates", after: 1, times: 10_000, status: 500 }]);
  const { status, errors } = await importGates(url);
  expect(status).toBe(1);
  expect(errors).toContain("Cannot read the gates: ");
  expect(errors).not.toContain(readingKey);
  expect(existsSync(path.join(folder, "my flags", "gates.ts"))).toBe(false);
});

test("gates that go while pages are read: nothing that stays is missing; a key that could write is told", async () => {
  const url = await openConsole([{ method: "GET", path: "/gates", times: 30, delayMs: 300 }]);
  const importing = importGates(url, testKey);
  let isDone = false;
  void importing.then(() => {
    isDone = true;
  });
  const gone: string[] = [];
  while (!isDone && gone.length < 20) {
    const gate = `gate_${gone.length}`;
    await fetch(`${url}/console/v1/gates/${gate}`, {
      method: "DELETE",
      headers: { "SERVICE-API-KEY": testKey },
    });
    gone.push(gate);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  const { status, out, errors } = await importing;
  if (status === 1) expect(errors).toContain("The list of gates changes while it is read");
  else
    expect([
      missing(everyGate.filter((gate) => !gone.includes(gate))),
      out.includes("The key could write too"),
    ]).toEqual([[], true]);
  expect(out + errors).not.toContain(testKey);
});
