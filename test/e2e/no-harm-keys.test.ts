import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { FIRST_CLI_TIMEOUT_MS } from "../support/pulumi-cli";
import { type Bench, openBench, told, toldInAll, writesTo } from "./bench";

// Rows 1, 2, 3, 15 and 20 of the table of faults: keys that are taken, swapped, said twice, or said by a new name.

jest.setTimeout(120_000);

let bench: Bench;

const gate = (name: string, key: string, more = "", options = "") =>
  `new fc.Gate("${name}", { key: "${key}", name: "${name} gate"${more} }${options});`;

/** The program, with other lines for some of its resources. */
function program(changes: Record<string, string> = {}): string {
  const lines: Record<string, string> = {
    lone: gate("lone", "lone_key"),
    left: gate("left", "left_key"),
    right: gate("right", "right_key"),
    former: gate("former", "former_key"),
  };
  return Object.values({ ...lines, ...changes }).join("\n");
}

const live = async (...keys: string[]) =>
  Promise.all(
    keys.map(async (id) => {
      const { status, version, name } = await bench.raw.gate.get({ id });
      return `${id}: ${String(name)}, ${String(status)}, version ${String(version)}`;
    }),
  );

/** Runs what must be refused, and proves that no write but those attempts reached the console. */
async function refused(verb: "preview" | "up", lines: string, attempts: string[] = []): Promise<string> {
  await bench.write(lines);
  bench.emulator.clearRequests();
  const result = await bench.stack[verb]({ mayFail: true });
  expect(writesTo(bench.emulator).filter((write) => !attempts.includes(write))).toEqual([]);
  expect(result.code).not.toBe(0);
  return toldInAll(result);
}

beforeAll(async () => {
  bench = await openBench();
  await bench.raw.gate.create({ body: { id: "taken", name: "By hand", description: "Theirs" } });
  await bench.write(program());
  await bench.stack.up();
}, FIRST_CLI_TIMEOUT_MS);
afterAll(() => bench?.close());

test("two gates of one key are refused in the preview, and both are named", async () => {
  await bench.write(program({ more: gate("first_of_two", "twice") + gate("second_of_two", "twice") }));
  bench.emulator.clearRequests();
  const result = await bench.stack.preview({ mayFail: true });
  expect(result.code).not.toBe(0);
  expect(result.errors.join("\n")).toMatch(
    /gate "twice"(?=.*\bfirst_of_two\b)(?=.*\bsecond_of_two\b).*another key/,
  );
  expect(writesTo(bench.emulator)).toEqual([]);
});

test.each(["preview", "up"] as const)(
  "a key that a gate made by hand has is refused by %s before the old gate is touched",
  async (verb) => {
    const before = await live("lone_key", "taken");
    const text = await refused(verb, program({ lone: gate("lone", "taken") }));
    expect(text).toMatch(/gate "taken" exists already.*(another key|adopt: true)/s);
    expect(await live("lone_key", "taken")).toEqual(before);
    expect(before[0]).toBe("lone_key: lone gate, In Progress, version 1");
  },
);

test("keys that are swapped are refused in the preview", async () => {
  const before = await live("left_key", "right_key");
  const text = await refused(
    "preview",
    program({ left: gate("left", "right_key"), right: gate("right", "left_key") }),
  );
  expect(text).toMatch(/gate "(left|right)_key"/);
  expect(await live("left_key", "right_key")).toEqual(before);
});

test("a key that moves onto a sibling's, which moves on, is refused in the preview", async () => {
  const before = await live("left_key", "right_key");
  const text = await refused(
    "preview",
    program({ left: gate("left", "right_key"), right: gate("right", "free_key") }),
  );
  expect(text).toContain('gate "right_key"');
  expect(await live("left_key", "right_key")).toEqual(before);
});

test("keys that are swapped are refused by an up that nobody previewed", async () => {
  const before = await live("left_key", "right_key");
  await refused("up", program({ left: gate("left", "right_key"), right: gate("right", "left_key") }));
  expect(await live("left_key", "right_key")).toEqual(before);
});

test.each([
  ["equal in meaning", ""],
  ["different", ', description: "New"'],
])("renamed without an alias and %s, the message says aliases and the gate lives on", async (_, more) => {
  const before = await live("former_key");
  const latter = `new fc.Gate("latter", { key: "former_key", name: "former gate"${more} });`;
  const text = await refused("up", program({ former: latter }), ["POST /gates"]);
  expect(text).toMatch(/gate "former_key".*aliases.*"former"/s);
  expect(text).not.toContain("interrupted");
  expect(await live("former_key")).toEqual(before);
});

test("a name that is left out follows the key, whatever the resource is called", async () => {
  await bench.write(program({ more: `new fc.Gate("a", { key: "long_enough" });` }));
  const result = await bench.stack.up();
  expect(told(result).a ?? []).toEqual([]);
  expect(await live("long_enough")).toEqual(["long_enough: long_enough, In Progress, version 1"]);
});
