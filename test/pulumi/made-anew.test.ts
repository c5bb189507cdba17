import { afterEach, describe, expect, test } from "@jest/globals";
import { pathParameters } from "../../src/provider/client/route-path";
import type { Transport, WireRequest } from "../../src/provider/client/transport";
import { auditNames } from "../../src/provider/schema/audit";
import { type ResourceDefinition, routeOf } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Adapter, adapters, kinds, type Resource, type Subject, startSubject } from "../laws/subject";

// An object is its id and its time of creation: one that a person deleted and created again under its key is another object.

let subject: Subject;
afterEach(() => subject.close());

/** Kinds that show when an object was made, whose ids come from the program, and which a person can delete. */
const able = kinds.filter(
  ([, definition]) =>
    auditNames(definition).created !== undefined &&
    definition.identity.how !== "server" &&
    definition.lifecycle.delete.remove !== undefined,
);
const cases = able.flatMap(([title, definition]) =>
  adapters.map((adapter) => [title, adapter, definition] as const),
);

const argsOf = ({ samples }: ResourceDefinition): JsonObject => samples.smallest;

/** A time that is a whole second may stand for all of it: none of these tests begins near one. */
async function awayFromWholeSeconds(): Promise<void> {
  const inSecond = Date.now() % 1000;
  if (inSecond < 3 || inSecond > 700)
    await new Promise((resolve) => setTimeout(resolve, (1003 - inSecond) % 1000));
}

/** An object of the stack that a person has deleted and created again just as it was, and the run after that. */
async function madeAnew(adapter: Adapter, definition: ResourceDefinition): Promise<Resource> {
  const created: WireRequest[] = [];
  const through = (transport: Transport): Transport => ({
    send(request) {
      if (request.method === "POST") created.push(request);
      return transport.send(request);
    },
  });
  subject = await startSubject(definition, { adapter, through });
  await awayFromWholeSeconds();
  const made = await subject.up(argsOf(definition));
  const route = routeOf(definition, definition.lifecycle.delete.remove?.route ?? "");
  const [parameter = "id"] = pathParameters(route.path);
  const raw = subject.raw as unknown as Record<string, Record<string, (input: object) => Promise<unknown>>>;
  await raw[definition.name]?.[definition.lifecycle.delete.remove?.route ?? ""]?.({ [parameter]: made.id });
  await new Promise((resolve) => setTimeout(resolve, 3));
  const [first] = created;
  if (first !== undefined) await subject.emulator.transport.send(first);
  subject.nextRun();
  return made;
}

describe.each(cases)("%s that a person deleted and created again, %s", (_, adapter, definition) => {
  test("an update refuses it by name and sends nothing, also with protectConcurrentEdits", async () => {
    const made = await madeAnew(adapter, definition);
    for (const args of [argsOf(definition), { ...argsOf(definition), protectConcurrentEdits: true }]) {
      const before = subject.writes().length;
      await expect(subject.update(made, args)).rejects.toThrow(
        /is another object than the one in state \(created .* UTC, in state .* UTC\).*Nothing was sent.*adopt: true/s,
      );
      expect(subject.writes()).toHaveLength(before);
    }
  });

  test("a destroy leaves it as it is, and one line says so", async () => {
    const made = await madeAnew(adapter, definition);
    const before = subject.writes().length;
    await subject.destroy(made);
    expect(subject.writes()).toHaveLength(before);
    expect(subject.lines).toEqual([
      expect.stringContaining(`"${made.id}" stays as it is, and this stack forgets it: it is another object`),
    ]);
  });

  test("a refresh forgets it; the next up refuses, and takes it over with adopt", async () => {
    const made = await madeAnew(adapter, definition);
    expect(await subject.refresh(made)).toBeUndefined();
    expect(subject.lines).toEqual([
      expect.stringContaining(`"${made.id}" is another object than the one in state (created`),
    ]);
    subject.nextRun();
    await expect(subject.up(argsOf(definition))).rejects.toThrow(/exists already/);
    subject.nextRun();
    const adopting = { ...argsOf(definition), adopt: true };
    const adopted = await subject.up(adopting);
    expect(await subject.diff(adopted, adopting)).toMatchObject({ quiet: true });
    subject.nextRun();
    await subject.update(adopted, adopting);
  });
});
