import { afterEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { kinds, type Subject, startSubject } from "../laws/subject";

let subject: Subject;
afterEach(() => subject.close());

const args = { key: "flag_one", name: "Flag one" };

test("a lost answer is no reason to take a person's gate", async () => {
  subject = await startSubject(catalog.gate);
  const body = { id: "flag_one", name: "Flag one", creatorEmail: "ann@example.com" };
  await subject.raw.gate.create({ body });
  subject.emulator.addFaults([{ method: "POST", path: "/gates", times: 1, reset: "before" }]);
  await expect(subject.up(args)).rejects.toThrow("exists already");
});

test("a gate that another resource holds is not taken by a second one of a later run", async () => {
  subject = await startSubject(catalog.gate);
  const first = await subject.up(args);
  subject.nextRun();
  expect((await subject.diff(first, args)).quiet).toBe(true);
  await expect(subject.up({ ...args, __program: { name: "second" } })).rejects.toThrow(
    'gate \\"flag_one\\" is named by the resources',
  );
});

test("a gate that another stack has just made is not taken, however equal it is and however lately it came", async () => {
  subject = await startSubject(catalog.gate);
  await subject.up(args);
  subject.nextRun("prod");
  await expect(subject.up(args)).rejects.toThrow("exists already");
  // Nor by the next attempt: the refusal is no trace of a create.
  subject.nextRun("prod");
  await expect(subject.up(args)).rejects.toThrow("exists already");
});

const named = kinds.filter(
  ([, { identity, lifecycle }]) =>
    lifecycle.create.how === "send" && lifecycle.create.fills !== true && identity.how !== "server",
);
test.each(named)("nor at the same time: %s", async (_, definition) => {
  subject = await startSubject(definition);
  const first = subject.up(definition.samples.smallest);
  subject.nextRun("prod");
  const second = subject.up(definition.samples.smallest);
  const ended = await Promise.allSettled([first, second]);
  expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

const unnamed = kinds.filter(
  ([, { identity, lifecycle }]) => lifecycle.create.how === "send" && identity.how === "server",
);
test.each(unnamed)(
  "of two stacks that make an equal %s at the same time, each keeps its own",
  async (_, definition) => {
    subject = await startSubject(definition);
    const first = subject.up(definition.samples.smallest);
    subject.nextRun("prod");
    const ended = await Promise.allSettled([first, subject.up(definition.samples.smallest)]);
    const made = ended.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
    // Some have names that are given once, although nothing is called by them.
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ id }) => id)).size).toBe(made.length);
    for (const one of made) expect(await subject.refresh(one)).toBeDefined();
  },
);

test("a gate that a person made in the place of ours is not taken, once a refresh has shown that ours is gone", async () => {
  subject = await startSubject(catalog.gate);
  const made = await subject.up(args);
  await subject.raw.gate.delete({ id: "flag_one" });
  subject.nextRun();
  expect(await subject.refresh(made)).toBeUndefined();
  await subject.raw.gate.create({ body: { id: "flag_one", name: "Flag one" } });
  subject.nextRun();
  await expect(subject.up(args)).rejects.toThrow("exists already");
});
