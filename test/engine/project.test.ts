import { beforeEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { deskOf } from "../emulator/desk";
import {
  edit,
  expectChange,
  expectQuiet,
  live,
  refreshed,
  start,
  staysQuiet,
  subject,
} from "../laws/harness";
import { samples } from "../samples";

describe("the environments of a project", () => {
  const environment = (name: string, more: JsonObject = {}) => ({
    ...{ name, isProduction: name === "production", requiresReview: false, requiresReleasePipeline: false },
    ...more,
  });
  const args = (...names: string[]) => ({ environments: names.map((name) => environment(name)) });
  const idsByName = async () => {
    const { environments } = await subject.raw.environments.get();
    return Object.fromEntries((environments as JsonObject[]).map(({ name, id }) => [String(name), id]));
  };
  beforeEach(async () => {
    await start(catalog.environments);
  });

  test("are taken over with their ids; what the program does not name is removed", async () => {
    const { staging, production } = await idsByName();
    await subject.up(args("qa", "staging", "production"));
    const after = await idsByName();
    expect(Object.keys(after)).toEqual(["qa", "staging", "production"]);
    expect(after).toMatchObject({ staging, production });
  });

  test("in another order are the same, and one of another name is another one, however alike", async () => {
    const made = await subject.up(args("staging", "production"));
    const before = await idsByName();
    await expectQuiet(made, args("production", "staging"));
    const other = await subject.update(made, args("production", "load test"));
    const after = await idsByName();
    expect(after.production).toBe(before.production);
    expect(Object.values(before)).not.toContain(after["load test"]);
    await subject.destroy(other);
    expect(await idsByName()).toEqual(after);
  });

  test("have unique names", async () => {
    const reason =
      'environments[1].name: "qa" is the name of environments[0] too; environment names are unique';
    expect(await subject.problems(args("qa", "qa"))).toEqual([{ property: "", reason }]);
  });

  test("[W4] that have ids keep them in an update, and null is no group", async () => {
    const { production: id } = await idsByName();
    const reviewed = environment("production", { requiredReviewGroupID: null, requiresReview: true });
    const made = await subject.up({ environments: [reviewed] });
    expect(made.outputs.environments).toMatchObject([{ id, requiresReview: true }]);
    await expectQuiet(made, { environments: [reviewed] });
  });
});

test.each([
  [catalog.tag, { name: "shop", description: "x" }],
  [catalog.unitIdType, { name: "deviceID", description: "x" }],
])("a $title that is there already is not taken without a word, however alike", async (definition, args) => {
  await start(definition);
  await deskOf(subject.emulator).must("POST", definition.routes.create.path, args);
  await expect(subject.up(args)).rejects.toThrow(/exists already. It matches the program/);
  expect((await subject.up({ ...args, adopt: true })).id).toBe(args.name);
});

test("a target app of the same name is another one, unless the program adopts it, and is renamed in place", async () => {
  await start(catalog.targetApp);
  const args = { name: "web", description: "x" };
  const { id } = await subject.raw.targetApp.create({ body: args });
  const adopted = await subject.up({ ...args, adopt: true });
  expect(adopted.id).toBe(id);
  expect((await subject.up({ ...args, __program: { name: "second" } })).id).not.toBe(id);
  const site = { name: "site", description: "y" };
  const renamed = await subject.update(adopted, { ...site, adopt: true });
  expect(await live(String(id))).toEqual({ id, name: "site" });
  expect(renamed.outputs).toMatchObject(site);
});

test("a release pipeline keeps the ids of phases and rules when one is put in front and another changes", async () => {
  await start(catalog.releasePipeline);
  const phase = (name: string, ...rules: string[]) => ({
    ...{ name, timeIntervalMs: 1, requiredReview: false },
    rules: rules.map((one) => ({ name: one, conditions: [{ type: "public" }] })),
  });
  const idsOf = ({ phases }: JsonObject): JsonObject =>
    Object.fromEntries(
      (phases as JsonObject[])
        .flatMap((one) => [one, ...(one.rules as JsonObject[])])
        .map(({ name, id }) => [name, id]),
    );
  const made = await subject.up({ name: "p", phases: [phase("one", "a", "b")] });
  const { one, b } = idsOf(made.outputs);
  const args = { name: "p", phases: [phase("zero"), phase("one", "c", "b")] };
  const after = await subject.update(made, args);
  expect(idsOf(after.outputs)).toMatchObject({ one, b });
  await expectQuiet(after, args);
});

test("[A5] a target app is made with layers and param stores", async () => {
  await start(catalog.targetApp);
  await subject.raw.paramStore.create({ body: { name: "store", description: "", displayName: "Store" } });
  const args = { name: "web", description: "", layers: ["app_layer"], parameterStores: ["store"] };
  const made = await subject.up(args);
  expect(await subject.raw.layer.get({ id: "app_layer" })).toMatchObject({ targetApps: ["web"] });
  await staysQuiet(made, args);
});

describe("a role", () => {
  const args = { name: "tester", permissions: { create_configs: true } };
  const permit = async (more: JsonObject) =>
    edit("tester", { permissions: { ...((await live("tester")).permissions as object), ...more } });
  beforeEach(async () => {
    await start(catalog.role);
  });

  test("keeps permissions that the program leaves out, also those that nobody here knows", async () => {
    const made = await subject.up(args);
    const others = { local_metrics: true, from_tomorrow: true };
    await permit(others);
    const seen = await refreshed(made);
    await expectQuiet(seen, args);
    const permissions = { create_configs: false, approve_reviews: true };
    await subject.update(seen, { ...args, permissions });
    expect(await live("tester")).toMatchObject({ permissions: { ...permissions, ...others } });
  });

  test("that leaves a permission out from now on leaves it as it is, and shows drift of those that the program says", async () => {
    const made = await subject.up({ ...args, permissions: { create_configs: true, local_metrics: true } });
    await staysQuiet(made, args);
    expect(await live("tester")).toMatchObject({ permissions: { local_metrics: true } });
    await permit({ create_configs: false });
    const seen = await refreshed(made);
    expect(seen.inputs).toMatchObject({ permissions: { create_configs: false } });
    await expectChange(seen, args);
  });
});

test("a team is told by addresses in any case, in any order; settings that are left out stay, and a new member is an address", async () => {
  await start(catalog.team);
  const settings = { requireReviews: true, reviewApproval: "admin_only" };
  const made = await subject.up({ name: "growth", members: ["Ada@Example.com", "grace@example.com"] });
  await edit(made.id, settings);
  const again = { name: "growth", members: ["GRACE@example.com", "ada@example.com"] };
  const seen = await refreshed(made);
  await expectQuiet(seen, again);
  const more = await subject.update(seen, { ...again, description: "More" });
  expect(await live(made.id)).toMatchObject({
    ...{ ...settings, description: "More" },
    members: [{ email: "ada@example.com" }, { email: "grace@example.com" }],
  });
  const members = ["ada@example.com", "eve@example.com"];
  await edit(made.id, { members });
  expect(await refreshed(more)).toMatchObject({ inputs: { members }, outputs: { members } });
});

describe("settings", () => {
  test("that a program leaves out stay what they are, although the API replaces all of them", async () => {
    await start(catalog.projectSettings);
    const { projectSettings } = subject.raw;
    const whole = { name: "Shop", visibility: "OPEN", default_unit_type: "stableID" };
    await projectSettings.replace({ body: { ...whole, visibility: "CLOSED" } });
    const made = await subject.up({ visibility: "OPEN" });
    expect(await projectSettings.get()).toEqual(whole);
    await subject.destroy(made);
    expect(await projectSettings.get()).toEqual(whole);
  });

  test("that the API takes only whole are sent whole, whatever else stands among them", async () => {
    await start(catalog.reviewSettings);
    const made = await subject.up({ isMetricReviewRequired: true });
    await subject.update(made, { isMetricReviewRequired: false, isConfigReviewRequired: true });
    expect(await subject.raw.reviewSettings.get()).toEqual({
      is_config_review_required: true,
      is_metric_review_required: false,
      is_metric_review_required_on_verified_only: false,
      is_whn_analysis_only_review_required: false,
      is_whn_source_review_required: false,
    });
  });
});

test("an autotune is started by the program, and its hours mean the same with and without a unit", async () => {
  await start(catalog.autotune);
  const { smallest } = samples.autotune;
  const made = await subject.up(smallest);
  await expectQuiet(made, { ...smallest, explorationWindow: "24hrs" });
  const started = await subject.update(made, { ...smallest, isStarted: true });
  expect(await live(made.id)).toMatchObject({ isStarted: true });
  await expect(subject.update(started, { ...smallest, isStarted: false })).rejects.toThrow(
    /cannot change isStarted of autotune/,
  );
  await expectQuiet(started, smallest);
});
