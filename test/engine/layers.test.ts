import { afterEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { mustStayQuiet, quiet } from "../laws/quiet";
import { type Resource, type Subject, startSubject } from "../laws/subject";

let subject: Subject;
afterEach(() => subject.close());

const staysQuiet = (made: Resource, args: JsonObject) => mustStayQuiet(subject, made, args);

const area = {
  name: "area",
  idType: "userID",
  parameters: [{ name: "colour", type: "string", defaultValue: "blue" }],
};
const seed = { layers: [area] };

test("a layer under an archived experiment that the console does not let go stays whole, and the error tells what to do", async () => {
  subject = await startSubject(catalog.layer, { behaviour: { deleteLayerUnderArchived: "refuse" } });
  const made = await subject.up(area);
  await subject.raw.experiment.create({ body: { name: "colours", layerID: "area" } });
  await subject.raw.experiment.archive({ id: "colours", body: {} });
  await expect(subject.destroy(made)).rejects.toThrow(
    "Layer cannot be deleted with experiments still on it. Archived experiments may count too: delete them in the console, " +
      'or keep the layer: set onDelete: "retain", run "pulumi up", and do this again. To give it another name, set ' +
      'onImmutableChange: "replace" on each of its experiments, run "pulumi up", and rename it then: an experiment keeps its layer.',
  );
  expect(await subject.raw.layer.get({ id: "area" })).toMatchObject(area);
  subject.nextRun();
  expect((await subject.diff((await subject.refresh(made)) ?? made, area)).quiet).toBe(true);

  const kept = await subject.update(made, { ...area, onDelete: "retain" });
  await subject.destroy(kept);
  expect(await subject.raw.layer.get({ id: "area" })).toMatchObject(area);
}, 20_000);

test("where the experiment is deleted, the layer goes", async () => {
  subject = await startSubject(catalog.layer, { behaviour: { deleteLayerUnderArchived: "refuse" } });
  const made = await subject.up(area);
  await subject.raw.experiment.create({ body: { name: "colours", layerID: "area" } });
  await subject.raw.experiment.archive({ id: "colours", body: {} });
  await subject.raw.experiment.delete({ id: "colours" });
  await subject.destroy(made);
  await expect(subject.raw.layer.get({ id: "area" })).rejects.toThrow("Layer not found.");
});

test.each(["accept", "refuse"] as const)(
  "an experiment that was archived with its stack comes back into its layer: %s",
  async (deleteLayerUnderArchived) => {
    subject = await startSubject(catalog.experiment, { behaviour: { deleteLayerUnderArchived }, seed });
    const args = {
      key: "colours",
      layerID: "area",
      groups: [{ name: "All", size: 100, parameterValues: { colour: "green" } }],
    };
    await subject.destroy(await subject.up(args));
    const layer = subject.raw.layer;
    const gone = await layer.delete({ id: "area" }).then(
      () => true,
      () => false,
    );
    expect(gone).toBe(deleteLayerUnderArchived === "accept");
    if (gone) {
      await layer.create({ body: { name: area.name, idType: area.idType } });
      await layer.patch({ id: "area", body: { parameters: area.parameters } });
    }
    subject.nextRun();
    const back = await subject.up(args);
    expect(await subject.raw.experiment.get({ id: "colours" })).toMatchObject({
      ...{ status: "setup", layerID: "area" },
      groups: [{ name: "All", size: 100, parameterValues: { colour: "green" } }],
    });
    expect((await subject.diff(back, args)).quiet).toBe(true);
  },
);

test("[A1] a parameter of a layer has a schema, which a program that is silent of it does not drop", async () => {
  subject = await startSubject(catalog.layer);
  const parameter = (rest: JsonObject) => ({ name: "limits", type: "object", defaultValue: {}, ...rest });
  const args = (rest: JsonObject) => ({
    name: "shop layer",
    idType: "userID",
    parameters: [parameter(rest)],
  });
  const schema = '{"type": "object"}';
  const made = await subject.up(args({}));
  await subject.raw.layer.patch({
    id: made.id,
    body: { parameters: [parameter({ schema, description: "by hand" })] },
  });
  const refreshed = (await subject.refresh(made)) ?? made;
  await staysQuiet(refreshed, args({}));
  const changed = await subject.update(refreshed, args({ defaultValue: { most: 3 } }));
  const live = async () => (await subject.raw.layer.get({ id: made.id })).parameters;
  expect(await live()).toMatchObject([{ defaultValue: { most: 3 }, schema, description: "by hand" }]);
  const said = args({ schema: '{"type":"object"}' });
  expect(await subject.diff(await subject.update(changed, said), said)).toEqual(quiet);
  const dropped = await subject.update(await subject.update(changed, said), args({}));
  expect(((await live()) as JsonObject[])[0]).not.toHaveProperty("schema");
  await staysQuiet(dropped, args({}));
});

describe("a layer's parameter whose default an experiment has shipped", () => {
  const parameter = (name: string, rest: JsonObject = {}) => ({ name, type: "string", ...rest });
  const first = {
    name: "shop layer",
    idType: "userID",
    parameters: [parameter("title", { defaultValue: "old" }), parameter("colour", { defaultValue: "red" })],
  };
  const left = { ...first, parameters: [parameter("title"), parameter("colour", { defaultValue: "red" })] };
  const live = async () =>
    ((await subject.raw.layer.get({ id: "shop_layer" })).parameters as JsonObject[]).map(
      ({ defaultValue }) => defaultValue,
    );

  async function ship(): Promise<void> {
    const group = (name: string, title: string) => ({ name, size: 50, parameterValues: { title } });
    const made = await subject.raw.experiment.create({
      body: {
        name: "titles",
        layerID: "shop_layer",
        groups: [group("Control", "old"), group("Test", "new")],
      },
    });
    const test = (made.groups as JsonObject[])[1]?.id;
    await subject.raw.experiment.start({ id: "titles", body: {} });
    await subject.raw.experiment.makeDecision({
      id: "titles",
      body: { id: String(test), decisionReason: "better" },
    });
  }

  test("[R5] is left to the console: the next up does not undo the release", async () => {
    subject = await startSubject(catalog.layer);
    const made = await subject.up(first);
    const released = await subject.update(made, left);
    expect(await live()).toEqual(["old", "red"]);
    await ship();
    expect(await live()).toEqual(["new", "red"]);
    const refreshed = await staysQuiet(released, left);
    const blue = {
      ...left,
      parameters: [parameter("title"), parameter("colour", { defaultValue: "blue" })],
    };
    const after = await subject.update(refreshed, blue);
    expect(await live()).toEqual(["new", "blue"]);
    await staysQuiet(after, blue);
  });

  test("[R5] is left to the console from when the program says it no more, also after the release", async () => {
    subject = await startSubject(catalog.layer);
    const made = await subject.up(first);
    await ship();
    const refreshed = (await subject.refresh(made)) ?? made;
    const released = await subject.update(refreshed, left);
    expect(await live()).toEqual(["new", "red"]);
    await staysQuiet(released, left);
  });

  test("[R5] is drift where the program says it, and a preview shows it", async () => {
    subject = await startSubject(catalog.layer);
    const made = await subject.up(first);
    await ship();
    const refreshed = (await subject.refresh(made)) ?? made;
    expect((await subject.diff(refreshed, first)).quiet).toBe(false);
    // What ignoreChanges makes of the arguments: those of last time at that path.
    const ignoring = { ...first, parameters: refreshed.inputs.parameters };
    expect(await subject.diff(refreshed, ignoring)).toEqual(quiet);
  });

  test("[R5] of a new parameter a preview asks for the value that the console cannot know", async () => {
    subject = await startSubject(catalog.layer);
    const told = subject.definition.warnings?.({}, left) ?? [];
    expect(told).toMatchObject([{ path: ["parameters", 0, "defaultValue"] }]);
  });
});
