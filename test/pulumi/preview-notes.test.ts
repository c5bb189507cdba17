import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { type Resource, type Subject, startSubject } from "../laws/subject";
import { allOf } from "../support/raw-client";

let subject: Subject;
afterEach(() => subject.close());

const start = async (definition: ResourceDefinition = catalog.gate) => {
  subject = await startSubject(definition);
};
/** `pulumi preview`, in a process of its own. @returns what it told. */
const preview = async (args: JsonObject, more: JsonObject = {}) => {
  subject.nextRun();
  const before = subject.lines.length;
  await subject.checked({ ...args, __program: { preview: true, ...more } });
  return subject.lines.slice(before);
};
/** `pulumi up --skip-preview`, in another one. */
const up = (args: JsonObject): Promise<Resource> => {
  subject.nextRun();
  return subject.up({ ...args, __program: { preview: false } });
};
/** The preview, or the plan, of a change of a resource, in a run of its own. */
const diff = (made: Resource, args: JsonObject, isPreview = true) => {
  subject.nextRun();
  return subject.diff(made, { ...args, __program: { preview: isPreview } });
};
const folder = () => path.join(subject.folder, ".feature-console", "previews");

const gate = { key: "checkout", description: "Ours", adopt: true };
const theirs = { id: "checkout", name: "checkout", description: "Theirs" };
const live = () => subject.raw.gate.get({ id: "checkout" });
/** A gate of somebody else, with what a person does to it. */
const ofTheirs = {
  make: () => subject.raw.gate.create({ body: theirs }),
  change: (body: JsonObject) => subject.raw.gate.patch({ id: "checkout", body: body as never }),
};

test("an object that came between a preview and the up is refused untouched, once", async () => {
  await start();
  await preview(gate);
  await ofTheirs.make();
  subject.emulator.clearRequests();
  await expect(up(gate)).rejects.toThrow(
    'Cannot create gate "checkout": gate "checkout" is there now, and the preview found nothing there. Nothing was changed. ' +
      'Run "pulumi preview" (or "pulumi up") again to see what would be taken over.',
  );
  expect(subject.writes()).toEqual([]);
  expect(await live()).toMatchObject({ description: "Theirs" });
  await up(gate);
  expect(await live()).toMatchObject({ description: "Ours" });
});

test("a new preview takes the place of the former one", async () => {
  await start();
  await preview(gate);
  await ofTheirs.make();
  const lines = await preview(gate);
  expect(lines.join("\n")).toContain('gate "checkout" exists: would change description');
  await expect(up(gate)).resolves.toMatchObject({ id: "checkout" });
});

test("what was changed in the meantime, and would be overwritten, is named", async () => {
  await start();
  await ofTheirs.make();
  await preview(gate);
  await ofTheirs.change({ description: "Theirs, anew" });
  await expect(up(gate)).rejects.toThrow(
    'gate "checkout" was changed since the preview looked, in description.',
  );
  expect(await live()).toMatchObject({ description: "Theirs, anew" });
});

test("the live value of an argument that is a secret is not shown, and lists say what they gain and lose", async () => {
  await start(catalog.dynamicConfig);
  const rules = (...names: string[]) =>
    names.map((name) => ({ name, passPercentage: 100, conditions: [{ type: "public" }], returnValue: {} }));
  const theirConfig = { name: "limits", defaultValue: { token: "live-token" }, tags: ["one"] };
  await subject.raw.dynamicConfig.create({ body: { ...theirConfig, rules: rules("A", "Z") } });
  const ours = { key: "limits", adopt: true, defaultValue: { token: "next-token" }, tags: ["two", "three"] };
  const lines = await preview(
    { ...ours, rules: rules("A", "B", "C") },
    { secrets: [["defaultValue", "token"]] },
  );
  const said = lines.join("\n");
  expect(said).toContain("    ~ defaultValue: [secret] => [secret]");
  expect(said).toMatch(/would change (?=.*\brules \(\+2 −1\))(?=.*\btags \(\+2 −1\))/);
  expect(said).not.toMatch(/(live|next)-token/);
});

test("what the program says nothing about may change in the meantime, and what became as the program says", async () => {
  await start();
  await ofTheirs.make();
  const both = { ...gate, isEnabled: false };
  await preview(both);
  await ofTheirs.change({ tags: ["shop"], isEnabled: false });
  await up(both);
  expect(await live()).toMatchObject({
    ...{ description: "Ours", tags: ["shop"], isEnabled: false },
  });
});

