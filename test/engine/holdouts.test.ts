import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { type Subject, startSubject } from "../laws/subject";

let subject: Subject;
beforeEach(async () => {
  subject = await startSubject(catalog.holdout);
});
afterEach(() => subject.close());

const idsOf = async (id: string): Promise<unknown> => (await subject.raw.holdout.get({ id })).gateIDs;
const newGate = (name: string) => subject.raw.gate.create({ body: { name } });

test("gates that join a global holdout by themselves are no drift, and no write takes them out", async () => {
  const args = { name: "global", isGlobal: true, gateIDs: ["held_gate", "other_gate"] };
  const made = await subject.up(args);
  await newGate("later_gate");
  const refreshed = await subject.refresh(made);
  expect(refreshed?.inputs.gateIDs).toEqual(["held_gate", "other_gate"]);
  expect(await subject.diff(refreshed ?? made, args)).toEqual({ quiet: true, replaces: [] });

  const less = { ...args, gateIDs: ["held_gate"] };
  const updated = await subject.update(refreshed ?? made, less);
  expect(await idsOf(made.id)).toEqual(["held_gate", "later_gate"]);
  expect(updated.outputs.gateIDs).toEqual(["held_gate"]);
  expect(await subject.diff(updated, less)).toEqual({ quiet: true, replaces: [] });
});

test("a gate that was taken out elsewhere is drift of a global holdout, too", async () => {
  const args = { name: "global", isGlobal: true, gateIDs: ["held_gate", "other_gate"] };
  const made = await subject.up(args);
  await newGate("later_gate");
  await subject.raw.holdout.patch({ id: made.id, body: { gateIDs: ["other_gate", "later_gate"] } });
  const refreshed = await subject.refresh(made);
  expect(refreshed?.inputs.gateIDs).toEqual(["other_gate"]);
  await subject.update(refreshed ?? made, args);
  expect(await idsOf(made.id)).toEqual(["held_gate", "other_gate", "later_gate"]);
});

test("no longer global, it holds what the program says and nothing else", async () => {
  const args = { name: "global", isGlobal: true, gateIDs: ["held_gate"] };
  const made = await subject.up(args);
  await newGate("later_gate");
  await subject.update(made, { ...args, isGlobal: false });
  expect(await idsOf(made.id)).toEqual(["held_gate"]);
});

test("a program that is silent about the gates of a global holdout sees all of them", async () => {
  const made = await subject.up({ name: "global", isGlobal: true });
  await newGate("later_gate");
  const refreshed = await subject.refresh(made);
  expect(refreshed?.inputs.gateIDs).toBeUndefined();
  expect(refreshed?.outputs.gateIDs).toEqual(["later_gate"]);
  expect((await subject.diff(refreshed ?? made, { name: "global", isGlobal: true })).quiet).toBe(true);
});

test("a member that is not there is refused with its id, and the holdout is kept", async () => {
  const args = { name: "holdout", gateIDs: ["held_gate", "no_such_gate"] };
  await expect(subject.up(args)).rejects.toThrow(
    /The following Gate IDs could not be found: \[no_such_gate\]/,
  );
  expect(await idsOf("holdout")).toEqual([]);
});
