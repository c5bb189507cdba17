import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { type Subject, startSubject } from "../laws/subject";

// Two resources that adopt one object at the same time both got it: neither had it when the other looked.

let subject: Subject;
beforeEach(async () => {
  subject = await startSubject(catalog.gate);
  await subject.raw.gate.create({ body: { id: "flag_one", name: "flag_one", description: "Live" } });
});
afterEach(() => subject.close());

const args = (description: string) => ({
  __program: { name: description },
  key: "flag_one",
  description,
  adopt: true,
});
const refusal =
  /gate \\?"flag_one\\?" is named by the resources \\?"First\\?" and \\?"Second\\?" of this program/;

test("an object that was taken over is not taken over by a second resource, one after the other", async () => {
  await subject.up(args("First"));
  await expect(subject.up(args("Second"))).rejects.toThrow(refusal);
  expect(await subject.raw.gate.get({ id: "flag_one" })).toMatchObject({ description: "First" });
});

test("nor at the same time", async () => {
  const results = await Promise.allSettled([subject.up(args("First")), subject.up(args("Second"))]);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const refused = results.find((result) => result.status === "rejected");
  expect(String(refused?.reason)).toMatch(refusal);
});

test("a take-over that failed leaves the object to the next attempt", async () => {
  subject.emulator.addFaults([{ method: "PATCH", status: 403, times: 1 }]);
  await expect(subject.up(args("First"))).rejects.toThrow(/403/);
  expect((await subject.up(args("First"))).outputs).toMatchObject({ description: "First" });
});
