import { beforeEach, describe, expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../src/emulator";
import { catalog } from "../../src/provider/definitions";
import {
  edit,
  expectChange,
  expectQuiet,
  live,
  refreshed,
  start,
  staysQuiet,
  subject,
  updated,
} from "../laws/harness";

type Behaviour = NonNullable<EmulatorOptions["behaviour"]>;

const gates = ["gate_a", "gate_b", "gate_c", "held_gate", "other_gate"].map((name) => ({ name }));
const seed = { gates, layers: [{ name: "layer_a", idType: "userID" }] };
const begin = (behaviour: Behaviour = {}) => start(catalog.holdout, { behaviour, seed });
const gatesAre = async (id: string, ...ids: string[]) => expect((await live(id)).gateIDs).toEqual(ids);

describe("a global holdout", () => {
  const name = "global";
  const global = (...gateIDs: string[]) => ({ name, isGlobal: true, gateIDs });
  beforeEach(() => begin());
  const newGate = () => subject.raw.gate.create({ body: { name: "later_gate" } });

  test("gates that join it by themselves are no drift, and no write takes them out", async () => {
    const made = await subject.up(global("held_gate", "other_gate"));
    await newGate();
    const seen = await refreshed(made);
    expect(seen.inputs.gateIDs).toEqual(["held_gate", "other_gate"]);
    await expectQuiet(seen, global("held_gate", "other_gate"));
    const less = await subject.update(seen, global("held_gate"));
    await gatesAre(name, "held_gate", "later_gate");
    expect(less.outputs.gateIDs).toEqual(["held_gate"]);
    await expectQuiet(less, global("held_gate"));
  });

  test("a gate that was taken out elsewhere is drift of it, too", async () => {
    const args = global("held_gate", "other_gate");
    const made = await subject.up(args);
    await newGate();
    await edit(name, { gateIDs: ["other_gate", "later_gate"] });
    const seen = await refreshed(made);
    expect(seen.inputs.gateIDs).toEqual(["other_gate"]);
    await subject.update(seen, args);
    await gatesAre(name, "held_gate", "other_gate", "later_gate");
  });

  test("[R3] a gate that joined it by itself stays when other members change, and goes when it is no longer global", async () => {
    const made = await subject.up(global("held_gate"));
    await newGate();
    const changed = await updated(made, { ...global("held_gate"), layerIDs: ["layer_a"] });
    expect(await live(name)).toMatchObject({ gateIDs: ["held_gate", "later_gate"], layerIDs: ["layer_a"] });
    await subject.update(changed, { ...global("held_gate"), isGlobal: false });
    await gatesAre(name, "held_gate");
  });

  test("a program that is silent about its gates sees all of them", async () => {
    const args = { name, isGlobal: true };
    const made = await subject.up(args);
    await newGate();
    const seen = await refreshed(made);
    expect([seen.inputs.gateIDs, seen.outputs.gateIDs]).toEqual([undefined, ["later_gate"]]);
    await expectQuiet(seen, args);
  });

  test("a member that is not there is refused with its id, and the holdout is kept", async () => {
    await expect(subject.up({ name, gateIDs: ["held_gate", "no_such_gate"] })).rejects.toThrow(
      /The following Gate IDs could not be found: \[no_such_gate\]/,
    );
    await gatesAre(name);
  });
});

describe.each<Behaviour>([
  {},
  { holdoutGateIds: "internal" },
  { holdoutGateIds: "internal", emptyMembers: "text" },
  { holdoutGateIds: "internal", emptyMembers: "null" },
])("a holdout's targeting gate, read under %j", (behaviour) => {
  const name = "hold";
  const withGate = { name, targetingGateID: "gate_a" };
  beforeEach(() => begin(behaviour));
  const expectOne = async () => expect((await live(name)).targetingGateID).toMatch(/./);

  test("[R1] is compared by whether there is one; another one is written, and one that was taken away by hand is drift", async () => {
    const made = await staysQuiet(await subject.up(withGate), withGate);
    expect(made.outputs.targetingGateID).toBe("gate_a");
    await edit(name, { targetingGateID: "" });
    const seen = await refreshed(made);
    await expectChange(seen, withGate);
    const put = await updated(seen, withGate);
    await expectOne();
    const other = { name, targetingGateID: "gate_b" };
    await expectChange(put, other);
    expect((await updated(put, other)).outputs.targetingGateID).toBe("gate_b");
  });

  test.each([
    ["left out", {}],
    ["null", { targetingGateID: null }],
    ['""', { targetingGateID: "" }],
  ])('[R2] %s, it is cleared, which "" does and null does not', async (_, rest) => {
    await updated(await subject.up(withGate), { name, ...rest });
    expect((await live(name)).targetingGateID || null).toBe(null);
    await edit(name, { targetingGateID: "gate_a" });
    await edit(name, { targetingGateID: null });
    await expectOne();
  });
});

test.each(["replace", "append"] as const)(
  "[R3] members of a holdout change as a set, where a partial update would %s them, and its gate stays",
  async (holdoutMembers) => {
    await begin({ holdoutMembers, holdoutGateIds: "internal" });
    const args = { name: "hold", targetingGateID: "gate_c", passPercentage: 2 };
    const whole = { ...args, gateIDs: ["gate_a", "gate_b"] };
    const made = await staysQuiet(await subject.up(whole), whole);
    // What the program does not say is carried along.
    const byHand = { description: "by hand", isEnabled: false };
    await edit("hold", byHand);
    const seen = await refreshed(made);
    subject.emulator.clearRequests();
    const after = await updated(seen, { ...args, gateIDs: ["gate_b", "gate_b"] });
    expect(subject.writes().map(({ method }) => method)).toEqual(["POST"]);
    expect(after.outputs).toMatchObject({ ...byHand, targetingGateID: "gate_c" });
    const { gateIDs, targetingGateID } = await live("hold");
    expect(new Set(gateIDs as string[])).toEqual(new Set(["gate_b"]));
    expect(targetingGateID).toMatch(/./);
  },
);

test("[R3] ids that a read repeats are a set", async () => {
  await begin({ holdoutMembers: "append" });
  const args = { name: "hold", gateIDs: ["gate_a", "gate_b"] };
  const made = await subject.up(args);
  await edit("hold", { gateIDs: ["gate_a"] });
  await gatesAre("hold", "gate_a", "gate_b", "gate_a");
  await staysQuiet(await refreshed(made), args);
});
