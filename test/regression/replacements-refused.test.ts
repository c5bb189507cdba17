import { afterEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { type Resource, type Subject, startSubject } from "../laws/subject";

let subject: Subject;
afterEach(() => subject.close());

const start = async (definition: ResourceDefinition) => {
  subject = await startSubject(definition);
};

/** What `pulumi up` does with a resource of which only an option of the program says that it be replaced. */
const replaceByOption = async (made: Resource, args: object): Promise<Resource> => {
  subject.nextRun();
  expect((await subject.diff(made, { ...args })).replaces).toEqual([]);
  const inputs = await subject.checked({ ...args });
  await subject.destroy(made);
  const { id, properties: outputs } = await subject.calls().create(inputs);
  return { id, inputs, outputs };
};

test("a gate stays while the name of the one that is to replace it belongs to another", async () => {
  await start(catalog.gate);
  const args = { key: "flag_old", onDelete: "delete" };
  const made = await subject.up(args);
  await subject.raw.gate.create({ body: { id: "flag_theirs", name: "Theirs" } });
  await subject.raw.gate.archive({ id: "flag_theirs", body: { archiveReason: "Done" } });
  subject.nextRun();
  const news = { ...args, key: "flag_new", name: "Theirs" };
  await expect(subject.diff(made, news)).rejects.toThrow(
    /The name "Theirs" belongs to another gate.*gate "flag_old" stays as it is/,
  );
  await expect(subject.diff(made, { ...news, name: "Ours" })).resolves.toMatchObject({ replaces: ["key"] });
});

test("a gate that is left where it is keeps its name, so that another key needs another name", async () => {
  await start(catalog.gate);
  const args = { key: "flag_old", name: "Shown", onDelete: "retain" };
  const made = await subject.up(args);
  subject.nextRun();
  await expect(subject.diff(made, { ...args, key: "flag_new" })).rejects.toThrow(
    'The name "Shown" stays taken: gate "flag_old" has it, which is not deleted.',
  );
});

test("a gate whose name was changed by hand is looked for by the name of the new one", async () => {
  await start(catalog.gate);
  const args = { key: "flag_old", name: "Shown", onDelete: "delete" };
  const made = await subject.up(args);
  await subject.raw.gate.patch({ id: "flag_old", body: { name: "Renamed" } });
  await subject.raw.gate.create({ body: { id: "flag_theirs", name: "Shown" } });
  subject.nextRun();
  await expect(subject.diff(made, { ...args, key: "flag_new" })).rejects.toThrow("belongs to another gate");
});

test("an import option that is still in the program does not stand against a replacement", async () => {
  await start(catalog.paramStore);
  const args = { name: "store", displayName: "Store", description: "First" };
  const made = await subject.up(args);
  const next = await replaceByOption(made, { ...args, description: "Second", __adopt: "store" });
  expect(next.id).toBe("store");
  expect(await subject.raw.paramStore.get({ name: "store" })).toMatchObject({
    description: "Second",
  });
});

test("an import of something that is not there is refused before the old object goes", async () => {
  await start(catalog.targetApp);
  const args = { name: "shop", description: "First" };
  const made = await subject.up(args);
  await expect(replaceByOption(made, { ...args, description: "Second", __adopt: "other" })).rejects.toThrow(
    /There is no target app .*other.* to import.*target app .* stays as it is/,
  );
  expect(await subject.raw.targetApp.get({ id: made.id })).toMatchObject({ name: "shop" });
});

test("a target app stays while one of the name that is to replace it is somebody else's", async () => {
  await start(catalog.targetApp);
  const made = await subject.up({ name: "shop", description: "First" });
  const { id } = await subject.raw.targetApp.create({ body: { name: "checkout", description: "First" } });
  await expect(replaceByOption(made, { name: "checkout", description: "First" })).rejects.toThrow(
    `target app \\"${id}\\" exists already`,
  );
  expect(await subject.raw.targetApp.get({ id: made.id })).toMatchObject({ name: "shop" });
  const next = await replaceByOption(made, { name: "shop", description: "Second" });
  expect(next.id).not.toBe(made.id);
});
