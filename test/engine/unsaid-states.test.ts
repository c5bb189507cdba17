import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { adapters, type Resource, type Subject, startSubject } from "../laws/subject";

// States that the program says, says no more, or never said: launched, switched off, running.

let subject: Subject;
afterEach(() => subject.close());

const groups = ["Control", "Test"].map((name) => ({ name, size: 50, parameterValues: {} }));

describe.each(adapters)("%s", (adapter) => {
  const start = async (definition: ResourceDefinition) => {
    subject = await startSubject(definition, { adapter });
  };
  const refreshed = async (resource: Resource) => (await subject.refresh(resource)) as Resource;

  test.each<[string, ResourceDefinition, JsonObject, JsonObject, string]>([
    ["a launched gate", catalog.gate, { key: "again" }, { status: "Launched" }, "In Progress"],
    ["a gate that was off", catalog.gate, { key: "again" }, { isEnabled: false }, "In Progress"],
    ["a config that was off", catalog.dynamicConfig, { key: "again" }, { isEnabled: false }, "Enabled"],
    [
      "an experiment that ran",
      catalog.experiment,
      { key: "again", groups, allowReset: true },
      { status: "active" },
      "setup",
    ],
  ])(
    "%s, destroyed and declared again, begins as a new one does",
    async (_, definition, args, state, begins) => {
      await start(definition);
      const made = await subject.up({ ...args, ...state });
      subject.nextRun();
      await subject.destroy(made);
      subject.nextRun();
      const again = await subject.up(args);
      expect(again.outputs.status).toBe(begins);
      expect((await refreshed(again)).outputs.status).toBe(begins);
      subject.nextRun();
      expect((await subject.diff(again, args)).quiet).toBe(true);
    },
  );

  test.each<[string, ResourceDefinition, () => Promise<unknown>, string]>([
    ["a gate launched", catalog.gate, () => subject.raw.gate.launch({ id: "silent" }), "Launched"],
    ["a gate switched off", catalog.gate, () => subject.raw.gate.disable({ id: "silent" }), "Disabled"],
    [
      "a config switched off",
      catalog.dynamicConfig,
      () => subject.raw.dynamicConfig.disable({ id: "silent" }),
      "Disabled",
    ],
  ])(
    "%s by hand, of whose state the program says nothing, is seen by a refresh and left by an update",
    async (_, definition, byHand, state) => {
      await start(definition);
      const args = { key: "silent" };
      const made = await subject.up(args);
      await byHand();
      subject.nextRun();
      const seen = await refreshed(made);
      expect(seen.outputs.status).toBe(state);
      subject.emulator.clearRequests();
      expect((await subject.diff(seen, args)).quiet).toBe(true);
      const updated = await subject.update(seen, { ...args, description: "New" });
      expect(updated.outputs).toMatchObject({ status: state, description: "New" });
    },
  );

  test("a state that the program says is brought back", async () => {
    await start(catalog.gate);
    const args = { key: "held", status: "In Progress" };
    const made = await subject.up(args);
    await subject.raw.gate.launch({ id: "held" });
    subject.nextRun();
    const seen = await refreshed(made);
    expect((await subject.diff(seen, args)).quiet).toBe(false);
    await subject.update(seen, args);
    expect(await subject.raw.gate.get({ id: "held" })).toMatchObject({ status: "In Progress" });
  });
});
