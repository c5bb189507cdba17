import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { type Subject, startSubject } from "../laws/subject";

let subject: Subject;
beforeEach(async () => {
  subject = await startSubject(catalog.gate);
});
afterEach(() => subject.close());

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
