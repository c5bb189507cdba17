import { afterEach, describe, expect, test } from "@jest/globals";
import { createEmulator, type Emulator } from "../../src/emulator";
import { NoAnswer, type Transport } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import type { StoredObject } from "../../src/provider/pulumi/runs/exported-state";
import { nativePrefix, typePrefix } from "../../src/provider/pulumi/stored-names";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Adapter, adapters } from "../laws/subject";
import type { Resource } from "../support/driver";
import { configFor, hurriedClock, testKey } from "../support/in-process";
import { type Run, startRun } from "../support/run";

// A refresh that misses much of the state does not take it for deleted.

const consoles: Emulator[] = [];
afterEach(() => Promise.all(consoles.splice(0).map((one) => one.close())));

const newConsole = (): Emulator => {
  const clock = hurriedClock();
  const one = createEmulator({ key: testKey, clock: clock.now });
  consoles.push(one);
  return one;
};

interface Around {
  readonly adapter?: Adapter;
  readonly environment?: Record<string, string>;
  /** Whether the state can be read beside the calls. */
  readonly state?: readonly Stored[] | undefined;
  /** Paths that answer 404, as where a permission is lost. */
  readonly hidden?: string;
  /** Paths to which no connection comes about. */
  readonly refused?: string;
}

type Stored = readonly [ResourceDefinition, Resource];

function runOver(
  console: Emulator,
  { adapter = "dynamic", environment = {}, state, hidden, refused }: Around = {},
) {
  const requests: string[] = [];
  const transport: Transport = {
    send(request) {
      const { pathname } = new URL(request.url);
      requests.push(`${request.method} ${pathname}`);
      if (refused !== undefined && pathname.includes(`/${refused}`))
        return Promise.reject(new NoAnswer("ECONNREFUSED", true));
      if (hidden === undefined || !pathname.includes(`/${hidden}`)) return console.transport.send(request);
      const text = JSON.stringify({ status: 404, message: "Not found." });
      return Promise.resolve({ status: 404, headers: { "content-type": "application/json" }, text });
    },
  };
  const prefix = adapter === "native" ? nativePrefix : typePrefix;
  const storedObjects = state && (() => Promise.resolve(state.map((one) => stored(prefix, one))));
  const run = startRun({
    ...{ adapter, config: configFor({ url: "https://console.test" }), folder: undefined, transport },
    ...{ environment: () => environment, ...hurriedClock() },
    ...(storedObjects === undefined ? {} : { storedObjects }),
  });
  return { ...run, requests };
}

function stored(prefix: string, [definition, { id, outputs }]: Stored): StoredObject {
  const type = `${prefix}${definition.kind}`;
  const urn = `urn:pulumi:dev::test::${type}::${id}`;
  const provider = "urn:pulumi:dev::test::pulumi:providers:any::default::1";
  return { urn, type, id, outputs, provider, isHeld: true };
}

/** Objects of a stack. */
async function make(console: Emulator, counts: Readonly<Record<string, number>>): Promise<Stored[]> {
  const run = runOver(console);
  const made: Stored[] = [];
  for (const [kind, count] of Object.entries(counts)) {
    const definition = (catalog as Record<string, ResourceDefinition>)[kind] as ResourceDefinition;
    for (let n = 0; n < count; n += 1) {
      const name = `${kind}_${n}`;
      const args: JsonObject = {
        ...definition.samples.smallest,
        ...("key" in definition.fields ? { key: name } : "name" in definition.fields ? { name } : {}),
      };
      made.push([definition, await run.of(definition).up({ ...args, __program: { name } })]);
    }
  }
  return made;
}

