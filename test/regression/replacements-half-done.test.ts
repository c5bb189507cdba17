import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { type Subject, startSubject } from "../laws/subject";

let subject: Subject;
beforeEach(async () => {
  subject = await startSubject(catalog.gate);
});
afterEach(() => subject.close());

const args = { key: "flag_one", name: "Flag one" };
const gate = () => subject.raw.gate.get({ id: "flag_one" });

// Pulumi keeps the state of what it has deleted to replace it. If the create failed and the program was put back, it checks
// and compares as ever, finds nothing to do, and then creates nevertheless.
test("a replacement that was given up half done is made whole", async () => {
  const made = await subject.up(args);
  await subject.destroy(made);
  subject.nextRun();
  expect((await subject.diff(made, args)).quiet).toBe(true);
  expect((await subject.up(args)).id).toBe("flag_one");
  expect((await gate()).status).not.toBe("Archived");
});

test("a replacement that only the program asks for takes over what is there, and the old resource leaves it", async () => {
  const made = await subject.up(args);
  subject.nextRun();
  const news = { ...args, description: "New" };
  await subject.diff(made, news);
  expect((await subject.up(news)).id).toBe("flag_one");
  await subject.destroy(made);
  expect((await gate()).status).not.toBe("Archived");
});

test("what a refresh sees announces no replacement: the delete of a dropped gate renames nothing", async () => {
  await subject.checked(args);
  // Made by another process: this one has checked nothing of it.
  const inputs = { key: "flag_two", name: "Flag two", idType: "userID" };
  const { id, properties: outputs } = await subject.calls().create(inputs);
  const made = { id, inputs, outputs };
  subject.nextRun();
  await subject.raw.gate.patch({ id: "flag_two", body: { idType: "companyID" } });
  const seen = await subject.refresh(made);
  await subject.calls().diff("flag_two", seen?.outputs ?? {}, made.inputs);
  await subject.destroy({ ...made, outputs: seen?.outputs ?? {} });
  expect(await subject.raw.gate.get({ id: "flag_two" })).toMatchObject({
    name: "Flag two",
    status: "Archived",
  });
});

test("a gate whose archiving is refused has its name back", async () => {
  const made = await subject.up(args);
  const body = { message: "is referred to" };
  subject.emulator.addFaults([
    { method: "PUT", path: "/gates/flag_one/archive", times: 4, status: 400, body },
  ]);
  expect((await subject.diff(made, { ...args, idType: "companyID" })).replaces).toEqual(["idType"]);
  await expect(subject.destroy(made)).rejects.toThrow("is referred to");
  expect((await gate()).name).toBe("Flag one");
});

test("a replacement makes room for the new name even where nothing was checked before its diff", async () => {
  const made = await subject.up({ key: "flag_old", name: "Flag three" });
  const gates = subject.calls();
  const news = { ...made.inputs, key: "flag_new" };
  expect((await gates.diff("flag_old", made.outputs, news)).replaces).toEqual(["key"]);
  await subject.destroy(made);
  await expect(gates.create(news)).resolves.toMatchObject({ id: "flag_new" });
});
