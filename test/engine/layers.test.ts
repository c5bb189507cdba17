import { beforeEach, describe, expect, test } from "@jest/globals";
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

test("[A1] a parameter of a layer has a schema, which a program that is silent of it does not drop", async () => {
  await start(catalog.layer);
  const parameter = (rest: JsonObject) => ({ name: "limits", type: "object", defaultValue: {}, ...rest });
  const args = (rest: JsonObject) => ({ name: "area", idType: "userID", parameters: [parameter(rest)] });
  const byHand = { schema: '{"type": "object"}', description: "by hand" };
  const made = await subject.up(args({}));
  await edit("area", { parameters: [parameter(byHand)] });
  const seen = await staysQuiet(made, args({}));
  const changed = await subject.update(seen, args({ defaultValue: { most: 3 } }));
  expect(await listOf("area", "parameters")).toMatchObject([{ defaultValue: { most: 3 }, ...byHand }]);
  const said = args({ schema: '{"type":"object"}' });
  const saying = await subject.update(changed, said);
  await expectQuiet(saying, said);
  await updated(await subject.update(saying, said), args({}));
  expect((await listOf("area", "parameters"))[0]).not.toHaveProperty("schema");
});

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
