import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { adapters, type Subject, startSubject } from "../laws/subject";
import { allOf } from "../support/raw-client";

// What others ask for does not go, and what a person archived comes back only where it is as the program says.

let subject: Subject;
afterEach(() => subject.close());

describe.each(adapters)("%s", (adapter) => {
  test.each([
    ["rule_based", {}],
    ["id_list", { ids: ["u1"] }],
  ])(
    "a segment (%s) that a gate asks for is not deleted, unless by force; an unused one is",
    async (type, more) => {
      subject = await startSubject(catalog.segment, { adapter });
      const args: JsonObject = { key: "staff", type, ...more };
      const made = await subject.up(args);
      const unused = await subject.up({ ...args, key: "unused", __program: { name: "unused" } });
      const conditions = [{ type: "passes_segment", targetValue: "staff" }];
      await subject.raw.gate.create({
        body: { id: "asker", name: "asker", rules: [{ name: "In", passPercentage: 100, conditions }] },
      } as never);
      subject.nextRun();
      subject.emulator.clearRequests();
      await expect(subject.destroy(made)).rejects.toThrow(/gate "?asker"?(?=.*forceDelete: true)/s);
      expect(subject.writes().filter(({ status }) => status < 400)).toEqual([]);
      await subject.destroy(unused);
      const ids = async () => (await allOf(subject.raw.segment.list())).map(({ id }) => id);
      expect(await ids()).toEqual(["staff"]);
      subject.nextRun();
      await subject.destroy(await subject.update(made, { ...args, forceDelete: true }));
      expect(await ids()).toEqual([]);
    },
  );

  test("a gate that a person archived is brought back where it is equal in meaning, and refused where it differs", async () => {
    subject = await startSubject(catalog.gate, { adapter });
    for (const id of ["equal", "differs"]) {
      await subject.raw.gate.create({ body: { id, name: id, description: "Theirs" } });
      await subject.raw.gate.archive({ id, body: { archiveReason: "Not needed any more" } });
    }
    subject.emulator.clearRequests();
    await expect(subject.up({ key: "differs", description: "Ours" })).rejects.toThrow(
      /^(?=.*gate "differs" exists)(?=.*archived)(?=.*description)(?=.*adopt: true)/s,
    );
    expect(subject.writes().filter(({ status }) => status < 400)).toEqual([]);
    await subject.up({ key: "equal", description: "Theirs" });
    const { gate } = subject.raw;
    expect(await gate.get({ id: "equal" })).toMatchObject({ status: "In Progress", description: "Theirs" });
  });
});
