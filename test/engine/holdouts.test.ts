import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../src/emulator";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { mustStayQuiet } from "../laws/quiet";
import { type Resource, type Subject, startSubject } from "../laws/subject";

let subject: Subject;
const gates = ["gate_a", "gate_b", "gate_c", "held_gate", "other_gate"].map((name) => ({ name }));
const layers = [{ name: "layer_a", idType: "userID" }];
const start = async (behaviour: EmulatorOptions["behaviour"] = {}) => {
  subject = await startSubject(catalog.holdout, { behaviour, seed: { gates, layers } });
};
afterEach(() => subject.close());

const staysQuiet = (made: Resource, args: JsonObject) => mustStayQuiet(subject, made, args);

const idsOf = async (id: string): Promise<unknown> => (await subject.raw.holdout.get({ id })).gateIDs;
const newGate = (name: string) => subject.raw.gate.create({ body: { name } });

describe("a holdout", () => {
  beforeEach(() => start());

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

  test("[R3] a gate that joined a global holdout by itself stays when other members change", async () => {
    const args = { name: "hold", isGlobal: true, gateIDs: ["gate_a"] };
    const made = await subject.up(args);
    await subject.raw.gate.create({ body: { name: "joined" } });
    const changed = { ...args, layerIDs: ["layer_a"] };
    await staysQuiet(await subject.update(made, changed), changed);
    expect(await subject.raw.holdout.get({ id: "hold" })).toMatchObject({
      gateIDs: ["gate_a", "joined"],
      layerIDs: ["layer_a"],
    });
  });
});

describe.each<NonNullable<EmulatorOptions["behaviour"]>>([
  {},
  { holdoutGateIds: "internal" },
  { holdoutGateIds: "internal", emptyMembers: "text" },
  { holdoutGateIds: "internal", emptyMembers: "null" },
])("a holdout's targeting gate, read under %j", (behaviour) => {
  const withGate = { name: "hold", targetingGateID: "gate_a" };
  beforeEach(() => start(behaviour));
  const asked = async () =>
    (await subject.raw.gate.get({ id: "gate_a" })) && (await subject.raw.holdout.get({ id: "hold" }));

  test("[R1] is compared by whether there is one; another one is written", async () => {
    const made = await staysQuiet(await subject.up(withGate), withGate);
    expect(made.outputs.targetingGateID).toBe("gate_a");
    const other = { ...withGate, targetingGateID: "gate_b" };
    expect((await subject.diff(made, other)).quiet).toBe(false);
    const changed = await staysQuiet(await subject.update(made, other), other);
    expect(changed.outputs.targetingGateID).toBe("gate_b");
  });

  test("[R1] one that was taken away by hand is drift, and put back", async () => {
    const made = await subject.up(withGate);
    await subject.raw.holdout.patch({ id: "hold", body: { targetingGateID: "" } });
    const refreshed = (await subject.refresh(made)) ?? made;
    expect((await subject.diff(refreshed, withGate)).quiet).toBe(false);
    await staysQuiet(await subject.update(refreshed, withGate), withGate);
    expect((await asked())?.targetingGateID).toMatch(/./);
  });

  test.each([
    ["left out", {}],
    ["null", { targetingGateID: null }],
    ['""', { targetingGateID: "" }],
  ])('[R2] %s, it is cleared, which "" does and null does not', async (_, rest) => {
    const made = await subject.up(withGate);
    const without = { name: "hold", ...rest };
    await staysQuiet(await subject.update(made, without), without);
    expect((await asked())?.targetingGateID || null).toBe(null);
    await subject.raw.holdout.patch({ id: "hold", body: { targetingGateID: "gate_a" } });
    await subject.raw.holdout.patch({ id: "hold", body: { targetingGateID: null } });
    expect((await asked())?.targetingGateID).toMatch(/./);
  });
});

test.each(["replace", "append"] as const)(
  "[R3] members of a holdout change as a set, where a partial update would %s them, and its gate stays",
  async (holdoutMembers) => {
    await start({ holdoutMembers, holdoutGateIds: "internal" });
    const args = {
      name: "hold",
      gateIDs: ["gate_a", "gate_b"],
      targetingGateID: "gate_c",
      passPercentage: 2,
    };
    const made = await staysQuiet(await subject.up(args), args);
    // What the program does not say is carried along.
    await subject.raw.holdout.patch({ id: "hold", body: { description: "by hand", isEnabled: false } });
    const refreshed = (await subject.refresh(made)) ?? made;
    subject.emulator.clearRequests();
    const fewer = { ...args, gateIDs: ["gate_b", "gate_b"] };
    const after = await staysQuiet(await subject.update(refreshed, fewer), fewer);
    expect(subject.writes().map(({ method }) => method)).toEqual(["POST"]);
    expect(after.outputs).toMatchObject({
      description: "by hand",
      isEnabled: false,
      targetingGateID: "gate_c",
    });
    const live = await subject.raw.holdout.get({ id: "hold" });
    expect(new Set(live.gateIDs as string[])).toEqual(new Set(["gate_b"]));
    expect(live.targetingGateID).toMatch(/./);
  },
);

test("[R3] ids that a read repeats are a set", async () => {
  await start({ holdoutMembers: "append" });
  const args = { name: "hold", gateIDs: ["gate_a", "gate_b"] };
  const made = await subject.up(args);
  await subject.raw.holdout.patch({ id: "hold", body: { gateIDs: ["gate_a"] } });
  expect((await subject.raw.holdout.get({ id: "hold" })).gateIDs).toEqual(["gate_a", "gate_b", "gate_a"]);
  await staysQuiet((await subject.refresh(made)) ?? made, args);
});
