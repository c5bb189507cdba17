import { afterEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Desk, openDesk } from "../emulator/desk";
import { kinds, type Subject, startSubject } from "../laws/subject";

let desk: Desk | undefined;
let subject: Subject | undefined;
afterEach(async () => {
  await Promise.all([desk?.close(), subject?.close()]);
  desk = subject = undefined;
});

const rule = (condition: JsonObject, members: JsonObject = {}) => ({
  rules: [{ name: "one", passPercentage: 100, conditions: [condition], ...members }],
});
const empty = { operator: "", field: "", customID: "" };

/** Objects that carry rules: their list, and what a create needs beside the rules. */
const holders = [
  ["gates", { name: "one" }],
  ["dynamic_configs", { name: "one" }],
  ["segments", { name: "one", type: "rule_based" }],
] as const;

test.each(holders)("[W1] in %s an empty operator, field and customID are none", async (list, body) => {
  desk = await openDesk();
  const condition = { type: "passes_segment", targetValue: "staff" };
  const made = await desk.must("POST", `/${list}`, { ...body, ...rule({ ...condition, ...empty }) });
  expect(made.rules[0]?.conditions).toEqual([condition]);
});

test("[W1] a program may say them too, and it is quiet", async () => {
  subject = await startSubject(catalog.gate);
  const args = { key: "one", ...rule({ type: "passes_segment", targetValue: "staff", ...empty }) };
  const made = await subject.up(args);
  expect(await subject.diff(made, args)).toEqual({ quiet: true, replaces: [] });
});

test.each(holders)("[W2] in %s an empty id of a rule is none: the rule is new", async (list, body) => {
  desk = await openDesk();
  const sent = rule({ type: "country", operator: "any", targetValue: ["CH"] }, { id: "", baseID: "" });
  const made = await desk.must("POST", `/${list}`, { ...body, ...sent });
  expect(made.rules[0]?.baseID).toMatch(/./);
});

test("[W2] an empty id of a variant is none, and a program may say so", async () => {
  subject = await startSubject(catalog.dynamicConfig);
  const variants = [{ name: "a", passPercentage: 100, returnValue: { a: 1 }, id: "" }];
  const args = { key: "one", ...rule({ type: "public" }, { id: "", baseID: "", variants }) };
  const made = await subject.up(args);
  expect(made.outputs.rules).toMatchObject([{ variants: [{ name: "a", id: expect.stringMatching(/./) }] }]);
  expect(await subject.diff(made, args)).toEqual({ quiet: true, replaces: [] });
});

test("[W3] a tag is read, changed and removed by its id as by its name", async () => {
  desk = await openDesk();
  const { id } = await desk.must("POST", "/tags", { name: "shop", description: "" });
  expect(await desk.must("GET", `/tags/${id}`)).toEqual(await desk.must("GET", "/tags/shop"));
  expect(await desk.must("PATCH", `/tags/${id}`, { description: "new" })).toMatchObject({
    name: "shop",
    description: "new",
  });
  await desk.ask("DELETE", `/tags/${id}`);
  expect((await desk.ask("GET", "/tags/shop")).status).toBe(404);
});

test("[W4] an environment keeps the id that the body gives, and no review group may be null", async () => {
  desk = await openDesk();
  const flags = { isProduction: true, requiresReview: false, requiresReleasePipeline: false };
  const given = { name: "live", id: "0.5", requiredReviewGroupID: null, ...flags };
  const answer = await desk.must("POST", "/environments", { environments: [given] });
  expect(answer.environments).toEqual([given]);
  expect((await desk.must("GET", "/environments")).environments).toEqual([given]);
});

