import { expect, test } from "@jest/globals";
import { pathParameters } from "../../src/provider/client/route-path";
import type { Transport, WireRequest } from "../../src/provider/client/transport";
import { auditNames } from "../../src/provider/schema/audit";
import { type ResourceDefinition, routeOf } from "../../src/provider/schema/define";
import { start, subject } from "../laws/harness";
import { type Adapter, adapters, kinds, type Resource } from "../laws/subject";
import { samplesOf } from "../samples";

// An object is its id and its time of creation: one that a person deleted and created again under its key is another object.

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
  await start(definition, { adapter, through });
  await awayFromWholeSeconds();
  const made = await subject.up(samplesOf(definition).smallest);
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

test.each(cases)("%s that a person deleted and created again, %s", async (_, adapter, definition) => {
  const made = await madeAnew(adapter, definition);
  const args = samplesOf(definition).smallest;
  const adopting = { ...args, adopt: true };
  const writes = subject.writes().length;
  // An update refuses it by name, also with protectConcurrentEdits.
  for (const more of [{}, { protectConcurrentEdits: true }])
    await expect(subject.update(made, { ...args, ...more })).rejects.toThrow(
      /is another object than the one in state \(created .* UTC, in state .* UTC\).*Nothing was sent.*adopt: true/s,
    );
  // A destroy leaves it as it is, a refresh forgets it, and each says so in a line.
  subject.nextRun();
  const before = subject.lines.length;
  await subject.destroy(made);
  subject.nextRun();
  expect(await subject.refresh(made)).toBeUndefined();
  expect(subject.lines.slice(before)).toEqual([
    expect.stringContaining(`"${made.id}" stays as it is, and this stack forgets it: it is another object`),
    expect.stringContaining(`"${made.id}" is another object than the one in state (created`),
  ]);
  expect(subject.writes()).toHaveLength(writes);
  // The next up refuses, and takes it over with adopt.
  subject.nextRun();
  await expect(subject.up(args)).rejects.toThrow(/exists already/);
  subject.nextRun();
  const adopted = await subject.up(adopting);
  expect(await subject.diff(adopted, adopting)).toMatchObject({ quiet: true });
  subject.nextRun();
  await subject.update(adopted, adopting);
});
