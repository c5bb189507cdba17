import { beforeEach, describe, expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../src/emulator";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import {
  edit,
  expectChange,
  expectQuiet,
  listOf,
  live,
  refreshed,
  start,
  staysQuiet,
  subject,
  updated,
} from "../laws/harness";

const area = {
  ...{ name: "area", idType: "userID" },
  parameters: [{ name: "colour", type: "string", defaultValue: "blue" }],
};

describe("a layer under an archived experiment that the console does not let go", () => {
  beforeEach(async () => {
    await start(catalog.layer, { behaviour: { deleteLayerUnderArchived: "refuse" } });
  });
  /** The layer of a program, with an experiment that somebody archived. */
  const made = async () => {
    const resource = await subject.up(area);
    await subject.raw.experiment.create({ body: { name: "colours", layerID: "area" } });
    await subject.raw.experiment.archive({ id: "colours", body: {} });
    return resource;
  };

  test("stays whole, and the error tells what to do", async () => {
    const resource = await made();
    await expect(subject.destroy(resource)).rejects.toThrow(
      "Layer cannot be deleted with experiments still on it. Archived experiments may count too: delete them in the console, " +
        'or keep the layer: set onDelete: "retain", run "pulumi up", and do this again. To give it another name, set ' +
        'onImmutableChange: "replace" on each of its experiments, run "pulumi up", and rename it then: an experiment keeps its layer.',
    );
    expect(await live("area")).toMatchObject(area);
    subject.nextRun();
    await expectQuiet(await refreshed(resource), area);
    await subject.destroy(await subject.update(resource, { ...area, onDelete: "retain" }));
    expect(await live("area")).toMatchObject(area);
  });

  test("goes where the experiment is deleted", async () => {
    const resource = await made();
    await subject.raw.experiment.delete({ id: "colours" });
    await subject.destroy(resource);
    await expect(live("area")).rejects.toThrow("Layer not found.");
  });
});

test.each(["accept", "refuse"] as const)(
  "an experiment that was archived with its stack comes back into its layer: %s",
  async (deleteLayerUnderArchived) => {
    await start(catalog.experiment, { behaviour: { deleteLayerUnderArchived }, seed: { layers: [area] } });
    const groups = [{ name: "All", size: 100, parameterValues: { colour: "green" } }];
    const args = { key: "colours", layerID: "area", groups };
    await subject.destroy(await subject.up(args));
    const { layer } = subject.raw;
    const isGone = await layer.delete({ id: "area" }).then(
      () => true,
      () => false,
    );
    expect(isGone).toBe(deleteLayerUnderArchived === "accept");
    if (isGone) {
      await layer.create({ body: { name: area.name, idType: area.idType } });
      await layer.patch({ id: "area", body: { parameters: area.parameters } });
    }
    subject.nextRun();
    const back = await subject.up(args);
    expect(await live("colours")).toMatchObject({ status: "setup", layerID: "area", groups });
    await expectQuiet(back, args);
  },
);

describe("a layer's parameter whose default an experiment has shipped", () => {
  const parameter = (name: string, rest: JsonObject = {}) => ({ name, type: "string", ...rest });
  const of = (title: JsonObject, colour: string) => ({
    ...{ name: "area", idType: "userID" },
    parameters: [parameter("title", title), parameter("colour", { defaultValue: colour })],
  });
  const first = of({ defaultValue: "old" }, "red");
  const left = of({}, "red");
  const defaultsAre = async (...expected: string[]) =>
    expect((await listOf("area", "parameters")).map((one) => one.defaultValue)).toEqual(expected);

  async function ship(): Promise<void> {
    const { experiment } = subject.raw;
    const group = (name: string, title: string) => ({ name, size: 50, parameterValues: { title } });
    const groups = [group("Control", "old"), group("Test", "new")];
    const made = await experiment.create({ body: { name: "titles", layerID: "area", groups } });
    const test = String((made.groups as JsonObject[])[1]?.id);
    await experiment.start({ id: "titles", body: {} });
    await experiment.makeDecision({ id: "titles", body: { id: test, decisionReason: "better" } });
  }

  beforeEach(async () => {
    await start(catalog.layer);
  });

  test("[R5] is left to the console: the next up does not undo the release", async () => {
    const released = await subject.update(await subject.up(first), left);
    await defaultsAre("old", "red");
    await ship();
    await defaultsAre("new", "red");
    const seen = await staysQuiet(released, left);
    await updated(seen, of({}, "blue"));
    await defaultsAre("new", "blue");
  });

  test("[R5] is drift where the program says it, and a preview shows it; left to the console from when it says it no more", async () => {
    const made = await subject.up(first);
    await ship();
    const seen = await refreshed(made);
    await expectChange(seen, first);
    // What ignoreChanges makes of the arguments: those of last time at that path.
    await expectQuiet(seen, { ...first, parameters: seen.inputs.parameters });
    await updated(seen, left);
    await defaultsAre("new", "red");
  });

  test("[R5] of a new parameter a preview asks for the value that the console cannot know", () => {
    const told = subject.definition.warnings?.({}, left) ?? [];
    expect(told).toMatchObject([{ path: ["parameters", 0, "defaultValue"] }]);
  });
});

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
