import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { removeTree } from "../../scripts/process/atomic-folder";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { type ConsoleClient, createClient } from "../../src/provider/client";
import { httpTransport, type Transport } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { configFor, testKey } from "../support/in-process";
import { killedAfterSend } from "../support/killed-after-send";
import { startRun } from "../support/run";

const hour = 3_600_000;
const http = httpTransport(8);

let emulator: RunningEmulator;
let raw: ConsoleClient;
let folder: string;
/** How much later it is than the tests' own clock says, for the console and for every machine. */
let laterMs = 0;

beforeEach(async () => {
  laterMs = 0;
  emulator = await startEmulator({ profile: "custom", clock: () => Date.now() + laterMs });
  raw = createClient({ profile: "custom", baseUrl: emulator.url, apiKey: testKey });
  folder = mkdtempSync(path.join(tmpdir(), "feature-console-clock-"));
});
afterEach(async () => {
  await emulator.close();
  await removeTree(folder);
});

/** Answers with this time of the console, or without one: then a run learns nothing of its clock. */
const answering = (date: () => string | undefined): Transport => ({
  async send(request) {
    const answer = await http.send(request);
    const { date: _, ...headers } = answer.headers;
    const own = date();
    return { ...answer, headers: { ...headers, ...(own !== undefined && { date: own }) } };
  },
});
const dated = answering(() => new Date(Date.now() + laterMs).toUTCString());
const undated = answering(() => undefined);

interface Machine {
  /** How far its clock is ahead. */
  readonly aheadMs?: number;
  readonly transport?: Transport;
  readonly native?: boolean;
}

/** A run of the stack in the folder of its project. */
function run({ aheadMs = 0, transport = dated, native = false }: Machine = {}) {
  const now = () => Date.now() + laterMs + aheadMs;
  const config = configFor(emulator);
  const { of } = startRun({ config, adapter: native ? "native" : "dynamic", folder, now, transport });
  return (definition: ResourceDefinition, args: JsonObject) =>
    of(definition).up({ __program: { name: "resource" }, ...args });
}

/** A run that is killed before it hears of its create, an hour ago. */
async function killedRun(machine: Machine, args: JsonObject) {
  const { transport, sent } = killedAfterSend(machine.transport ?? dated);
  void run({ ...machine, transport })(catalog.gate, args);
  await sent;
  laterMs += hour;
}

const gate = { key: "checkout", name: "Checkout", description: "New checkout" };
const kinds: [string, ResourceDefinition, JsonObject][] = [
  ["gate", catalog.gate, gate],
  ["segment", catalog.segment, { name: "staff", type: "rule_based", description: "Staff" }],
  ["dynamic config", catalog.dynamicConfig, { key: "colours", description: "Colours" }],
];
const clocks: [string, number][] = [
  ["two hours late", -2 * hour],
  ["two hours early", 2 * hour],
  ["nine days late", -9 * 24 * hour],
];

describe.each(clocks)("a run on a machine whose clock was %s", (_, aheadMs) => {
  test.each(kinds)("what it made and lost from state is taken over by the next: a %s", async (...row) => {
    const [, definition, args] = row;
    const made = await run({ aheadMs })(definition, args);
    laterMs += hour;
    expect((await run()(definition, args)).id).toBe(made.id);
  });

  test("also of the native plugin, and by one whose own clock is wrong", async () => {
    await run({ aheadMs, native: true })(catalog.gate, gate);
    laterMs += hour;
    for (const ahead of [-aheadMs / 2, 0])
      expect((await run({ aheadMs: ahead, native: true })(catalog.gate, gate)).id).toBe("checkout");
  });

  test("also where it was killed before the answer, once an answer had shown the console's clock", async () => {
    // With adopt, a read comes before the first write.
    await killedRun({ aheadMs }, { ...gate, adopt: true });
    expect((await run()(catalog.gate, gate)).id).toBe("checkout");
  });

  test("an equal one that somebody else made since under the same key is refused", async () => {
    await run({ aheadMs })(catalog.gate, gate);
    laterMs += hour;
    await raw.gate.delete({ id: "checkout" });
    await raw.gate.create({ body: { id: "checkout", name: "Checkout", description: "New checkout" } });
    await expect(run()(catalog.gate, gate)).rejects.toThrow('gate "checkout" exists already.');
  });
});

test("where no answer had shown the console's clock, the refusal names the two times and the way on", async () => {
  await killedRun({ aheadMs: -2 * hour, transport: undated }, gate);
  await expect(run()(catalog.gate, gate)).rejects.toThrow(
    /The journal notes that this stack began to create it at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, by the clock of that machine, and the console shows \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\. If that clock was wrong, FEATURE_CONSOLE_TAKE_OVER=1/,
  );
});

test("an equal object that was there long before is refused without a word of clocks", async () => {
  await raw.gate.create({ body: { id: "checkout", name: "Checkout", description: "New checkout" } });
  laterMs += 3 * 24 * hour;
  await killedRun({ transport: undated }, gate);
  await expect(run()(catalog.gate, gate)).rejects.toThrow(/exists already\.(?!.*clock)/s);
});

describe("an entry of an earlier version, which has neither an offset nor a time of creation", () => {
  const older = () => {
    const journal = path.join(folder, ".feature-console", "journal");
    const [file = ""] = readdirSync(journal).map((name) => path.join(journal, name));
    const text = readFileSync(file, "utf8").replaceAll(/,"(?:consoleAheadMs|created)":-?\d+/g, "");
    expect(text).not.toMatch(/consoleAheadMs|"created":/);
    writeFileSync(file, text);
    laterMs += hour;
  };

  test.each(kinds)("is read as before: a %s", async (...row) => {
    const [, definition, args] = row;
    const made = await run()(definition, args);
    older();
    expect((await run()(definition, args)).id).toBe(made.id);
  });

  test("an answered id that the console generates is enough, whatever the clock", async () => {
    const app = { name: "Shop", description: "Shop" };
    const made = await run({ aheadMs: -2 * hour })(catalog.targetApp, app);
    older();
    expect((await run()(catalog.targetApp, app)).id).toBe(made.id);
  });

  test("one of a key names the clock", async () => {
    await run({ aheadMs: -2 * hour })(catalog.gate, gate);
    older();
    await expect(run()(catalog.gate, gate)).rejects.toThrow("If that clock was wrong");
  });
});
