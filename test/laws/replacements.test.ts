import { describe, expect, test } from "@jest/globals";
import type { Fault } from "../../src/emulator";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { idMember } from "../../src/provider/schema/object-id";
import { optionsOf } from "../../src/provider/values/options";
import { samplesOf } from "../samples";
import { partialOf } from "../support/driver";
import { inTurn } from "../support/sample";
import { expectQuiet, fault, start, subject } from "./harness";
import { kinds, type Resource } from "./subject";

// Whatever goes wrong in the middle of a run, the next one finishes it, and nothing is made twice.

const created = kinds.filter(([, { lifecycle }]) => lifecycle.create.how === "send");

/** Ids of the kind in the console. */
const idsInConsole = async () =>
  ((await subject.objects()) ?? []).map((item) => item[idMember(subject.definition)]).sort();

describe.each(created)("%s", (_, definition) => {
  const { fullest } = samplesOf(definition);
  const { status, isEnabled } = definition.fields;
  const { isEnabled: _enabled, ...rest } = fullest;
  const states = ["active", "archived", "Launched", "Archived"].filter(
    (one) => status?.mode === "input" && status.schema.safeParse(one).success,
  );
  const programs = [fullest, ...states.map((one) => ({ ...(isEnabled ? rest : fullest), status: one }))];

  /** Makes an object; where writes are given, by a run that is killed after so many of them, and the next one. */
  async function play(args: JsonObject, methods: readonly string[] = [], killedAfter = 0) {
    await start(definition);
    if (killedAfter > 0) {
      // The write that follows is refused, as if it had never been sent; the run that is killed cannot send another.
      const method = methods[killedAfter] as "POST" | undefined;
      const before = methods.slice(0, killedAfter).filter((one) => one === method).length;
      if (method !== undefined && before > 0) fault({ method, delayMs: 0, times: before });
      if (method !== undefined) fault({ method, status: 403 });
      await subject.up(args).catch(() => undefined);
      subject.nextRun();
    }
    await expectQuiet(await subject.up(args), args);
    const writes = subject.writes().map(({ method }) => method);
    return { writes, objects: (await idsInConsole()).length };
  }

  test.each(programs.map((args, index) => [index, args] as const))(
    "killed after any of its writes, a create is finished by the next run, once (arguments %i)",
    async (_index, args) => {
      const { writes, objects } = await play(args);
      expect(writes.length).toBeGreaterThan(0);
      for (let killed = 1; killed <= writes.length; killed += 1)
        expect([killed, (await play(args, writes, killed)).objects]).toEqual([killed, objects]);
    },
  );
});

/** Kinds whose program names the object, with the argument that does it. */
const renamed = created.flatMap(([kind, definition]) => {
  const { identity, fields } = definition;
  const argument = identity.how === "key" || identity.how === "slug" ? identity.argument : "name";
  const isOwn = ["key", "name"].includes(argument) && fields[argument]?.traits.replaces === true;
  return isOwn ? [[kind, definition, argument] as const] : [];
});

const forms: Pick<Fault, "status" | "reset">[] = [{ status: 403 }, { reset: "after" }];

test.each(renamed)(
  "%s gets another id: of a write that is refused, or whose answer is lost, one of the two objects stays in use, and the next up finishes it",
  async (_, definition, argument) => {
    const isFixed = optionsOf(definition).onImmutableChange !== undefined;
    const first = { ...samplesOf(definition).fullest, ...(isFixed ? { onImmutableChange: "replace" } : {}) };
    // The name of the first stays where a kind can change it, so that the second one takes it.
    const name = definition.fields.name?.traits.fixed === true ? { name: "Another one" } : {};
    const args = { ...first, [argument]: "another_one", ...name };
    const whole = await replace(definition, first, args);
    expect(whole.writes).toBeGreaterThan(1);
    for (let write = 0; write < whole.writes; write += 1)
      for (const form of inTurn(forms, write)) {
        const { ids } = await replace(definition, first, args, { ...form, after: write });
        expect([form, write, ids]).toEqual([form, write, whole.ids]);
      }
  },
);

/** What state has of a resource. */
interface State {
  readonly current: Resource;
  readonly unfinished: boolean;
  /** What was replaced, and is still to be deleted. */
  readonly condemned: readonly Resource[];
}

/** Replaces an object; with a fault, in a run whose writes of each method meet it from the `after`-th on, and in the next one. */
async function replace(
  definition: ResourceDefinition,
  first: JsonObject,
  args: JsonObject,
  met?: Partial<Fault>,
) {
  await start(definition);
  let state: State = { current: await subject.up(first), unfinished: false, condemned: [] };
  const run = async () => {
    subject.nextRun();
    state = await up(state, args);
  };
  subject.emulator.clearRequests();
  if (met !== undefined) {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"] as const) fault({ ...met, method, times: 40 });
    await run();
    subject.emulator.clearFaults();
    const inUse = await Promise.all([state.current, ...state.condemned].map(isInUse));
    expect([met, inUse]).toEqual([met, expect.arrayContaining([true])]);
  }
  await run();
  const writes = subject.writes().length;
  expect(state.condemned).toEqual([]);
  expect(await isInUse(state.current)).toBe(true);
  subject.nextRun();
  await expectQuiet(state.current, args);
  return { writes, ids: await idsInConsole() };
}

/** One `pulumi up` of one resource, as the engine plays it. */
async function up(state: State, args: JsonObject): Promise<State> {
  const next = await bringInLine(state, args);
  if (next === undefined) return state;
  if (next.unfinished) return next;
  const left: Resource[] = [];
  for (const old of next.condemned) await subject.destroy(old).catch(() => left.push(old));
  return { ...next, condemned: left };
}

/** Undefined where it fails and leaves everything as it is. */
async function bringInLine(state: State, args: JsonObject): Promise<State | undefined> {
  const { current, condemned } = state;
  const planned = await subject.plan(current, args).catch(() => undefined);
  if (planned === undefined) return undefined;
  expect(planned.deleteBeforeReplace).toBe(false);
  const isReplaced = planned.replaces.length > 0;
  if (!isReplaced && planned.changes === "none" && !state.unfinished) return state;
  const inputs = await subject.checked(args, isReplaced ? undefined : current.inputs);
  const left = isReplaced ? [...condemned, current] : condemned;
  try {
    const { id, properties: outputs } = isReplaced
      ? await subject.calls().create(inputs)
      : { id: current.id, ...(await subject.calls().update(current.id, current.outputs, inputs)) };
    return { current: { id, inputs, outputs }, unfinished: false, condemned: left };
  } catch (error) {
    const partial = partialOf(error);
    const half = partial && { id: partial.id, inputs, outputs: partial.properties };
    return half && { current: half, unfinished: true, condemned: left };
  }
}

/** True for an object that the console has, and not in its archive. */
async function isInUse(resource: Resource): Promise<boolean> {
  const { archived } = subject.definition.lifecycle;
  subject.nextRun();
  const found = await subject.refresh(resource);
  return found !== undefined && (archived === undefined || found.outputs[archived.field] !== archived.is);
}