test("a gate that was archived in the meantime is not brought back, and one that was brought back not overwritten", async () => {
  await start();
  await ofTheirs.make();
  await preview(gate);
  await subject.raw.gate.archive({ id: "checkout" });
  await expect(up(gate)).rejects.toThrow("it is archived now");
  await preview(gate);
  await subject.raw.gate.unarchive({ id: "checkout" });
  await expect(up(gate)).rejects.toThrow("is in use now, and was archived when the preview looked");
});

test("a second object of one name is announced, where names need not be unique", async () => {
  await start(catalog.alert);
  const { id } = await subject.raw.alert.create({ body: { name: "Errors", message: "Theirs" } });
  expect(await preview({ name: "Errors", message: "Ours" }, { declared: 1 })).toContain(
    `alert "Errors" would be another one of this name, beside alert "${id}", which the program does not manage. Set adopt: true to take over ` +
      "the only one there is.",
  );
  await up({ name: "Errors", message: "Ours" });
  expect(await allOf(subject.raw.alert.list())).toHaveLength(2);
});

test("what an import names is held to the preview as well", async () => {
  await start();
  await ofTheirs.make();
  const imported = { key: "checkout", description: "Ours", __adopt: "checkout" };
  await preview(imported);
  await ofTheirs.change({ description: "Theirs, anew" });
  await expect(up(imported)).rejects.toThrow("in description");
  await expect(up(imported)).resolves.toMatchObject({ id: "checkout" });
});

test("of objects that are found by name, it is told by its id which one came", async () => {
  await start(catalog.alert);
  const alert = { name: "Few orders", message: "Look", adopt: true };
  const { id } = await subject.raw.alert.create({ body: { name: alert.name, message: "Theirs" } });
  await preview(alert);
  await subject.raw.alert.delete({ id: String(id) });
  const { id: next } = await subject.raw.alert.create({ body: { name: alert.name, message: "Theirs" } });
  await expect(up(alert)).rejects.toThrow(
    `alert "${next}" is there now, and the preview found alert "${id}"`,
  );
});

test("a preview warns of a number that may be rounded, until it is applied", async () => {
  await start(catalog.dynamicConfig);
  const config = { key: "limits", defaultValue: { shop: 1234567890123456800 } };
  const line =
    'dynamic config "limits": defaultValue.shop: 1234567890123456800 may be rounded: whole numbers are exact up to 2^53. ' +
    "If each digit counts, set defaultValueJson5.";
  expect(await preview(config)).toContain(line);
  const made = await up(config);
  const before = subject.lines.length;
  await diff(made, { ...config, description: "Shops" });
  expect(subject.lines.slice(before)).toEqual([]);
  await diff(made, { ...config, defaultValue: { shop: 1234567890123457000 } });
  expect(subject.lines.slice(before).join("\n")).toContain("1234567890123457000 may be rounded");
});

test("the ids of a segment are noted by a digest", async () => {
  await start(catalog.segment);
  const segment = { key: "people", type: "id_list", ids: ["one", "two"], adopt: true };
  await subject.raw.segment.create({ body: { id: "people", name: "people", type: "id_list" } });
  await subject.raw.segment.addIds({ id: "people", body: { ids: ["eve"] } });
  await preview(segment);
  await subject.raw.segment.addIds({ id: "people", body: { ids: ["mallory"] } });
  await expect(up(segment)).rejects.toThrow("in ids");
  const [file = ""] = readdirSync(folder());
  expect(readFileSync(path.join(folder(), file), "utf8")).not.toMatch(/eve|mallory/);
});

test("what the preview announced of the one list of environments holds for the up too", async () => {
  await start(catalog.environments);
  const named = (name: string) => ({
    ...{ name, isProduction: name === "staging", requiresReview: false, requiresReleasePipeline: false },
  });
  const wants = { environments: [named("staging")] };
  await preview(wants);
  const { environments } = (await subject.raw.environments.get()) as { environments: JsonObject[] };
  await subject.raw.environments.replace({ body: { environments: [...environments, named("theirs")] } });
  await expect(up(wants)).rejects.toThrow("was changed since the preview looked, in environments");
  await up(wants);
});

