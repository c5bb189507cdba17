import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
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

describe("a replacement that is half done", () => {
  beforeEach(() => start(catalog.gate));
  const args = { key: "flag_one", name: "Flag one" };
  const gate = () => subject.raw.gate.get({ id: "flag_one" });

  // Pulumi keeps the state of what it has deleted to replace it. If the create failed and the program was put back, it checks
  // and compares as ever, finds nothing to do, and then creates nevertheless.
  test("a replacement that was given up half done is made whole", async () => {
    const made = await subject.up(args);
    await subject.destroy(made);
    subject.nextRun();
    expect((await subject.diff(made, args)).quiet).toBe(true);
    expect((await subject.up(args)).id).toBe("flag_one");
    expect((await gate()).status).not.toBe("Archived");
  });

  test("a replacement that only the program asks for takes over what is there, and the old resource leaves it", async () => {
    const made = await subject.up(args);
    subject.nextRun();
    const news = { ...args, description: "New" };
    await subject.diff(made, news);
    expect((await subject.up(news)).id).toBe("flag_one");
    await subject.destroy(made);
    expect((await gate()).status).not.toBe("Archived");
  });

  test("what a refresh sees announces no replacement: the delete of a dropped gate renames nothing", async () => {
    await subject.checked(args);
    // Made by another process: this one has checked nothing of it.
    const inputs = { key: "flag_two", name: "Flag two", idType: "userID" };
    const { id, properties: outputs } = await subject.calls().create(inputs);
    const made = { id, inputs, outputs };
    subject.nextRun();
    await subject.raw.gate.patch({ id: "flag_two", body: { idType: "companyID" } });
    const seen = await subject.refresh(made);
    await subject.calls().diff("flag_two", seen?.outputs ?? {}, made.inputs);
    await subject.destroy({ ...made, outputs: seen?.outputs ?? {} });
    expect(await subject.raw.gate.get({ id: "flag_two" })).toMatchObject({
      name: "Flag two",
      status: "Archived",
    });
  });

  test("a gate whose archiving is refused has its name back", async () => {
    const made = await subject.up(args);
    const body = { message: "is referred to" };
    subject.emulator.addFaults([
      { method: "PUT", path: "/gates/flag_one/archive", times: 4, status: 400, body },
    ]);
    expect((await subject.diff(made, { ...args, idType: "companyID" })).replaces).toEqual(["idType"]);
    await expect(subject.destroy(made)).rejects.toThrow("is referred to");
    expect((await gate()).name).toBe("Flag one");
  });

  test("a replacement makes room for the new name even where nothing was checked before its diff", async () => {
    const made = await subject.up({ key: "flag_old", name: "Flag three" });
    const gates = subject.calls();
    const news = { ...made.inputs, key: "flag_new" };
    expect((await gates.diff("flag_old", made.outputs, news)).replaces).toEqual(["key"]);
    await subject.destroy(made);
    await expect(gates.create(news)).resolves.toMatchObject({ id: "flag_new" });
  });
});

describe("a replacement to which only last time's program agreed", () => {
  let made: Resource;
  const groups = [
    { name: "Control", size: 50, parameterValues: {} },
    { name: "Test", size: 50, parameterValues: {} },
  ];
  const silent: JsonObject = { key: "colours", groups, status: "active" };

  beforeEach(async () => {
    await start(catalog.experiment);
    const { id: layerID } = await subject.raw.layer.create({ body: { name: "area", idType: "userID" } });
    made = await subject.up({ ...silent, layerID, onImmutableChange: "replace" });
    subject.nextRun();
  });

  /** What Pulumi asks of a dependent of a resource that is replaced, before the program has declared it. */
  const layerIsReplaced = () =>
    subject.calls().diff(made.id, made.outputs, { ...made.inputs, layerID: UNKNOWN });

  test("an experiment whose layer gets another name is not replaced by what the program no longer says", async () => {
    expect((await layerIsReplaced()).replaces).toEqual(["layerID"]);
    const problems = await subject.problems({ ...silent, layerID: UNKNOWN, __program: { preview: true } });
    expect(problems).toEqual([
      {
        property: "layerID",
        reason: expect.stringMatching(
          /^experiment "colours" would be deleted and created anew, because .* Keep onImmutableChange: "replace" in this up, .*\. Nothing was changed$/,
        ),
      },
    ]);
    expect(await subject.raw.experiment.get({ id: "colours" })).toMatchObject({ status: "active" });
  });

  test("it is replaced where the program still says so", async () => {
    await layerIsReplaced();
    const args = { ...silent, layerID: UNKNOWN, onImmutableChange: "replace", __program: { preview: true } };
    expect(await subject.problems(args)).toEqual([]);
  });

  test("an up without a preview says how it comes back, and so it does", async () => {
    await layerIsReplaced();
    await subject.destroy(made);
    const { id: layerID } = await subject.raw.layer.create({ body: { name: "area two", idType: "userID" } });
    const args = { ...silent, layerID, __program: { preview: false } };
    const [problem] = await subject.problems(args);
    expect(problem?.reason).toMatch(
      /^experiment "colours" was archived in this run, .*: set onImmutableChange: "replace" again/,
    );
    subject.nextRun();
    const again = await subject.up({ ...args, onImmutableChange: "replace" });
    expect(await subject.raw.experiment.get({ id: again.id })).toMatchObject({ status: "active", layerID });
  });
});
