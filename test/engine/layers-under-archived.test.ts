import { afterEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { type Subject, startSubject } from "../laws/subject";

let subject: Subject;
afterEach(() => subject.close());

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
      'or keep the layer: set onDelete: "retain", run "pulumi up", and do this again.',
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