/** A refresh as Pulumi runs it: some reads at a time. @returns what left the state, and what failed. */
async function refresh(run: Run, state: readonly Stored[], parallel = 16) {
  const gone: string[] = [];
  const errors: string[] = [];
  const waiting = [...state];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [definition, resource] = next;
      try {
        if ((await run.of(definition).refresh(resource)) === undefined) gone.push(resource.id);
      } catch (error) {
        errors.push((error as Error).message);
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return { gone, errors };
}

describe.each(adapters)("a refresh, %s", (adapter) => {
  test.each([1, 3, 16])(
    "in which every gate answers 404 stops before one leaves the state, %i at a time",
    async (parallel) => {
      const console = newConsole();
      const state = await make(console, { gate: 12, segment: 2 });
      const found = await refresh(runOver(console, { adapter, state, hidden: "gates" }), state, parallel);
      expect(found).toEqual({
        gone: [],
        errors: [
          expect.stringMatching(
            /^Cannot read gate ".*": The console does not show 12 of 12 gates in the state\. The refresh stops before any object leaves the state\. It answers 404 to every request about gates and shows other kinds: the key has probably lost its permission to read gates\. If they are gone for good, type FEATURE_CONSOLE_ACCEPT_GONE=1 before the same command, for one run\.$/,
          ),
        ],
      });
      const environment = { FEATURE_CONSOLE_ACCEPT_GONE: "1" };
      const accepting = runOver(console, { adapter, state, hidden: "gates", environment });
      expect(await refresh(accepting, state, parallel)).toMatchObject({ gone: { length: 12 }, errors: [] });
    },
  );

  test("of a state of version 0.1, at a wrong address, stops", async () => {
    const made = await make(newConsole(), { gate: 4, segment: 3, tag: 2 });
    const state = made.map(([definition, one]): Stored => {
      const { __console, __project, __format, __stack, __self, __resource, createdTime, ...outputs } =
        one.outputs;
      return [definition, { ...one, outputs }];
    });
    const text =
      /does not show .*4 of 4 gates.* Check the address \(feature-console:profile, baseUrl\), the key and its project/;
    expect(await refresh(runOver(newConsole(), { adapter, state }), state)).toEqual({
      ...{ gone: [], errors: [expect.stringMatching(text)] },
    });
  });

  test("at a console of the same keys whose objects are others stops", async () => {
    const state = await make(newConsole(), { gate: 6 });
    const other = newConsole();
    await make(other, { gate: 6 });
    const { gone, errors } = await refresh(runOver(other, { adapter, state }), state);
    expect([gone, errors.length]).toEqual([[], 1]);
  });
});

/** Deletes some objects in the console by hand. */
async function deleteByHand(console: Emulator, some: readonly Stored[]): Promise<void> {
  const run = runOver(console);
  for (const [definition, { id, outputs }] of some)
    await run
      .of(definition)
      .calls()
      .delete(id, { ...outputs, onDelete: "delete" });
}

test.each([
  [{ gate: 12 }, 1, 1],
  [{ gate: 12 }, 6, 6],
  [{ gate: 12 }, 7, 0],
  [{ gate: 5 }, 2, 2],
  [{ gate: 5 }, 3, 0],
  [{ gate: 4, tag: 1 }, 4, 4],
  [{ gate: 4, tag: 1 }, 5, 0],
  [{ gate: 4 }, 4, 4],
  [{ gate: 40, dynamicConfig: 6, layer: 3 }, 20, 20],
])("of %j, %i gates that somebody deleted: %i leave the state", async (counts, deleted, leaving) => {
  const console = newConsole();
  const state = await make(console, counts);
  await deleteByHand(console, state.slice(0, deleted));
  const { gone, errors } = await refresh(runOver(console, { state }), state);
  expect([gone.length, errors.length]).toEqual([leaving, leaving === 0 ? 1 : 0]);
});

test("what else is missing stays too, whichever is read first", async () => {
  const console = newConsole();
  const made = await make(console, { tag: 2, gate: 8 });
  await deleteByHand(console, made.slice(0, 7));
  for (const state of [made, made.toReversed()])
    expect(await refresh(runOver(console, { state }), state, 1)).toMatchObject({
      gone: [],
      errors: { length: 1 },
    });
});

test("where nobody can read the state, the reads of the refresh tell, as far as they are under way", async () => {
  const console = newConsole();
  const state = await make(console, { gate: 12, tag: 1 });
  const all = await refresh(runOver(console, { hidden: "gates" }), state);
  expect(all).toMatchObject({ gone: [], errors: { length: 1 } });
  const oneByOne = await refresh(runOver(console, { hidden: "gates" }), state, 1);
  expect(oneByOne.gone).toHaveLength(4);
  expect(oneByOne.errors).toEqual([
    expect.stringContaining(
      "The refresh stops. 4 objects had left the state before, because pulumi could not export it.",
    ),
  ]);
});

test("a read that found no console, and one that waits because nobody can read the state, do not wait for each other", async () => {
  const console = newConsole();
  const state = await make(console, { gate: 2, tag: 1 });
  const { errors, gone } = await refresh(runOver(console, { hidden: "gates", refused: "tags" }), state);
  expect(errors).toEqual([expect.stringContaining("ECONNREFUSED")]);
  expect(gone.length).toBeLessThanOrEqual(2);
});

test("a refresh that misses one of sixty costs some pages more", async () => {
  const console = newConsole();
  const state = await make(console, { gate: 60, segment: 3 });
  await deleteByHand(console, state.slice(0, 1));
  const run = runOver(console, { state });
  expect(await refresh(run, state)).toMatchObject({ gone: { length: 1 } });
  expect(run.requests.length).toBeLessThanOrEqual(14);
});

test("settings that every project has stay in state: nobody can delete them", async () => {
  const console = newConsole();
  const state = await make(console, { projectSettings: 1, tag: 1 });
  const { gone, errors } = await refresh(runOver(console, { state, hidden: "project" }), state);
  expect(gone).toEqual([]);
  expect(errors).toEqual([expect.stringContaining("lost its permission to read project settings")]);
});

test("a destroy and a get are not concerned", async () => {
  const console = newConsole();
  const state = await make(console, { gate: 6 });
  const run = runOver(console, { state, hidden: "gates" });
  for (const [definition, one] of state) await run.of(definition).destroy(one);
  await expect(run.of(catalog.gate).get("gate_0")).rejects.toThrow(
    'There is no gate "gate_0" in the console',
  );
});
