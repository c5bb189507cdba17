import { beforeEach, describe, expect, test } from "@jest/globals";
import type { RunningEmulator } from "../../src/emulator";
import { NoAnswer, type Transport } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import { nativePrefix, typePrefix } from "../../src/provider/pulumi/stored-names";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { samplesOf } from "../samples";
import { named, type Resource } from "../support/driver";
import { configFor } from "../support/in-process";
import { type Adapter, adapters, type Run, startRun } from "../support/run";
import { clock, emulator, newConsole, start } from "./stage";

// A refresh that misses much of the state does not take it for deleted.

beforeEach(() => start());

interface Around {
  readonly adapter?: Adapter;
  /** Another console than that of the test. */
  readonly at?: RunningEmulator;
  readonly environment?: Record<string, string>;
  readonly through?: (transport: Transport) => Transport;
}

type Stored = readonly [ResourceDefinition, Resource];

/** A run. `state`: left out, nobody can read it beside the calls. */
function runWith(state: readonly Stored[] | undefined, around: Around = {}): Run {
  const { adapter = "dynamic", at = emulator, environment = {}, through = (same) => same } = around;
  const prefix = adapter === "native" ? nativePrefix : typePrefix;
  const provider = "urn:pulumi:dev::test::pulumi:providers:any::default::1";
  const stored = (state ?? []).map(([{ kind }, { id, outputs }]) => {
    const type = `${prefix}${kind}`;
    return { urn: `urn:pulumi:dev::test::${type}::${id}`, type, id, outputs, provider, isHeld: true };
  });
  return startRun({
    ...{ adapter, config: configFor({ url: "https://console.test" }), folder: undefined, ...clock },
    ...{ environment: () => environment, transport: through(at.transport) },
    ...(state && { exportStack: () => Promise.resolve(stored) }),
  });
}

/** Paths that answer 404 from now on, as where a permission is lost. */
const hide = (part: string) => {
  const answer = { status: 404, body: { status: 404, message: "Not found." } };
  emulator.addFaults([{ method: "GET", path: `/${part}`, times: 10_000, ...answer }]);
};

/** Objects of a stack. */
async function make(counts: Readonly<Record<string, number>>, at = emulator): Promise<Stored[]> {
  const run = runWith(undefined, { at });
  const made: Stored[] = [];
  for (const [kind, count] of Object.entries(counts)) {
    const definition = (catalog as Record<string, ResourceDefinition>)[kind] as ResourceDefinition;
    for (let n = 0; n < count; n += 1) {
      const name = `${kind}_${n}`;
      const args = named(definition, samplesOf(definition).smallest, name);
      made.push([definition, await run.of(definition).up({ ...args, __program: { name } })]);
    }
  }
  return made;
}

/** Deletes some objects in the console by hand. */
async function deleteByHand(some: readonly Stored[]): Promise<void> {
  const run = runWith(undefined);
  for (const [definition, { id, outputs }] of some) {
    const calls = run.of(definition).calls();
    await calls.delete(id, { ...outputs, onDelete: "delete" });
  }
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
      const state = await make({ gate: 12, segment: 2 });
      hide("gates");
      expect(await refresh(runWith(state, { adapter }), state, parallel)).toEqual({
        gone: [],
        errors: [
          expect.stringMatching(
            /^Cannot read gate ".*": The console does not show 12 of 12 gates in the state\. The refresh stops before any object leaves the state\. It answers 404 to every request about gates and shows other kinds: the key has probably lost its permission to read gates\. If they are gone for good, type FEATURE_CONSOLE_ACCEPT_GONE=1 before the same command, for one run\.$/,
          ),
        ],
      });
      const accepting = runWith(state, { adapter, environment: { FEATURE_CONSOLE_ACCEPT_GONE: "1" } });
      expect(await refresh(accepting, state, parallel)).toMatchObject({ gone: { length: 12 }, errors: [] });
    },
  );

  test("of a state of version 0.1, at a wrong address, stops", async () => {
    const made = await make({ gate: 4, segment: 3, tag: 2 });
    const state = made.map(([definition, one]): Stored => {
      const { __console, __project, __format, __stack, __self, __resource, createdTime, ...outputs } =
        one.outputs;
      return [definition, { ...one, outputs }];
    });
    const text =
      /does not show .*4 of 4 gates.* Check the address \(feature-console:profile, baseUrl\), the key and its project/;
    expect(await refresh(runWith(state, { adapter, at: await newConsole() }), state)).toEqual({
      ...{ gone: [], errors: [expect.stringMatching(text)] },
    });
  });

  test("at a console of the same keys whose objects are others stops", async () => {
    const state = await make({ gate: 6 });
    const at = await newConsole();
    await clock.sleep(1000);
    await make({ gate: 6 }, at);
    const { gone, errors } = await refresh(runWith(state, { adapter, at }), state);
    expect([gone, errors.length]).toEqual([[], 1]);
  });
});

// Which share of a kind is too much: test/core/same-object.test.ts.
test.each([
  [{ gate: 12 }, 6, 6],
  [{ gate: 12 }, 7, 0],
  [{ gate: 4, tag: 1 }, 5, 0],
  [{ gate: 4 }, 4, 4],
  [{ gate: 40, dynamicConfig: 6, layer: 3 }, 20, 20],
])("of %j, %i that somebody deleted: %i leave the state", async (counts, deleted, leaving) => {
  const state = await make(counts);
  await deleteByHand(state.slice(0, deleted));
  const { gone, errors } = await refresh(runWith(state), state);
  expect([gone.length, errors.length]).toEqual([leaving, leaving === 0 ? 1 : 0]);
});

