import { describe, expect, test } from "@jest/globals";
import type { Transport } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { deskOf } from "../emulator/desk";
import { emptyTeam } from "../laws/furniture";
import {
  expectChange,
  expectQuiet,
  listOf,
  live,
  refreshed,
  rule,
  start,
  staysQuiet,
  subject,
  updated,
} from "../laws/harness";
import { adapters } from "../laws/subject";
import { samplesOf } from "../samples";

const key = "gate";
const environmentsAre = async (...expected: unknown[]) =>
  expect((await listOf(key)).map(({ environments }) => environments)).toEqual(expected);

/** In the console, somebody limits the first rule to an environment. */
async function limitByHand(): Promise<void> {
  const [first] = await listOf(key);
  const body = { environments: ["staging"] };
  await subject.raw.gate.patchRule({ id: key, ruleID: String(first?.id), body });
}

test.each<[string, JsonObject[]]>([
  ["that rule changes", [rule("a", 20), rule("b", 50)]],
  ["every rule changes", [rule("a", 20), rule("b", 60)]],
  ["another goes", [rule("a", 20)]],
  ["one is put before it", [rule("new", 5), rule("a", 10), rule("b", 50)]],
])("[N1] environments that a program does not say stay when %s", async (_, rules) => {
  await start(catalog.gate);
  const args = { key, rules: [rule("a", 10), rule("b", 50)] };
  const made = await subject.up(args);
  await limitByHand();
  await updated(await staysQuiet(made, args), { key, rules });
  await environmentsAre(...rules.map(({ name }) => (name === "a" ? ["staging"] : null)));
});

test("[N1] environments that a program says are drift, and put back; those that it says no more are cleared", async () => {
  await start(catalog.gate);
  const args = { key, rules: [rule("a", 10, { environments: ["production"] })] };
  const made = await subject.up(args);
  await limitByHand();
  const seen = await refreshed(made);
  await expectChange(seen, args);
  const put = await updated(seen, args);
  await environmentsAre(["production"]);
  const silent = { key, rules: [rule("a", 10)] };
  await expectChange(put, silent);
  await updated(put, silent);
  await environmentsAre(null);
});

test("[N1] a value said in one form takes the place of the other form", async () => {
  await start(catalog.dynamicConfig);
  const args = (value: JsonObject) => ({ key, rules: [rule("a", 10, value)] });
  const made = await subject.up(args({ returnValueJson5: "{ a: 1 }" }));
  const text = "{ a: 2 /* two */ }";
  const changed = await updated(made, args({ returnValueJson5: text }));
  expect(await listOf(key)).toMatchObject([{ returnValue: { a: 2 }, returnValueJson5: text }]);
  await updated(changed, args({ returnValue: { a: 3 } }));
});

test.each([catalog.gate, catalog.experiment])(
  "[D1] [D2] what the project and the team fill in is no drift of a $title, and stays",
  async (definition) => {
    const metric = { name: "purchases", type: "sum" };
    await start(definition);
    const api = deskOf(subject.emulator);
    await api.must("POST", "/settings/project", {
      ...{ name: "Shop", visibility: "OPEN", default_unit_type: "companyID" },
    });
    await api.must("POST", "/holdouts", { name: "held" });
    await api.must("POST", "/users/teams", {
      ...{ ...emptyTeam, name: "growth", defaultGateMetrics: [metric], defaultTargetApplications: ["web"] },
      ...{ defaultExperimentPrimaryMetrics: [metric], defaultHoldoutID: "held" },
    });
    const args = { key: "one", team: "growth" };
    const filled = { idType: "companyID", targetApps: ["web"] };
    const made = await subject.up(args);
    expect(made.outputs).toMatchObject(filled);
    const held = { ...filled, holdoutIDs: ["held"] };
    expect(await live("one")).toMatchObject(held);
    await staysQuiet(made, args);
    const changed = await updated(made, { ...args, description: "new" });
    expect(changed.outputs).toMatchObject(filled);
    expect(await live("one")).toMatchObject(held);
  },
);

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
    const archived = { ...samplesOf(definition).smallest, [field]: is };
    await subject.up(archived);
    await subject.up({ ...archived, key: "second", name: "second", archiveReason: "Replaced" });
    expect(reasons).toEqual(["Kept archived by the Pulumi stack test/dev.", "Replaced"]);
  },
);
