import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/catalog";
import { type Subject, startSubject } from "../laws/subject";

let subject: Subject;
beforeEach(async () => {
  subject = await startSubject(catalog.gate);
});
afterEach(() => subject.close());

test("a resource that has another name under an alias keeps its key when it is replaced", async () => {
  const made = await subject.up({ __logicalName: "checkout", idType: "userID" });
  subject.nextRun();
  const news = { __logicalName: "checkout_gate", idType: "companyID" };
  expect(await subject.diff(made, news)).toMatchObject({ replaces: ["idType"] });
  // Pulumi checks the arguments of a replacement again, without those of last time.
  expect(await subject.checked(news)).toMatchObject({ key: "checkout", name: "checkout" });
});

test("a new resource of such a name gets its own", async () => {
  const inputs = await subject.checked({ __logicalName: "checkout_gate", idType: "companyID" });
  expect(inputs).toMatchObject({ key: "checkout_gate", name: "checkout_gate" });
});
