import { beforeEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { expectQuiet, fault, live, start, subject } from "../laws/harness";
import type { Resource } from "../laws/subject";

/** What `pulumi up` does with a resource of which only an option of the program says that it be replaced. */
const replaceByOption = async (made: Resource, args: JsonObject): Promise<Resource> => {
  subject.nextRun();
  expect((await subject.diff(made, args)).replaces).toEqual([]);
  const inputs = await subject.checked(args);
  await subject.destroy(made);
  const { id, properties: outputs } = await subject.calls().create(inputs);
  return { id, inputs, outputs };
};

describe("a gate that is to get another key", () => {
  const old = (onDelete: string) => ({ key: "flag_old", name: "Shown", onDelete });
  const theirs = (name: string) => subject.raw.gate.create({ body: { id: "flag_theirs", name } });

  test("stays while the name of the new one belongs to another", async () => {
    await start(catalog.gate);
    const made = await subject.up(old("delete"));
    await theirs("Theirs");
    await subject.raw.gate.archive({ id: "flag_theirs", body: { archiveReason: "Done" } });
    subject.nextRun();
    const news = (name: string) => subject.diff(made, { ...old("delete"), key: "flag_new", name });
    await expect(news("Theirs")).rejects.toThrow(
      /The name "Theirs" belongs to another gate.*gate "flag_old" stays as it is/,
    );
    expect(await news("Ours")).toMatchObject({ replaces: ["key"] });
  });

  test("needs another name where the old one is left where it is, and keeps its own", async () => {
    await start(catalog.gate);
    const made = await subject.up(old("retain"));
    subject.nextRun();
    await expect(subject.diff(made, { ...old("retain"), key: "flag_new" })).rejects.toThrow(
      'The name "Shown" stays taken: gate "flag_old" has it, which is not deleted.',
    );
  });

  test("is looked for by the name of the new one where its own was changed by hand", async () => {
    await start(catalog.gate);
    const made = await subject.up(old("delete"));
    await subject.raw.gate.patch({ id: "flag_old", body: { name: "Renamed" } });
    await theirs("Shown");
    subject.nextRun();
    await expect(subject.diff(made, { ...old("delete"), key: "flag_new" })).rejects.toThrow(
      "belongs to another gate",
    );
  });
});

test("an import option that is still in the program does not stand against a replacement", async () => {
  await start(catalog.paramStore);
  const args = { name: "store", displayName: "Store", description: "First" };
  const made = await subject.up(args);
  const next = await replaceByOption(made, { ...args, description: "Second", __adopt: "store" });
  expect(next.id).toBe("store");
  expect(await live("store")).toMatchObject({ description: "Second" });
});

test("a target app stays while an import names none, or one of the name that is to replace it is somebody else's", async () => {
  await start(catalog.targetApp);
  const made = await subject.up({ name: "shop", description: "First" });
  const { id } = await subject.raw.targetApp.create({ body: { name: "checkout", description: "First" } });
  const second = { name: "shop", description: "Second" };
  await expect(replaceByOption(made, { ...second, __adopt: "other" })).rejects.toThrow(
    /There is no target app .*other.* to import.*target app .* stays as it is/,
  );
  await expect(replaceByOption(made, { name: "checkout", description: "First" })).rejects.toThrow(
    `target app \\"${id}\\" exists already`,
  );
  expect(await live(made.id)).toMatchObject({ name: "shop" });
  expect((await replaceByOption(made, second)).id).not.toBe(made.id);
});

describe("a replacement that is half done", () => {
  beforeEach(() => start(catalog.gate));
  const args = { key: "flag_one", name: "Flag one" };
  const expectInUse = async () => expect((await live("flag_one")).status).not.toBe("Archived");

  // Pulumi keeps the state of what it has deleted to replace it. If the create failed and the program was put back, it checks
  // and compares as ever, finds nothing to do, and then creates nevertheless.
  test("and given up is made whole", async () => {
    const made = await subject.up(args);
    await subject.destroy(made);
    subject.nextRun();
    await expectQuiet(made, args);
    expect((await subject.up(args)).id).toBe("flag_one");
    await expectInUse();
  });

  test("that only the program asks for takes over what is there, and the old resource leaves it", async () => {
    const made = await subject.up(args);
    subject.nextRun();
    const news = { ...args, description: "New" };
    await subject.diff(made, news);
    expect((await subject.up(news)).id).toBe("flag_one");
    await subject.destroy(made);
    await expectInUse();
  });

  test("is not announced by what a refresh sees: the delete of a dropped gate renames nothing", async () => {
    await subject.checked(args);
    // Made by another process: this one has checked nothing of it.
    const inputs = { key: "flag_two", name: "Flag two", idType: "userID" };
    const { id, properties: outputs } = await subject.calls().create(inputs);
    subject.nextRun();
    await subject.raw.gate.patch({ id, body: { idType: "companyID" } });
    const seen = (await subject.refresh({ id, inputs, outputs }))?.outputs ?? {};
    await subject.calls().diff(id, seen, inputs);
    await subject.destroy({ id, inputs, outputs: seen });
    expect(await live(id)).toMatchObject({ name: "Flag two", status: "Archived" });
  });

  test("gives a gate whose archiving is refused its name back", async () => {
    const made = await subject.up(args);
    const body = { message: "is referred to" };
    fault({ method: "PUT", path: "/gates/flag_one/archive", times: 4, status: 400, body });
    expect((await subject.diff(made, { ...args, idType: "companyID" })).replaces).toEqual(["idType"]);
    await expect(subject.destroy(made)).rejects.toThrow("is referred to");
    expect((await live("flag_one")).name).toBe("Flag one");
  });

  test("makes room for the new name even where nothing was checked before its diff", async () => {
    const made = await subject.up(args);
    const gates = subject.calls();
    const news = { ...made.inputs, key: "flag_new" };
    expect((await gates.diff("flag_one", made.outputs, news)).replaces).toEqual(["key"]);
    await subject.destroy(made);
    expect(await gates.create(news)).toMatchObject({ id: "flag_new" });
  });
});

describe("a replacement to which only last time's program agreed", () => {
  const groups = ["Control", "Test"].map((name) => ({ name, size: 50, parameterValues: {} }));
  const silent: JsonObject = { key: "colours", groups, status: "active" };
  const replacing = { onImmutableChange: "replace" };
  const unknown = { ...silent, layerID: UNKNOWN, __program: { preview: true } };
  const layer = async (name: string) =>
    (await subject.raw.layer.create({ body: { name, idType: "userID" } })).id;

  let made: Resource;
  beforeEach(async () => {
    await start(catalog.experiment);
    made = await subject.up({ ...silent, layerID: await layer("area"), ...replacing });
    subject.nextRun();
    // What Pulumi asks of a dependent of a resource that is replaced, before the program has declared it.
    const asked = { ...made.inputs, layerID: UNKNOWN };
    expect((await subject.calls().diff(made.id, made.outputs, asked)).replaces).toEqual(["layerID"]);
  });

  test("an experiment whose layer gets another name is replaced where the program still says so, and not by what it no longer says", async () => {
    expect(await subject.problems({ ...unknown, ...replacing })).toEqual([]);
    expect(await subject.problems(unknown)).toEqual([
      {
        property: "layerID",
        reason: expect.stringMatching(
          /^experiment "colours" would be deleted and created anew, because .* Keep onImmutableChange: "replace" in this up, .*\. Nothing was changed$/,
        ),
      },
    ]);
    expect(await live("colours")).toMatchObject({ status: "active" });
  });

  test("an up without a preview says how it comes back, and so it does", async () => {
    await subject.destroy(made);
    const args = { ...silent, layerID: await layer("area two"), __program: { preview: false } };
    const [problem] = await subject.problems(args);
    expect(problem?.reason).toMatch(
      /^experiment "colours" was archived in this run, .*: set onImmutableChange: "replace" again/,
    );
    subject.nextRun();
    const again = await subject.up({ ...args, ...replacing });
    expect(await live(again.id)).toMatchObject({ status: "active", layerID: args.layerID });
  });
});
