import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { type Resource, type Subject, startSubject } from "../laws/subject";

// To Pulumi a resource that was renamed without an alias is another one: it creates the new one and deletes the old one,
// and both are the same gate. A run that failed in between left the delete to the next, which archived the gate.

let subject: Subject;
beforeEach(async () => {
  subject = await startSubject(catalog.gate);
});
afterEach(() => subject.close());

const args = { key: "flag_one", name: "Flag one" };
const isArchived = async () => (await subject.raw.gate.get({ id: "flag_one" })).status === "Archived";

async function renamed() {
  const old = await subject.up(args);
  subject.nextRun();
  return { old, renewed: await subject.up({ ...args, __program: { name: "renamed" }, adopt: true }) };
}

test("the gate stays when both happen in one run", async () => {
  const { old } = await renamed();
  await subject.destroy(old);
  expect(await isArchived()).toBe(false);
});

test("the gate stays when the delete comes in a later run", async () => {
  const { old, renewed } = await renamed();
  subject.nextRun();
  expect((await subject.diff(renewed, args)).quiet).toBe(true);
  await subject.destroy(old);
  expect(await isArchived()).toBe(false);
});

test("the gate goes with the new resource", async () => {
  const { renewed } = await renamed();
  subject.nextRun();
  await subject.destroy(renewed);
  expect(await isArchived()).toBe(true);
});

test("a gate that the program dropped goes although a refresh looked at it in the same run", async () => {
  const dropped = await subject.up(args);
  subject.nextRun();
  const seen = await subject.refresh(dropped);
  await subject.calls().diff("flag_one", seen?.outputs ?? {}, dropped.inputs);
  await subject.destroy(dropped);
  expect(await isArchived()).toBe(true);
});

test("a gate that was compared in the same run goes when it is deleted", async () => {
  const made = await subject.up(args);
  await subject.diff(made, args);
  await subject.destroy(made);
  expect(await isArchived()).toBe(true);
});

test("so does one that was adopted in the same run", async () => {
  await subject.raw.gate.create({ body: { id: "flag_one", name: "Flag one" } });
  const adopted = await subject.up({ ...args, adopt: true });
  await subject.destroy(await subject.update(adopted, { ...args, description: "Ours now" }));
  expect(await isArchived()).toBe(true);
});

test("and one that was brought back in the same run", async () => {
  await subject.destroy(await subject.up(args));
  const revived = await subject.up(args);
  expect(await isArchived()).toBe(false);
  await subject.destroy(revived);
  expect(await isArchived()).toBe(true);
});

const legacy = (resource: Resource): Resource => {
  const { __self: _, ...outputs } = resource.outputs;
  return { ...resource, outputs };
};

test("a state that does not tell which resource it is of takes nothing from one that does", async () => {
  const { old, renewed } = await renamed();
  subject.nextRun();
  await subject.diff(renewed, args);
  await subject.destroy(legacy(old));
  expect(await isArchived()).toBe(false);
});

test("it tells after the next update", async () => {
  const made = legacy(await subject.up(args));
  const updated = await subject.update(made, { ...args, description: "Tells" });
  expect(updated.outputs.__self).toEqual(expect.any(String));
});

test("the gate goes when all go that had it", async () => {
  const { old, renewed } = await renamed();
  subject.nextRun();
  await subject.diff(old, args);
  await subject.diff(renewed, args);
  await subject.destroy(old);
  await subject.destroy(renewed);
  expect(await isArchived()).toBe(true);
});

test("an adoption that is not finished is safe from the delete of the renamed one", async () => {
  const old = await subject.up(args);
  subject.nextRun();
  subject.emulator.addFaults([{ method: "PATCH", status: 403, times: 1 }]);
  const adoption = subject.up({ ...args, description: "New", adopt: true });
  await expect(adoption).rejects.toMatchObject({ id: "flag_one" });
  await subject.destroy(old);
  expect(await isArchived()).toBe(false);
});

test("a resource that has another name under an alias keeps its key when it is replaced", async () => {
  const made = await subject.up({ __program: { name: "checkout" }, idType: "userID" });
  subject.nextRun();
  const news = { __program: { name: "checkout_gate" }, idType: "companyID" };
  expect(await subject.diff(made, news)).toMatchObject({ replaces: ["idType"] });
  // Pulumi checks the arguments of a replacement again, without those of last time.
  expect(await subject.checked(news)).toMatchObject({ key: "checkout", name: "checkout" });
});

test("an object that gets another key is called by it, in the difference and in the create", async () => {
  const made = await subject.up({ __program: { name: "checkout" } });
  subject.nextRun();
  const news = { __program: { name: "checkout" }, key: "checkout_two" };
  expect(await subject.diff(made, news)).toMatchObject({ replaces: ["key"] });
  expect(await subject.checked(news)).toMatchObject({ key: "checkout_two", name: "checkout_two" });
});

test("a replacement that was killed after it made the new object is finished by the next run", async () => {
  const made = await subject.up({ __program: { name: "checkout" } });
  const news = { __program: { name: "checkout" }, key: "checkout_two" };
  const replace = async () => {
    subject.nextRun();
    await subject.diff(made, news);
    await subject.destroy(made);
    return subject.up(news);
  };
  await replace();
  expect((await replace()).id).toBe("checkout_two");
  expect(await subject.raw.gate.get({ id: "checkout_two" })).toMatchObject({ status: "In Progress" });
});

test("a new resource of such a name gets its own", async () => {
  const inputs = await subject.checked({ __program: { name: "checkout_gate" }, idType: "companyID" });
  expect(inputs).toMatchObject({ key: "checkout_gate", name: "checkout_gate" });
});
