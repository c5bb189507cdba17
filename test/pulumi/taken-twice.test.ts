import { afterEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { type Subject, startSubject } from "../laws/subject";

let subject: Subject;
afterEach(() => subject.close());

const named = (name: string, args: object) => ({ ...args, __program: { name, preview: true } });

test("a preview refuses a second resource that takes over the same alert", async () => {
  subject = await startSubject(catalog.alert);
  const { id } = await subject.raw.alert.create({ body: { name: "Few orders" } });
  expect(await subject.problems(named("one", { name: "Few orders", __adopt: id }))).toEqual([]);
  const [problem] = await subject.problems(named("two", { name: "Many orders", __adopt: id }));
  expect(problem?.reason).toBe(
    `alert "${id}" is taken over by the resource "one" of this program already. Give one of the two another object, or remove it.`,
  );
});

test("a preview refuses a resource that takes over the alert that another one has in state and goes on with", async () => {
  subject = await startSubject(catalog.alert);
  const first = await subject.up({ __program: { name: "first" }, name: "Few orders" });
  subject.nextRun();
  expect(await subject.problems(named("second", { name: "Few orders", __adopt: first.id }))).toEqual([]);
  await expect(subject.diff(first, named("first", { name: "Many orders" }))).rejects.toThrow(
    `alert "${first.id}" is taken over by the resource "second" of this program already.`,
  );
});
