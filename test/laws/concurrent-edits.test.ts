import { expect, test } from "@jest/globals";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { kinds, type Resource, type Subject, startSubject } from "./subject";

// Of what nothing reads nobody sees an edit.
const changing = kinds.filter(
  ([, { lifecycle }]) => lifecycle.update.length > 0 && lifecycle.read.how !== "remember",
);

/** Arguments with one field changed, that the provider and the console take; undefined where there are none. */
async function otherArgs(definition: ResourceDefinition): Promise<JsonObject | undefined> {
  const { fullest } = definition.samples;
  for (const [name, { facts }] of Object.entries(definition.fields)) {
    if (facts.remembered || facts.readsOtherId || facts.fixed || facts.replaces) continue;
    for (const value of othersOf(fullest[name])) {
      const args = { ...fullest, [name]: value };
      const subject = await startSubject(definition);
      try {
        const made = await subject.up(fullest);
        const { replaces } = await subject.diff(made, args);
        if (replaces.length > 0) continue;
        const there = await subject.update(made, args);
        const back = await subject.update(there, fullest);
        if ((await subject.diff(back, fullest)).quiet) return args;
      } catch {
        // Not every field can be changed to anything: another one is tried.
      } finally {
        await subject.close();
      }
    }
  }
  return undefined;
}

function othersOf(value: unknown): unknown[] {
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number") return [value - 1];
  if (typeof value === "string") return [`${value}x`];
  if (Array.isArray(value)) return value.length > 1 ? [value.slice(0, -1)] : value.flatMap(withOtherMember);
  return withOtherMember(value).map(([other]) => other);
}

/** An object with one member changed, as a list of one. */
function withOtherMember(value: unknown): unknown[][] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    othersOf(member).map((other) => [{ ...value, [name]: other }]),
  );
}

const untried: string[] = [];

async function mustRefuse(subject: Subject, work: () => Promise<unknown>): Promise<void> {
  subject.emulator.clearRequests();
  await expect(work()).rejects.toThrow(/was changed in the console since the last refresh/);
  expect(subject.writes()).toEqual([]);
}

test.each(changing)(
  "%s: protected, its own updates go, one over somebody's edit is refused, and goes after a refresh",
  async (kind, definition) => {
    const other = await otherArgs(definition);
    if (other === undefined) {
      untried.push(kind);
      return;
    }
    const protectedBy = (args: JsonObject) => ({ ...args, protectConcurrentEdits: true });
    const [full, changed] = [protectedBy(definition.samples.fullest), protectedBy(other)];
    const subject = await startSubject(definition);
    try {
      const made = await subject.up(full);
      const there = await subject.update(made, changed);
      const back = await subject.update(there, full);
      expect(await subject.diff(back, full)).toEqual({ quiet: true, replaces: [] });
      const seen = (await subject.refresh(back)) as Resource;
      expect(await subject.diff(seen, full)).toEqual({ quiet: true, replaces: [] });
      // Somebody else: state knows nothing of it.
      await subject.update(seen, changed);
      await mustRefuse(subject, () =>
        subject.update(seen, protectedBy({ ...definition.samples.fullest, onDelete: "retain" })),
      );
      if (
        definition.lifecycle.delete.remove !== undefined ||
        definition.lifecycle.delete.archive !== undefined
      )
        await mustRefuse(subject, () => subject.destroy(seen));
      const known = (await subject.refresh(seen)) as Resource;
      const settled = await subject.update(known, full);
      expect((await subject.diff(settled, full)).quiet).toBe(true);
    } finally {
      await subject.close();
    }
  },
);

test("every kind was tried", () => {
  expect(untried).toEqual([]);
});
