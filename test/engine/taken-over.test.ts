import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { ConsoleError } from "../../src/provider/schema/errors";
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

describe("a gate that two resources adopt", () => {
  // Two resources that adopted one object at the same time both got it: neither had it when the other looked.
  beforeEach(async () => {
    subject = await startSubject(catalog.gate);
    await subject.raw.gate.create({ body: { id: "flag_one", name: "flag_one", description: "Live" } });
  });

  const adopting = (description: string) => ({
    __program: { name: description },
    key: "flag_one",
    description,
    adopt: true,
  });
  const refusal =
    /gate \\?"flag_one\\?" is named by the resources \\?"First\\?" and \\?"Second\\?" of this program/;

  test("an object that was taken over is not taken over by a second resource, one after the other", async () => {
    await subject.up(adopting("First"));
    await expect(subject.up(adopting("Second"))).rejects.toThrow(refusal);
    expect(await subject.raw.gate.get({ id: "flag_one" })).toMatchObject({ description: "First" });
  });

  test("nor at the same time", async () => {
    const results = await Promise.allSettled([subject.up(adopting("First")), subject.up(adopting("Second"))]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const refused = results.find((result) => result.status === "rejected");
    expect(String(refused?.reason)).toMatch(refusal);
  });

  test("a take-over that failed leaves the object to the next attempt", async () => {
    subject.emulator.addFaults([{ method: "PATCH", status: 403, times: 1 }]);
    await expect(subject.up(adopting("First"))).rejects.toThrow(/403/);
    expect((await subject.up(adopting("First"))).outputs).toMatchObject({ description: "First" });
  });
});

describe("a target app, which has no key", () => {
  beforeEach(async () => {
    subject = await startSubject(catalog.targetApp);
  });
  const app = { name: "shop", description: "Shop" };
  const taken = /target app "shop" is what the resource "(first|second)" of this program/;

  test("a create that takes over by name does not get what state says another resource has, whichever comes first", async () => {
    const first = await subject.up({ ...app, __program: { name: "first" } });
    const renamed = { ...app, name: "store", __program: { name: "first" } };
    const second = { ...app, adopt: true, __program: { name: "second" } };
    subject.nextRun();
    expect(await subject.problems(second)).toEqual([]);
    expect(await subject.problems(renamed, first.inputs)).toMatchObject([
      { reason: expect.stringMatching(taken) },
    ]);
    subject.nextRun();
    expect(await subject.problems(renamed, first.inputs)).toEqual([]);
    expect(await subject.problems(second)).toMatchObject([{ reason: expect.stringMatching(taken) }]);
    subject.nextRun();
    expect(await subject.problems({ ...app, __program: { name: "second" } })).toEqual([]);
    expect(await subject.problems(renamed, first.inputs)).toEqual([]);
  });

  test("what another stack of the folder made is not the fruit of a create that never arrived", async () => {
    subject.emulator.addFaults([{ method: "POST", path: "/target_app", times: 9, reset: "before" }]);
    await expect(subject.up(app)).rejects.toThrow(ConsoleError);
    subject.emulator.clearFaults();
    subject.nextRun("prod");
    const { id } = await subject.up(app);
    subject.nextRun();
    await expect(subject.up(app)).rejects.toThrow(
      `target app "${id}" exists already: another stack created it or took it over, as the journal shows.`,
    );
    await expect(subject.up({ ...app, adopt: true })).resolves.toMatchObject({ id });
  });
});

test("of two resources of one name that are made at the same time, one is refused", async () => {
  subject = await startSubject(catalog.tag);
  // Which resource they are of, nobody tells.
  const create = async () =>
    subject
      .calls()
      .create(await subject.checked({ ...catalog.tag.samples.fullest, __program: { urn: undefined } }));
  const both = await Promise.all([1, 2].map(() => create().then(String, (error: unknown) => error)));
  const [refused, ...more] = both.filter((one) => one instanceof Error);
  expect(more).toEqual([]);
  expect(refused?.message).toMatch(/belongs to another resource of this program/);
});
