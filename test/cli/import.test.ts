import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import type { Fault } from "../../src/emulator";
import { testKey } from "../emulator/desk";
import { commandLine } from "../support/command-line";

jest.setTimeout(120_000);

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
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "import command "));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly errors: string;
}

/** Runs the command line; the process is killed after two minutes at the latest. */
function run(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  onOut = (_: string) => {},
): Promise<Ended> {
  const child = spawn(process.execPath, [...commandLine, ...args], {
    env: { ...process.env, ...env },
    timeout: 120_000,
  });
  children.push(child);
  const told = { out: "", errors: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    told.out += String(chunk);
    onOut(told.out);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    told.errors += String(chunk);
  });
  return new Promise((resolve) => child.on("close", (status) => resolve({ status, ...told })));
}

/** Starts a console and returns its address. */
function openConsole(faults: readonly Fault[]): Promise<string> {
  const file = (name: string, content: unknown) => {
    writeFileSync(path.join(folder, name), JSON.stringify(content));
    return path.join(folder, name);
  };
  const files = ["--seed", file("seed.json", seed), "--faults", file("faults.json", faults)];
  const keys = ["--key", testKey, "--read-only-key", readingKey];
  return new Promise((resolve) => {
    void run(["emulate", "--port", "0", ...keys, ...files], {}, (out) => {
      const [, url] = /^listening on (\S+)\n/.exec(out) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
}

/** Imports all gates into a folder with a space in its path. */
function importGates(url: string, key = readingKey): Promise<Ended> {
  const out = path.join(folder, "my flags");
  mkdirSync(out, { recursive: true });
  return run(["import", "--kinds", "gates", "--no-run", "--out", out], {
    FEATURE_CONSOLE_PROFILE: "custom",
    FEATURE_CONSOLE_BASE_URL: url,
    FEATURE_CONSOLE_API_KEY: key,
  });
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
