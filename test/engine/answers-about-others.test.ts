import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { type Subject, startSubject } from "../laws/subject";

let subject: Subject;
beforeEach(async () => {
  subject = await startSubject(catalog.gate);
});
afterEach(() => subject.close());

const other = { message: "ok", data: { id: "another", name: "another", description: "Not this one" } };

test("a read that answers another object is ignored: the state stays", async () => {
  const made = await subject.up({ key: "flag_one" });
  subject.emulator.addFaults([{ method: "GET", path: "/gates/flag_one", body: other, times: 1 }]);
  await expect(subject.refresh(made)).rejects.toThrow(
    'Cannot read gate "flag_one": The console was asked for "flag_one" and answered with an object whose id is "another"',
  );
  expect((await subject.refresh(made))?.outputs).toMatchObject({ key: "flag_one" });
});

test("a create that answers another object is settled by looking, and that other is not touched", async () => {
  await subject.raw.gate.create({ body: { id: "another", name: "another" } });
  subject.emulator.addFaults([{ method: "POST", path: "/gates", body: other, times: 1 }]);
  const made = await subject.up({ key: "flag_one", description: "This one" });
  expect(made.id).toBe("flag_one");
  expect(await subject.raw.gate.get({ id: "another" })).toMatchObject({ description: "" });
});

test("an update that answers another object takes nothing of it into the state", async () => {
  const made = await subject.up({ key: "flag_one" });
  subject.emulator.addFaults([{ method: "PATCH", path: "/gates/flag_one", body: other, times: 1 }]);
  await expect(subject.update(made, { key: "flag_one", tags: ["shop"] })).rejects.toThrow(/did not make it/);
  expect((await subject.refresh(made))?.outputs.description).not.toBe("Not this one");
});

test("a 404 that is not the console's own is no reason to call an object gone", async () => {
  const made = await subject.up({ key: "flag_one" });
  subject.emulator.addFaults([
    { method: "GET", path: "/gates/flag_one", status: 404, body: { error: "no route" }, times: 1 },
  ]);
  await expect(subject.refresh(made)).rejects.toThrow(/feature-console:baseUrl is the address of the API/);
});

test("an assignment source whose list is no list, or has an element without a name, is not called gone", async () => {
  await subject.close();
  subject = await startSubject(catalog.assignmentSource);
  const made = await subject.up(catalog.assignmentSource.samples.smallest);
  for (const data of [null, "text", [null], [{ sql: "select 1" }]]) {
    subject.nextRun();
    // The first read is that of the project.
    subject.emulator.addFaults([{ method: "GET", after: 1, body: { message: "ok", data }, times: 2 }]);
    await expect(subject.refresh(made)).rejects.toThrow(/holds no list of objects|whose name is nothing/);
    await subject.refresh(made);
  }
});