test("a create whose answer was lost, and which a kill ended, is found again in spite of the preview", async () => {
  await start();
  await preview(gate);
  subject.emulator.addFaults([{ method: "POST", path: "/gates", times: 1, byteEveryMs: 500 }]);
  subject.nextRun();
  void subject.up({ ...gate, __program: { preview: false } }).catch(() => undefined);
  const isThere = () => live().then(Boolean, () => false);
  while (!(await isThere())) await new Promise((resolve) => setTimeout(resolve, 20));
  await expect(up(gate)).resolves.toMatchObject({ id: "checkout" });
});

test("without a note, or with one of another key, nothing is held against the up", async () => {
  for (const noted of [gate, { ...gate, key: "basket" }]) {
    await start();
    await preview(noted);
    if (noted === gate) rmSync(folder(), { recursive: true });
    await ofTheirs.make();
    await expect(up(gate)).resolves.toMatchObject({ id: "checkout" });
    if (noted === gate) await subject.close();
  }
});

test("a preview and an up of a plain create write no note; a folder that cannot be written fails neither", async () => {
  await start();
  const { adopt: _, ...plain } = gate;
  await preview(plain);
  await up(plain);
  expect(existsSync(folder())).toBe(false);
  mkdirSync(path.dirname(folder()), { recursive: true });
  writeFileSync(folder(), "");
  await preview({ ...gate, key: "basket" });
  await expect(up({ ...gate, key: "basket" })).resolves.toMatchObject({ id: "basket" });
});

test("when the gate was taken over, the note goes", async () => {
  await start();
  await preview(gate);
  const made = await up(gate);
  subject.nextRun();
  await subject.destroy(made);
  await subject.raw.gate.unarchive({ id: "checkout" });
  await expect(up(gate)).resolves.toMatchObject({ id: "checkout" });
});

test("a key that somebody took between a preview and the up is refused before the old gate is touched", async () => {
  await start();
  const made = await up(gate);
  const moved = { ...gate, key: "basket" };
  const planned = await diff(made, moved);
  expect(planned.replaces).toEqual(["key"]);
  await subject.checked({ ...moved, __program: { preview: true } });
  await subject.raw.gate.create({ body: { ...theirs, id: "basket", name: "basket" } });
  subject.emulator.clearRequests();
  await expect(diff(made, moved, false)).rejects.toThrow(
    'gate "basket" is there now, and the preview found nothing there. Nothing was changed.',
  );
  expect(subject.writes()).toEqual([]);
  await expect(diff(made, moved, false)).resolves.toEqual(planned);
});

test("a preview of an update in which only an archived object comes back says so", async () => {
  await start();
  const args = { key: "checkout", description: "Ours" };
  const made = await up(args);
  await subject.raw.gate.archive({ id: "checkout", body: { archiveReason: "old" } });
  subject.nextRun();
  await diff((await subject.refresh(made)) as Resource, args);
  expect(subject.lines.join("\n")).toContain('gate "checkout": it is archived: would be brought back');
});

test("a gate that the program keeps archived no more comes back: nothing says that it stays, and it settles", async () => {
  await start();
  const made = await up({ key: "checkout", status: "Archived" });
  await subject.raw.gate.unarchive({ id: "checkout", body: {} });
  await diff(made, { key: "checkout" });
  subject.nextRun();
  const updated = await subject.update(made, { key: "checkout" });
  expect(subject.lines.filter((line) => line.includes("stays Archived"))).toEqual([]);
  expect(updated.outputs.status).toBe("In Progress");
  expect(await diff(updated, { key: "checkout" }, false)).toMatchObject({ quiet: true });
});

test("a preview shows a null that the program no longer sets: Pulumi's diff shows none", async () => {
  await start(catalog.dynamicConfig);
  const made = await up({ key: "limits", defaultValue: { none: null, limit: 1 } });
  await diff(made, { key: "limits", defaultValue: { limit: 1 } });
  expect(subject.lines).toContain('dynamic config "limits": defaultValue.none: null → removed');
});

test("a preview reports deletedWith at the creation: at the end of the resource nobody asks its provider", async () => {
  await start();
  const line =
    'gate "checkout" has deletedWith: when the other resource goes, also in a destroy, Pulumi forgets it and leaves it in the console as it is.';
  expect(await preview({ key: "checkout" }, { deletedWith: true })).toContain(line);
  const made = await up({ key: "checkout" });
  const before = subject.lines.length;
  subject.nextRun();
  await subject.checked({ key: "checkout", __program: { preview: true, deletedWith: true } }, made.inputs);
  expect(subject.lines.slice(before)).not.toContain(line);
});
