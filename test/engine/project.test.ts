import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { deskOf } from "../emulator/desk";
import { mustStayQuiet, quiet } from "../laws/quiet";
import { type Subject, startSubject } from "../laws/subject";

let subject: Subject;
afterEach(() => subject.close());

describe("the environments of a project", () => {
  const flags = { isProduction: false, requiresReview: false, requiresReleasePipeline: false };
  const args = (...names: string[]): JsonObject => ({
    environments: names.map((name) => ({ ...flags, name, isProduction: name === "production" })),
  });
  const idsByName = async () => {
    const { environments } = await subject.raw.environments.get();
    return Object.fromEntries((environments as JsonObject[]).map(({ name, id }) => [name, id]));
  };

  test("are taken over with their ids; what the program does not name is removed", async () => {
    subject = await startSubject(catalog.environments);
    const before = await idsByName();
    await subject.up(args("qa", "staging", "production"));
    const after = await idsByName();
    expect(Object.keys(after)).toEqual(["qa", "staging", "production"]);
    expect(after).toMatchObject({ staging: before.staging, production: before.production });
  });

  test("in another order are the same, and one of another name is another one, however alike", async () => {
    subject = await startSubject(catalog.environments);
    const made = await subject.up(args("staging", "production"));
    const before = await idsByName();
    expect((await subject.diff(made, args("production", "staging"))).quiet).toBe(true);
    const updated = await subject.update(made, args("production", "load test"));
    const after = await idsByName();
    expect(after.production).toBe(before.production);
    expect(Object.values(before)).not.toContain(after["load test"]);
    await subject.destroy(updated);
    expect(await idsByName()).toEqual(after);
  });

  test("have unique names", async () => {
    subject = await startSubject(catalog.environments);
    expect(await subject.problems(args("qa", "qa"))).toEqual([
      {
        property: "",
        reason: 'environments[1].name: "qa" is the name of environments[0] too; names are unique',
      },
    ]);
  });
});

describe("what nothing tells the maker of", () => {
  test.each([
    ["tag", catalog.tag, { name: "shop", description: "x" }],
    ["unit id type", catalog.unitIdType, { name: "deviceID", description: "x" }],
  ])("a %s that is there already is not taken without a word, however alike", async (_, definition, args) => {
    subject = await startSubject(definition);
    await deskOf(subject.emulator).must("POST", definition.routes.create.path, args);
    await expect(subject.up(args)).rejects.toThrow(/exists already. It matches the program/);
    expect((await subject.up({ ...args, adopt: true })).id).toBe(args.name);
  });

  test("a target app of the same name is another one, unless the program adopts it", async () => {
    subject = await startSubject(catalog.targetApp);
    const args = { name: "web", description: "x" };
    const { id } = await subject.raw.targetApp.create({ body: args });
    const adopted = await subject.up({ ...args, adopt: true });
    expect(adopted.id).toBe(id);
    expect((await subject.up({ ...args, __program: { name: "second" } })).id).not.toBe(id);
  });

  test("a target app is renamed in place", async () => {
    subject = await startSubject(catalog.targetApp);
    const made = await subject.up({ name: "web", description: "x" });
    const updated = await subject.update(made, { name: "site", description: "y" });
    expect(await subject.raw.targetApp.get({ id: made.id })).toEqual({ id: made.id, name: "site" });
    expect(updated.outputs).toMatchObject({ name: "site", description: "y" });
  });
});

describe("a release pipeline", () => {
  test("keeps the ids of phases and rules when one is put in front and another changes", async () => {
    subject = await startSubject(catalog.releasePipeline);
    const rule = (name: string) => ({ name, conditions: [{ type: "public" }] });
    const phase = (name: string, ...rules: JsonObject[]) => ({
      ...{ name, timeIntervalMs: 1, requiredReview: false },
      rules,
    });
    const made = await subject.up({ name: "p", phases: [phase("one", rule("a"), rule("b"))] });
    const idsOf = (phases: unknown): Record<string, unknown> =>
      Object.fromEntries(
        (phases as JsonObject[])
          .flatMap((one) => [one, ...(one.rules as JsonObject[])])
          .map(({ name, id }) => [String(name), id]),
      );
    const before = idsOf(made.outputs.phases);
    const phases = [phase("zero"), phase("one", rule("c"), rule("b"))];
    const updated = await subject.update(made, { name: "p", phases });
    const after = idsOf(updated.outputs.phases);
    expect(after).toMatchObject({ one: before.one, b: before.b });
    expect((await subject.diff(updated, { name: "p", phases })).quiet).toBe(true);
  });
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
  expect(await subject.diff(made, args)).toEqual(quiet);
});

test.each([
  ["a config", catalog.dynamicConfig],
  ["an assignment source", catalog.assignmentSource],
  ["a metric source", catalog.metricSource],
  ["a metric", catalog.metric],
] as const)("[A2] %s has an owner, said in part and kept in part", async (_, definition) => {
  subject = await startSubject(definition);
  const args = { ...definition.samples.smallest, owner: { ownerID: "user-1", ownerType: "USER" } };
  const made = await subject.up(args);
  expect(made.outputs.owner).toMatchObject(args.owner);
  await mustStayQuiet(subject, made, args);
  const another = { ...args, owner: { ...args.owner, ownerID: "user-2" } };
  const changed = await subject.update(made, another);
  expect(changed.outputs.owner).toMatchObject({ ownerID: "user-2", ownerType: "USER" });
  await mustStayQuiet(subject, changed, another);
});

test("[A5] a target app is made with layers and param stores", async () => {
  subject = await startSubject(catalog.targetApp);
  await subject.raw.paramStore.create({
    body: { name: "store", description: "", displayName: "Store" },
  });
  const args = {
    ...{ name: "web", description: "", layers: ["app_layer"] },
    parameterStores: ["store"],
  };
  const made = await subject.up(args);
  expect(await subject.raw.layer.get({ id: "app_layer" })).toMatchObject({ targetApps: ["web"] });
  await mustStayQuiet(subject, made, args);
});
