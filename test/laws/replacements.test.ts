import { describe, expect, test } from "@jest/globals";
import type { Fault } from "../../src/emulator";
import { createRouteClient } from "../../src/provider/client/client";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { idMember } from "../../src/provider/schema/object-id";
import { optionsOf } from "../../src/provider/values/options";
import { partialOf } from "../support/driver";
import { allOf } from "../support/raw-client";
import { kinds, type Resource, type Subject, startSubject } from "./subject";

// An object that gets another id: whatever goes wrong on the way, one of the two is in use, and the next up finishes it.

/** Kinds whose program names the object, with the argument that does it. */
const renamed = kinds.flatMap(([kind, definition]) => {
  const { identity, lifecycle, fields } = definition;
  const argument = identity.how === "key" || identity.how === "slug" ? identity.argument : "name";
  const isOwn = ["key", "name"].includes(argument) && fields[argument]?.facts.replaces === true;
  return lifecycle.create.how === "send" && isOwn ? [[kind, definition, argument] as const] : [];
});

type FaultForm = Pick<Fault, "status" | "reset">;

const forms = {
  "is refused": { status: 403 },
  "is carried out, and its answer lost": { reset: "after" },
} as const satisfies Record<string, FaultForm>;

describe.each(renamed)("%s", (_, definition, argument) => {
  const first: JsonObject = {
    ...definition.samples.fullest,
    ...(optionsOf(definition).onImmutableChange === undefined ? {} : { onImmutableChange: "replace" }),
  };
  const second = { ...first, [argument]: "another_one" };
  // The name of the first stays where a kind can change it, so that the second one takes it.
  const fixedName = definition.fields.name?.facts.fixed === true ? { name: "Another one" } : {};
  const args = { ...second, ...fixedName };

  test.each(Object.entries(forms))(
    "a write that %s: one of the two is in use, and the next up finishes it",
    async (_form, form) => {
      const whole = await play(definition, [first, args]);
      expect(whole.writes).toBeGreaterThan(1);
      for (let write = 0; write < whole.writes; write += 1) {
        const cut = await play(definition, [first, args], { form, write });
        expect([write, cut.ids]).toEqual([write, whole.ids]);
      }
    },
    60_000,
  );
});

/** What state has of a resource. */
interface State {
  readonly current: Resource;
  readonly unfinished: boolean;
  /** What was replaced, and is still to be deleted. */
  readonly condemned: readonly Resource[];
}

/** A fault that meets the writes of a run of each method from the `write`-th on. */
interface Cut {
  readonly form: FaultForm;
  readonly write: number;
}

/** Replaces an object; with a cut, in a run that meets a fault, and in one that follows. */
async function play(
  definition: ResourceDefinition,
  [first, args]: readonly [JsonObject, JsonObject] | readonly JsonObject[],
  cut?: Cut,
) {
  const subject = await startSubject(definition);
  try {
    const current = await subject.up(first as JsonObject);
    let state: State = { current, unfinished: false, condemned: [] };
    const run = async () => {
      subject.nextRun();
      state = await up(subject, state, args as JsonObject);
    };
    subject.emulator.clearRequests();
    if (cut !== undefined) {
      const stop = failing(subject, cut);
      await run();
      stop();
      const inUse = [state.current, ...state.condemned].map((one) => isInUse(subject, one));
      expect([cut.write, await Promise.all(inUse)]).toEqual([cut.write, expect.arrayContaining([true])]);
    }
    await run();
    const writes = subject.writes().length;
    expect(state.condemned).toEqual([]);
    expect(await isInUse(subject, state.current)).toBe(true);
    subject.nextRun();
    expect(await subject.diff(state.current, args as JsonObject)).toEqual({ quiet: true, replaces: [] });
    return { writes, ids: await idsOf(subject) };
  } finally {
    await subject.close();
  }
}

/** @returns how the faults end. */
function failing({ emulator }: Subject, { form, write }: Cut) {
  const methods = ["POST", "PUT", "PATCH", "DELETE"] as const;
  emulator.addFaults(methods.map((method) => ({ ...form, method, after: write, times: 40 }) as Fault));
  return () => emulator.clearFaults();
}

/** One `pulumi up` of one resource, as the engine plays it. */
async function up(subject: Subject, state: State, args: JsonObject): Promise<State> {
  const next = await bringInLine(subject, state, args);
  if (next === undefined) return state;
  if (next.unfinished) return next;
  const left: Resource[] = [];
  for (const old of next.condemned) await subject.destroy(old).catch(() => left.push(old));
  return { ...next, condemned: left };
}

/** Undefined where it fails and leaves everything as it is. */
async function bringInLine(subject: Subject, state: State, args: JsonObject): Promise<State | undefined> {
  const { current, condemned } = state;
  const written = async (
    inputs: JsonObject,
    old: readonly Resource[],
    write: () => Promise<{ id: string; properties: JsonObject }>,
  ): Promise<State | undefined> => {
    try {
      const { id, properties: outputs } = await write();
      return { current: { id, inputs, outputs }, unfinished: false, condemned: old };
    } catch (error) {
      const partial = partialOf(error);
      if (partial === undefined) return undefined;
      return {
        current: { id: partial.id, inputs, outputs: partial.properties },
        unfinished: true,
        condemned: old,
      };
    }
  };
  const planned = await subject.plan(current, args).catch(() => undefined);
  if (planned === undefined) return undefined;
  expect(planned.deleteBeforeReplace).toBe(false);
  if (planned.replaces.length > 0) {
    const inputs = await subject.checked(args);
    return written(inputs, [...condemned, current], () => subject.calls().create(inputs));
  }
  if (planned.changes === "none" && !state.unfinished) return state;
  const inputs = await subject.checked(args, current.inputs);
  return written(inputs, condemned, async () => ({
    ...(await subject.calls().update(current.id, current.outputs, inputs)),
    id: current.id,
  }));
}

/** True for an object that the console has, and not in its archive. */
async function isInUse(subject: Subject, resource: Resource): Promise<boolean> {
  const { archived } = subject.definition.lifecycle;
  subject.nextRun();
  const found = await subject.refresh(resource);
  return found !== undefined && (archived === undefined || found.outputs[archived.field] !== archived.is);
}

/** Ids of the kind in the console: nothing is made twice. */
async function idsOf({ emulator, definition }: Subject): Promise<unknown[]> {
  const { list } = definition.routes;
  const client = createRouteClient({ profile: "custom", baseUrl: emulator.url, apiKey: "x" });
  const items = list === undefined ? [] : await allOf(client.items(list, {}));
  return items.map((item) => item[idMember(definition)]).sort();
}
