import { afterEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { deskOf } from "../emulator/desk";
import { emptyTeam } from "../laws/furniture";
import { mustStayQuiet } from "../laws/quiet";
import { type Resource, type Subject, startSubject } from "../laws/subject";

let subject: Subject;
afterEach(() => subject.close());

const rule = (name: string, passPercentage: number, rest: JsonObject = {}) => ({
  ...{ name, passPercentage, conditions: [{ type: "public" }] },
  ...rest,
});

const staysQuiet = (made: Resource, args: JsonObject) => mustStayQuiet(subject, made, args);

const rulesOf = async () => (await subject.raw.gate.get({ id: "gate" })).rules as JsonObject[];
const environmentsOf = async () => (await rulesOf()).map(({ environments }) => environments);

/** A gate whose first rule somebody has limited to an environment in the console. */
async function limitedByHand(args: JsonObject): Promise<Resource> {
  subject = await startSubject(catalog.gate);
  const made = await subject.up(args);
  const [first] = await rulesOf();
  await subject.raw.gate.patchRule({
    id: "gate",
    ruleID: String(first?.id),
    body: { environments: ["staging"] },
  });
  return staysQuiet(made, args);
}

test.each<[string, JsonObject[]]>([
  ["that rule changes", [rule("a", 20), rule("b", 50)]],
  ["every rule changes", [rule("a", 20), rule("b", 60)]],
  ["another goes", [rule("a", 20)]],
  ["one is put before it", [rule("new", 5), rule("a", 10), rule("b", 50)]],
])("[N1] environments that a program does not say stay when %s", async (_, rules) => {
  const args = { key: "gate", rules: [rule("a", 10), rule("b", 50)] };
  const made = await limitedByHand(args);
  const changed = { ...args, rules };
  await staysQuiet(await subject.update(made, changed), changed);
  const at = rules.findIndex(({ name }) => name === "a");
  const expected = rules.map((_rule, index) => (index === at ? ["staging"] : null));
  expect(await environmentsOf()).toEqual(expected);
});

test("[N1] environments that a program said and says no more are cleared", async () => {
  subject = await startSubject(catalog.gate);
  const args = { key: "gate", rules: [rule("a", 10, { environments: ["staging"] })] };
  const made = await subject.up(args);
  const silent = { key: "gate", rules: [rule("a", 10)] };
  expect((await subject.diff(made, silent)).quiet).toBe(false);
  await staysQuiet(await subject.update(made, silent), silent);
  expect(await environmentsOf()).toEqual([null]);
});

test("[N1] environments that a program says are drift, and put back", async () => {
  subject = await startSubject(catalog.gate);
  const args = { key: "gate", rules: [rule("a", 10, { environments: ["production"] })] };
  const made = await subject.up(args);
  const [first] = await rulesOf();
  await subject.raw.gate.patchRule({
    id: "gate",
    ruleID: String(first?.id),
    body: { environments: ["staging"] },
  });
  const refreshed = (await subject.refresh(made)) ?? made;
  expect((await subject.diff(refreshed, args)).quiet).toBe(false);
  await staysQuiet(await subject.update(refreshed, args), args);
  expect(await environmentsOf()).toEqual([["production"]]);
});

test("[N1] an object that is taken over keeps what the program does not say", async () => {
  subject = await startSubject(catalog.gate, {
    seed: { gates: [{ id: "gate", name: "gate", rules: [rule("a", 10, { environments: ["staging"] })] }] },
  });
  const args = { key: "gate", rules: [rule("a", 20)], adopt: true };
  await staysQuiet(await subject.up(args), args);
  expect(await environmentsOf()).toEqual([["staging"]]);
});

test("[N1] a value said in one form takes the place of the other form", async () => {
  subject = await startSubject(catalog.dynamicConfig);
  const args = (returnValueJson5: string) => ({
    key: "config",
    rules: [rule("a", 10, { returnValueJson5 })],
  });
  const made = await subject.up(args("{ a: 1 }"));
  const changed = args("{ a: 2 /* two */ }");
  await staysQuiet(await subject.update(made, changed), changed);
  expect((await subject.raw.dynamicConfig.get({ id: "config" })).rules).toMatchObject([
    { returnValue: { a: 2 }, returnValueJson5: "{ a: 2 /* two */ }" },
  ]);
  const plain = { key: "config", rules: [rule("a", 10, { returnValue: { a: 3 } })] };
  const last = await subject.update(await subject.update(made, changed), plain);
  await staysQuiet(last, plain);
});

test("[N1] what people say of a group, a metric and an environment stays", async () => {
  const group = (name: string, size: number, rest: JsonObject = {}) => ({
    name,
    size,
    parameterValues: {},
    ...rest,
  });
  const metric = (rest: JsonObject = {}) => ({ name: "revenue", type: "sum", ...rest });
  subject = await startSubject(catalog.experiment);
  const args = {
    key: "experiment",
    groups: [group("Control", 50), group("Test", 50)],
    primaryMetrics: [metric()],
  };
  const made = await subject.up(args);
  const live = async () => subject.raw.experiment.get({ id: "experiment" });
  const groups = (await live()).groups as JsonObject[];
  await subject.raw.experiment.patch({
    id: "experiment",
    body: {
      groups: groups.map((one) => ({ ...one, description: "by hand", foreignGroupID: "f" })),
      primaryMetrics: [metric({ direction: "decrease", hypothesizedValue: 5 })],
    },
  });
  const refreshed = await staysQuiet(made, args);
  const changed = {
    ...args,
    groups: [group("Control", 40), group("Test", 60)],
    primaryMetrics: [metric(), { name: "visits", type: "sum" }],
  };
  await staysQuiet(await subject.update(refreshed, changed), changed);
  expect(await live()).toMatchObject({
    groups: [
      { size: 40, description: "by hand", foreignGroupID: "f" },
      { size: 60, description: "by hand" },
    ],
    primaryMetrics: expect.arrayContaining([metric({ direction: "decrease", hypothesizedValue: 5 })]),
  });
});

test.each([
  [catalog.gate, { key: "one" }],
  [catalog.experiment, { key: "one" }],
] as const)(
  "[D1] [D2] what the project and the team fill in is no drift of %s, and stays",
  async (definition, base) => {
    const metric = { name: "purchases", type: "sum" };
    subject = await startSubject(definition);
    const desk = deskOf(subject.emulator);
    await desk.must("POST", "/settings/project", {
      ...{ name: "Shop", visibility: "OPEN", default_unit_type: "companyID" },
    });
    await desk.must("POST", "/holdouts", { name: "held" });
    await desk.must("POST", "/users/teams", {
      ...{ ...emptyTeam, name: "growth", defaultGateMetrics: [metric], defaultTargetApplications: ["web"] },
      ...{ defaultExperimentPrimaryMetrics: [metric], defaultHoldoutID: "held" },
    });
    const args = { ...base, team: "growth" };
    const made = await subject.up(args);
    const filled = { idType: "companyID", targetApps: ["web"], holdoutIDs: ["held"] };
    expect(made.outputs).toMatchObject(filled);
    await staysQuiet(made, args);
    const changed = { ...args, description: "new" };
    const updated = await subject.update(made, changed);
    expect(updated.outputs).toMatchObject(filled);
    await staysQuiet(updated, changed);
  },
);