test("[W4] environments that have ids keep them in an update, and null is no group", async () => {
  subject = await startSubject(catalog.environments);
  const flags = { isProduction: true, requiresReview: false, requiresReleasePipeline: false };
  const before = (await subject.raw.environments.get()).environments as JsonObject[];
  const production = before.find(({ name }) => name === "production");
  const args = {
    environments: [{ name: "production", requiredReviewGroupID: null, ...flags, requiresReview: true }],
  };
  const made = await subject.up(args);
  expect(made.outputs.environments).toMatchObject([{ id: production?.id, requiresReview: true }]);
  expect(await subject.diff(made, args)).toEqual({ quiet: true, replaces: [] });
});

/** Kinds of the catalog whose owner is a key's where a key made them. */
const ownedByKey = ["metricSource", "entityProperty", "qualifyingEvent"];

test.each(kinds.filter(([, { name }]) => ownedByKey.includes(name)))(
  "[W5] of a %s that a key made the owner is of type SDK_KEY",
  async (_, definition) => {
    subject = await startSubject(definition);
    const made = await subject.up(definition.samples.smallest);
    expect(made.outputs.owner).toMatchObject({ ownerType: "SDK_KEY" });
  },
);

/** Names of the sample that a read shows, which are all but those that are only written. */
function shownNames({ fields }: ResourceDefinition, args: JsonObject): string[] {
  return Object.keys(args).filter((name) => {
    const { mode, facts } = fields[name] ?? {};
    return mode === "input" && facts?.remembered !== true && facts?.readsOtherId !== true;
  });
}

test.each(kinds)("[W6] of a %s what was written is read back, defaults filled", async (_, definition) => {
  subject = await startSubject(definition);
  const { fullest } = definition.samples;
  const made = await subject.up(fullest);
  subject.nextRun();
  const refreshed = await subject.refresh(made);
  for (const name of shownNames(definition, fullest))
    expect([name, refreshed?.inputs[name]]).toEqual([name, expect.anything()]);
  const filled = Object.entries(definition.fields).filter(
    ([, { mode, facts }]) =>
      mode === "output" && facts.serverDefault !== undefined && facts.serverDefault !== null,
  );
  for (const [name] of filled) expect([name, refreshed?.outputs[name]]).toEqual([name, expect.anything()]);
});

test.each(["operator", "field", "customID", "targetValue"])(
  "[W7] an explicit null for %s inside a condition is refused, and a program's null is left out",
  async (member) => {
    subject = await startSubject(catalog.gate);
    const condition = { type: "public", [member]: null };
    await expect(subject.raw.gate.create({ body: { name: "raw", ...rule(condition) } })).rejects.toThrow(
      new RegExp(`rules\\.0\\.conditions\\.0\\.${member}`),
    );
    const args = { key: "one", ...rule(condition) };
    const made = await subject.up(args);
    const body = (await subject.raw.gate.get({ id: "one" })).rules as JsonObject[];
    expect(body[0]?.conditions).toEqual([{ type: "public" }]);
    expect(await subject.diff(made, args)).toEqual({ quiet: true, replaces: [] });
  },
);

test.each(["scalar", "list"] as const)(
  "[W8] one target value that is read as a %s is no difference, nor a condition without operator",
  async (singleTargets) => {
    subject = await startSubject(catalog.segment, { behaviour: { singleTargets, emptyMembers: "absent" } });
    const conditions = [
      { type: "email", operator: "any", targetValue: ["a@example.com"] },
      { type: "passes_segment", targetValue: "staff" },
    ];
    const args = {
      key: "one",
      type: "rule_based",
      rules: [{ name: "one", passPercentage: 100, conditions }],
    };
    const made = await subject.up(args);
    const refreshed = (await subject.refresh(made)) ?? made;
    expect(await subject.diff(refreshed, args)).toEqual({ quiet: true, replaces: [] });
  },
);

test('[W8] an experiment without a targeting gate reads "", which is no difference', async () => {
  subject = await startSubject(catalog.experiment);
  const args = { key: "one_experiment", targetingGateID: null };
  const made = await subject.up(args);
  expect((await subject.raw.experiment.get({ id: "one_experiment" })).targetingGateID).toBe("");
  expect(await subject.diff(made, args)).toEqual({ quiet: true, replaces: [] });
});
