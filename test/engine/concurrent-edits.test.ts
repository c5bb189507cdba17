import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Resource, type Subject, startSubject } from "../laws/subject";

const rules = [
  { name: "A", passPercentage: 10, conditions: [{ type: "public" }] },
  { name: "B", passPercentage: 20, conditions: [{ type: "public" }] },
];
const program = (more: JsonObject = {}) => ({
  key: "flag_one",
  description: "Ours",
  rules,
  protectConcurrentEdits: true,
  ...more,
});

let subject: Subject;
afterEach(() => subject.close());

const patch = (body: JsonObject) => subject.raw.gate.patch({ id: "flag_one", body });
const refreshed = async (resource: Resource) => (await subject.refresh(resource)) as Resource;

/** Refused, naming what, and nothing is written. */
async function expectRefused(work: () => Promise<unknown>, named: RegExp) {
  subject.emulator.clearRequests();
  await expect(work()).rejects.toThrow(named);
  expect(subject.writes()).toEqual([]);
}

describe("a gate whose concurrent edits are refused", () => {
  test("is changed again and again by its own program, and refreshed in between or not", async () => {
    subject = await startSubject(catalog.gate);
    let resource = await subject.up(program());
    for (const more of [{ description: "Two" }, { isEnabled: false }, { rules: [...rules].reverse() }]) {
      resource = await subject.update(resource, program(more));
      resource = await subject.update(resource, program({ ...more, tags: [] }));
      resource = await refreshed(resource);
      expect(await subject.diff(resource, program({ ...more, tags: [] }))).toMatchObject({ quiet: true });
    }
  });

  test.each<[string, () => Promise<unknown>, RegExp]>([
    [
      "a field of the program",
      () => patch({ description: "Theirs" }),
      /version 1 to 2.*differs in description\./s,
    ],
    ["a field of which the program says nothing", () => patch({ tags: ["theirs"] }), /differs in tags\./],
    [
      "and put back again",
      () => patch({ description: "Theirs" }).then(() => patch({ description: "Ours" })),
      /version 1 to 3\)\. Nothing was sent/,
    ],
  ])(
    "edited in the console, %s: an update is refused with who and when, and goes after a refresh",
    async (_, edit, named) => {
      subject = await startSubject(catalog.gate);
      const made = await subject.up(program());
      await edit();
      const update = (resource: Resource) => subject.update(resource, program({ isEnabled: false }));
      await expectRefused(() => update(made), named);
      await expectRefused(
        () => update(made),
        /Cannot update gate "flag_one": gate "flag_one" was changed in the console since the last refresh \(a key, \d{4}-\d\d-\d\d \d\d:\d\d UTC/,
      );
      await expectRefused(() => subject.destroy(made), /was changed in the console since the last refresh/);
      const seen = await refreshed(made);
      const updated = await update(seen);
      expect(await subject.raw.gate.get({ id: "flag_one" })).toMatchObject({ isEnabled: false });
      await subject.destroy(updated);
      expect(await subject.raw.gate.get({ id: "flag_one" })).toMatchObject({ status: "Archived" });
    },
  );

  test("that is gone or archived already may go", async () => {
    subject = await startSubject(catalog.gate);
    const made = await subject.up(program());
    await subject.raw.gate.archive({ id: "flag_one", body: { archiveReason: "" } });
    await subject.destroy(made);
    await subject.raw.gate.delete({ id: "flag_one" });
    await subject.destroy(made);
  });

  test("is not held up by a ramp, where the console owns the rollout", async () => {
    subject = await startSubject(catalog.gate);
    const owned = program({ owns: { rollout: "console" } });
    let resource = await subject.up(owned);
    await patch({ rules: [{ ...rules[0], passPercentage: 50 }, rules[1]] });
    resource = await subject.update(resource, { ...owned, isEnabled: false });
    await patch({ rules: [{ ...rules[0], passPercentage: 60 }, rules[1]], description: "Theirs" });
    await expectRefused(
      () => subject.update(resource, { ...owned, isEnabled: true }),
      /differs in description\./,
    );
  });

  test("was not before: what an update compares then are values, and from then on versions", async () => {
    subject = await startSubject(catalog.gate);
    const { protectConcurrentEdits: _, ...plain } = program();
    const made = await subject.up(plain);
    expect(made.outputs).not.toHaveProperty("__seen");
    await patch({ description: "Theirs" });
    await expectRefused(() => subject.update(made, program()), /differs in description/);
    await patch({ description: "Ours" });
    const on = await subject.update(made, program());
    expect(on.outputs).toHaveProperty("__seen", 3);
    const off = await subject.update(on, plain);
    expect(off.outputs).not.toHaveProperty("__seen");
  });
});

test("without the option, an update reads once, and a removal once to know its object", async () => {
  subject = await startSubject(catalog.gate);
  const plain = program({ protectConcurrentEdits: undefined });
  const made = await subject.up(plain);
  subject.emulator.clearRequests();
  await subject.update(made, { ...plain, description: "New" });
  await subject.destroy(made);
  expect(subject.emulator.requests.map(({ method }) => method)).toEqual(["GET", "PATCH", "GET", "PUT"]);
});
