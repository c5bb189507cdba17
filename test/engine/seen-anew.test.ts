import { afterEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { type Resource, type Subject, startSubject } from "../laws/subject";

// One host may read, see the console changed behind its back, and read again.

let subject: Subject;
afterEach(() => subject.close());

const refreshed = (resources: readonly Resource[]) =>
  Promise.all(resources.map((resource) => subject.refresh(resource)));

test("a second refresh sees what was changed since the first", async () => {
  subject = await startSubject(catalog.gate);
  const keys = ["one", "two", "three", "four", "five", "six"].map((name) => `gate_${name}`);
  const gates = await Promise.all(keys.map((key) => subject.up({ key, name: key, description: "Old" })));
  await refreshed(gates);
  await subject.raw.gate.patch({ id: "gate_one", body: { description: "New" } });
  await subject.raw.gate.delete({ id: "gate_two" });
  const [one, two, three] = await refreshed(gates);
  expect([one?.outputs.description, two, three?.outputs.description]).toEqual(["New", undefined, "Old"]);
});

test("the same where only a list shows an object", async () => {
  subject = await startSubject(catalog.assignmentSource);
  const source = await subject.up(catalog.assignmentSource.samples.smallest);
  expect(await subject.refresh(source)).toBeDefined();
  await subject.raw.assignmentSource.delete({ name: source.id });
  expect(await subject.refresh(source)).toBeUndefined();
});

test("what a refresh found gone may be created again", async () => {
  subject = await startSubject(catalog.gate);
  const made = await subject.up({ key: "gate_one" });
  await subject.raw.gate.delete({ id: "gate_one" });
  expect(await subject.refresh(made)).toBeUndefined();
  expect((await subject.up({ key: "gate_one" })).id).toBe("gate_one");
});

test("what somebody archived is brought back", async () => {
  subject = await startSubject(catalog.gate);
  await subject.up({ key: "gate_one" });
  await subject.raw.gate.archive({ id: "gate_one" });
  const again = await subject.up({ key: "gate_one" });
  expect(again.outputs.status).toBe("In Progress");
});