test("what else is missing stays too, whichever is read first", async () => {
  const made = await make({ tag: 2, gate: 8 });
  await deleteByHand(made.slice(0, 7));
  for (const state of [made, made.toReversed()])
    expect(await refresh(runWith(state), state, 1)).toMatchObject({ gone: [], errors: { length: 1 } });
});

test("where nobody can read the state, the reads of the refresh tell, as far as they are under way", async () => {
  const state = await make({ gate: 12, tag: 1 });
  hide("gates");
  expect(await refresh(runWith(undefined), state)).toMatchObject({ gone: [], errors: { length: 1 } });
  const oneByOne = await refresh(runWith(undefined), state, 1);
  expect(oneByOne.gone).toHaveLength(4);
  expect(oneByOne.errors).toEqual([
    expect.stringContaining(
      "The refresh stops. 4 objects had left the state before, because pulumi could not export it.",
    ),
  ]);
});

test("a read that found no console, and one that waits because nobody can read the state, do not wait for each other", async () => {
  const state = await make({ gate: 2, tag: 1 });
  hide("gates");
  const through = ({ send }: Transport): Transport => ({
    send: (request) =>
      request.url.includes("/tags") ? Promise.reject(new NoAnswer("ECONNREFUSED", true)) : send(request),
  });
  const { errors, gone } = await refresh(runWith(undefined, { through }), state);
  expect(errors).toEqual([expect.stringContaining("ECONNREFUSED")]);
  expect(gone.length).toBeLessThanOrEqual(2);
});

test("a refresh that misses one of sixty costs some pages more", async () => {
  const state = await make({ gate: 60, segment: 3 });
  await deleteByHand(state.slice(0, 1));
  emulator.clearRequests();
  expect(await refresh(runWith(state), state)).toMatchObject({ gone: { length: 1 } });
  expect(emulator.requests.length).toBeLessThanOrEqual(14);
});

test("settings that every project has stay in state: nobody can delete them", async () => {
  const state = await make({ projectSettings: 1, tag: 1 });
  hide("settings/project");
  const { gone, errors } = await refresh(runWith(state), state);
  expect(gone).toEqual([]);
  expect(errors).toEqual([expect.stringContaining("lost its permission to read project settings")]);
});

test("a destroy and a get are not concerned", async () => {
  const state = await make({ gate: 6 });
  hide("gates");
  const run = runWith(state);
  for (const [definition, one] of state) await run.of(definition).destroy(one);
  await expect(run.of(catalog.gate).get("gate_0")).rejects.toThrow(
    'There is no gate "gate_0" in the console',
  );
});

test("an outage of one kind is told once; objects of other kinds are read", async () => {
  const state = await make({ segment: 4, gate: 3 });
  emulator.addFaults([{ method: "GET", path: "/segments", status: 503, times: 10_000 }]);
  const { gone, errors } = await refresh(runWith(state), state);
  expect({ gone, errors }).toEqual({
    gone: [],
    errors: [expect.stringMatching(/503.*3 more objects were not read and stay in state as they are\.$/s)],
  });
});

describe("a refresh whose key the console refuses", () => {
  const ownKey = ["console", "outage"].join("-");
  const withKey = async () => {
    const at = await newConsole({ key: ownKey });
    const config = (key: string) => configFor({ url: "https://console.test" }, key);
    return (key: string) => startRun({ config: config(key), folder: undefined, transport: at.transport });
  };

  test.each<[string, ResourceDefinition, object]>([
    ["gates", catalog.gate, {}],
    ["segments, whose ids stand apart in state", catalog.segment, { type: "id_list", ids: ["one"] }],
  ])("fails for one of %s, and the others keep what state has", async (_, definition, args) => {
    const run = await withKey();
    const maker = run(ownKey).of(definition);
    const made: Resource[] = [];
    for (const name of ["one", "two", "three"])
      made.push(await maker.up({ ...args, key: `${definition.name}_${name}` }));
    const reader = run("wrong").of(definition).calls();
    const read = await Promise.allSettled(made.map(({ id, outputs }) => reader.read(id, outputs)));
    const failed = read.filter((one) => one.status === "rejected");
    expect(failed).toHaveLength(1);
    expect(String(failed[0]?.reason.message)).toContain("2 more objects were not read");
    // Inputs that a read leaves out the engine keeps; an empty object would take their place.
    const kept = made.map(({ id, outputs }) => ({ status: "fulfilled", value: { id, properties: outputs } }));
    expect(read).toEqual(read.map((one, index) => (one.status === "rejected" ? one : kept[index])));
  });

  test("ends as another one does that fails while it still waits for its other reads", async () => {
    const run = await withKey();
    const { id, outputs } = await run(ownKey).of(catalog.gate).up({ key: "read_again" });
    const reader = run("wrong").of(catalog.gate).calls();
    const first = reader.read(id, outputs).catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const second = reader.read(id, outputs).catch((error: unknown) => error);
    const late = new Promise((resolve) => setTimeout(resolve, 3000, "late").unref());
    const ended = await Promise.all([Promise.race([first, late]), Promise.race([second, late])]);
    for (const error of ended) expect(String(error)).toContain('Cannot read gate "read_again"');
  });
});
