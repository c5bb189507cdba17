import { describe, expect, test } from "@jest/globals";
import type { Transport } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { expectChange, expectQuiet, live, refreshed, start, subject } from "../laws/harness";
import { adapters } from "../laws/subject";

// States that the program says, says no more, or never said: launched, switched off, running, archived.

const { gate, dynamicConfig, experiment } = catalog;
const groups = ["Control", "Test"].map((name) => ({ name, size: 50, parameterValues: {} }));

describe.each(adapters)("%s", (adapter) => {
  test.each<[string, ResourceDefinition, JsonObject, JsonObject, string]>([
    ["a launched gate", gate, {}, { status: "Launched" }, "In Progress"],
    ["a gate that was off", gate, {}, { isEnabled: false }, "In Progress"],
    ["a config that was off", dynamicConfig, {}, { isEnabled: false }, "Enabled"],
    ["an experiment that ran", experiment, { groups, allowReset: true }, { status: "active" }, "setup"],
  ])("%s, destroyed and declared again, begins as a new one does", async (_, kind, more, state, begins) => {
    await start(kind, { adapter });
    const args = { key: "again", ...more };
    const made = await subject.up({ ...args, ...state });
    subject.nextRun();
    await subject.destroy(made);
    subject.nextRun();
    const again = await subject.up(args);
    expect(again.outputs.status).toBe(begins);
    expect((await refreshed(again)).outputs.status).toBe(begins);
    subject.nextRun();
    await expectQuiet(again, args);
  });

  test.each<["gate" | "dynamicConfig", "launch" | "disable", string]>([
    ["gate", "launch", "Launched"],
    ["gate", "disable", "Disabled"],
    ["dynamicConfig", "disable", "Disabled"],
  ])(
    "a %s after a %s by hand, of whose state the program says nothing, is %s to a refresh and an update",
    async (kind, byHand, state) => {
      await start(catalog[kind], { adapter });
      const made = await subject.up({ key: "silent" });
      await (subject.raw[kind] as typeof subject.raw.gate)[byHand]({ id: "silent" });
      subject.nextRun();
      const seen = await refreshed(made);
      expect(seen.outputs.status).toBe(state);
      await expectQuiet(seen, { key: "silent" });
      const updated = await subject.update(seen, { key: "silent", description: "New" });
      expect(updated.outputs).toMatchObject({ status: state, description: "New" });
    },
  );

  test("a state that the program says is brought back", async () => {
    await start(gate, { adapter });
    const args = { key: "held", status: "In Progress" };
    const made = await subject.up(args);
    await subject.raw.gate.launch({ id: "held" });
    subject.nextRun();
    const seen = await refreshed(made);
    await expectChange(seen, args);
    await subject.update(seen, args);
    expect(await live("held")).toMatchObject({ status: "In Progress" });
  });
});

const withReason = Object.values(catalog as Record<string, ResourceDefinition>).filter(
  ({ lifecycle }) => lifecycle.archived !== undefined && lifecycle.delete.archive?.takesReason === true,
);

test("three kinds are archived for a reason and come back", () => {
  expect(withReason.map(({ name }) => name).sort()).toEqual(["dynamicConfig", "experiment", "gate"]);
});

test.each(withReason.map((kind) => [kind.title, kind] as const))(
  "a %s whose program says that it is archived says whose program that is",
  async (_, definition) => {
    const reasons: unknown[] = [];
    const through = ({ send }: Transport): Transport => ({
      send(request) {
        if (request.url.endsWith("/archive")) reasons.push(JSON.parse(request.body ?? "{}").archiveReason);
        return send(request);
      },
    });
    await start(definition, { through });
    const { field = "", is } = definition.lifecycle.archived ?? {};
    const archived = { ...definition.samples.smallest, [field]: is };
    await subject.up(archived);
    await subject.up({ ...archived, key: "second", name: "second", archiveReason: "Replaced" });
    expect(reasons).toEqual(["Kept archived by the Pulumi stack test/dev.", "Replaced"]);
  },
);
