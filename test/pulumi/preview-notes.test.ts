import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import type { Resource } from "../support/driver";
import { freshFolder } from "../support/folders";
import { allOf } from "../support/raw-client";
import { emulator, killed, raw, type StartedJob, start, startJob } from "./stage";

// What a preview found holds for the update; what a preview says of changes that Pulumi's own diff does not show.

let folder: string;
beforeEach(() => {
  folder = freshFolder();
  return start();
});

/** `pulumi preview`, in a process of its own. @returns what it told. */
const preview = async (
  args: JsonObject,
  more: JsonObject = {},
  definition: ResourceDefinition = catalog.gate,
) => {
  const { of, lines } = startJob({ folder });
  await of(definition).checked({ ...args, __program: { preview: true, ...more } });
  return lines;
};
const upBy = ({ of }: StartedJob, args: JsonObject, definition: ResourceDefinition = catalog.gate) =>
  of(definition).up({ ...args, __program: { preview: false } });
/** `pulumi up --skip-preview`, in another one. */
const up = (args: JsonObject, definition: ResourceDefinition = catalog.gate) =>
  upBy(startJob({ folder }), args, definition);
/** The preview of a change of a resource. @returns what it told. */
const previewOf = async (made: Resource, args: JsonObject, definition: ResourceDefinition = catalog.gate) => {
  const { of, lines } = startJob({ folder });
  await of(definition).diff(made, { ...args, __program: { preview: true } });
  return lines;
};
const previews = () => path.join(folder, ".feature-console", "previews");

const gate = { key: "checkout", description: "Ours", adopt: true };
const theirs = { id: "checkout", name: "checkout", description: "Theirs" };
const live = () => raw.gate.get({ id: "checkout" });
/** A gate of somebody else, with what a person does to it. */
const ofTheirs = {
  make: () => raw.gate.create({ body: theirs }),
  change: (body: JsonObject) => raw.gate.patch({ id: "checkout", body }),
};
const writes = () => emulator.requests.filter(({ method }) => method !== "GET");

test("an object that came between a preview and the up is refused untouched, once", async () => {
  await preview(gate);
  await ofTheirs.make();
  emulator.clearRequests();
  await expect(up(gate)).rejects.toThrow(
    'Cannot create gate "checkout": gate "checkout" is there now, and the preview found nothing there. Nothing was changed. ' +
      'Run "pulumi preview" (or "pulumi up") again to see what would be taken over.',
  );
  expect(writes()).toEqual([]);
  expect(await live()).toMatchObject({ description: "Theirs" });
  await up(gate);
  expect(await live()).toMatchObject({ description: "Ours" });
});

test("a new preview takes the place of the former one; what was changed since, and would be overwritten, is named", async () => {
  await preview(gate);
  await ofTheirs.make();
  expect((await preview(gate)).join("\n")).toContain('gate "checkout" exists: would change description');
  await ofTheirs.change({ description: "Theirs, anew" });
  await expect(up(gate)).rejects.toThrow(
    'gate "checkout" was changed since the preview looked, in description.',
  );
  expect(await live()).toMatchObject({ description: "Theirs, anew" });
  await preview(gate);
  await expect(up(gate)).resolves.toMatchObject({ id: "checkout" });
});

test("the live value of an argument that is a secret is not shown, and lists say what they gain and lose", async () => {
  const rules = (...names: string[]) =>
    names.map((name) => ({ name, passPercentage: 100, conditions: [{ type: "public" }], returnValue: {} }));
  const theirConfig = { name: "limits", defaultValue: { token: "live-token" }, tags: ["one"] };
  await raw.dynamicConfig.create({ body: { ...theirConfig, rules: rules("A", "Z") } });
  const ours = { key: "limits", adopt: true, defaultValue: { token: "next-token" }, tags: ["two", "three"] };
  const args = { ...ours, rules: rules("A", "B", "C") };
  const lines = await preview(args, { secrets: [["defaultValue", "token"]] }, catalog.dynamicConfig);
  const said = lines.join("\n");
  expect(said).toContain("    ~ defaultValue: [secret] => [secret]");
  expect(said).toMatch(/would change (?=.*\brules \(\+2 −1\))(?=.*\btags \(\+2 −1\))/);
  expect(said).not.toMatch(/(live|next)-token/);
});

test("what the program says nothing about may change in the meantime, and what became as the program says", async () => {
  await ofTheirs.make();
  const both = { ...gate, isEnabled: false };
  await preview(both);
  await ofTheirs.change({ tags: ["shop"], isEnabled: false });
  await up(both);
  expect(await live()).toMatchObject({ description: "Ours", tags: ["shop"], isEnabled: false });
});

test("a gate that was archived in the meantime is not brought back, and one that was brought back not overwritten", async () => {
  await ofTheirs.make();
  await preview(gate);
  await raw.gate.archive({ id: "checkout" });
  await expect(up(gate)).rejects.toThrow("it is archived now");
  await preview(gate);
  await raw.gate.unarchive({ id: "checkout" });
  await expect(up(gate)).rejects.toThrow("is in use now, and was archived when the preview looked");
});

test("a second object of one name is announced, where names need not be unique", async () => {
  const { id } = await raw.alert.create({ body: { name: "Errors", message: "Theirs" } });
  const ours = { name: "Errors", message: "Ours" };
  expect(await preview(ours, { declared: 1 }, catalog.alert)).toContain(
    `alert "Errors" would be another one of this name, beside alert "${id}", which the program does not manage. Set adopt: true to take over ` +
      "the only one there is.",
  );
  await up(ours, catalog.alert);
  expect(await allOf(raw.alert.list())).toHaveLength(2);
});

test("what an import names is held to the preview as well", async () => {
  await ofTheirs.make();
  const imported = { key: "checkout", description: "Ours", __adopt: "checkout" };
  await preview(imported);
  await ofTheirs.change({ description: "Theirs, anew" });
  await expect(up(imported)).rejects.toThrow("in description");
  await expect(up(imported)).resolves.toMatchObject({ id: "checkout" });
});

test("of objects that are found by name, it is told by its id which one came", async () => {
  const body = { name: "Few orders", message: "Theirs" };
  const ours = { name: "Few orders", message: "Look", adopt: true };
  const { id } = await raw.alert.create({ body });
  await preview(ours, {}, catalog.alert);
  await raw.alert.delete({ id });
  const { id: next } = await raw.alert.create({ body });
  await expect(up(ours, catalog.alert)).rejects.toThrow(
    `alert "${next}" is there now, and the preview found alert "${id}"`,
  );
});

test("the ids of a segment are noted by a digest", async () => {
  const segment = { key: "people", type: "id_list", ids: ["one", "two"], adopt: true };
  await raw.segment.create({ body: { id: "people", name: "people", type: "id_list" } });
  await raw.segment.addIds({ id: "people", body: { ids: ["eve"] } });
  await preview(segment, {}, catalog.segment);
  await raw.segment.addIds({ id: "people", body: { ids: ["mallory"] } });
  await expect(up(segment, catalog.segment)).rejects.toThrow("in ids");
  const [file = ""] = readdirSync(previews());
  expect(readFileSync(path.join(previews(), file), "utf8")).not.toMatch(/eve|mallory/);
});

test("what the preview announced of the one list of environments holds for the up too", async () => {
  const named = (name: string) => ({
    ...{ name, isProduction: name === "staging", requiresReview: false, requiresReleasePipeline: false },
  });
  const wants = { environments: [named("staging")] };
  await preview(wants, {}, catalog.environments);
  const { environments } = (await raw.environments.get()) as { environments: JsonObject[] };
  await raw.environments.replace({ body: { environments: [...environments, named("theirs")] } });
  await expect(up(wants, catalog.environments)).rejects.toThrow(
    "was changed since the preview looked, in environments",
  );
  await up(wants, catalog.environments);
});

test("a create whose answer was lost, and which a kill ended, is found again in spite of the preview", async () => {
  await preview(gate);
  await killed({ folder }, (job) => upBy(job, gate));
  await expect(up(gate)).resolves.toMatchObject({ id: "checkout" });
});

test("without a note, or with one of another key, nothing is held against the up", async () => {
  await preview({ ...gate, key: "basket" });
  await preview({ ...gate, key: "cart" });
  await ofTheirs.make();
  await expect(up(gate)).resolves.toMatchObject({ id: "checkout" });
  await raw.gate.create({ body: { id: "cart", name: "cart" } });
  rmSync(previews(), { recursive: true });
  await expect(up({ ...gate, key: "cart" })).resolves.toMatchObject({ id: "cart" });
});

test("a preview and an up of a plain create write no note; a folder that cannot be written fails neither", async () => {
  const { adopt: _, ...plain } = gate;
  await preview(plain);
  await up(plain);
  expect(existsSync(previews())).toBe(false);
  mkdirSync(path.dirname(previews()), { recursive: true });
  writeFileSync(previews(), "");
  await preview({ ...gate, key: "basket" });
  await expect(up({ ...gate, key: "basket" })).resolves.toMatchObject({ id: "basket" });
});

test("when the gate was taken over, the note goes", async () => {
  await preview(gate);
  const made = await up(gate);
  await startJob({ folder }).destroy(made);
  await raw.gate.unarchive({ id: "checkout" });
  await expect(up(gate)).resolves.toMatchObject({ id: "checkout" });
});

test("a key that somebody took between a preview and the up is refused before the old gate is touched", async () => {
  const made = await up(gate);
  const moved = { ...gate, key: "basket" };
  const planned = (isPreview: boolean, { plan }: StartedJob = startJob({ folder })) =>
    plan(made, { ...moved, __program: { preview: isPreview } });
  const job = startJob({ folder });
  const { replaces } = await planned(true, job);
  expect(replaces).toEqual(["key"]);
  await job.checked({ ...moved, __program: { preview: true } });
  await raw.gate.create({ body: { ...theirs, id: "basket", name: "basket" } });
  emulator.clearRequests();
  await expect(planned(false)).rejects.toThrow(
    'gate "basket" is there now, and the preview found nothing there. Nothing was changed.',
  );
  expect(writes()).toEqual([]);
  await expect(planned(false)).resolves.toMatchObject({ replaces });
});

test("a preview of an update in which only an archived object comes back says so", async () => {
  const args = { key: "checkout", description: "Ours" };
  const made = await up(args);
  await raw.gate.archive({ id: "checkout", body: { archiveReason: "old" } });
  const seen = (await startJob({ folder }).refresh(made)) as Resource;
  expect((await previewOf(seen, args)).join("\n")).toContain(
    'gate "checkout": it is archived: would be brought back',
  );
});

test("a gate that the program keeps archived no more comes back: nothing says that it stays, and it settles", async () => {
  const made = await up({ key: "checkout", status: "Archived" });
  await raw.gate.unarchive({ id: "checkout", body: {} });
  const { update, lines } = startJob({ folder });
  const updated = await update(made, { key: "checkout" });
  const said = [...(await previewOf(made, { key: "checkout" })), ...lines];
  expect(said.filter((line) => line.includes("stays Archived"))).toEqual([]);
  expect(updated.outputs.status).toBe("In Progress");
  expect(await startJob({ folder }).diff(updated, { key: "checkout" })).toMatchObject({ quiet: true });
});

test("a preview warns of a number that may be rounded, until it is applied, and shows a null that goes", async () => {
  const config = { key: "limits", defaultValue: { none: null, shop: 1234567890123456800 } };
  const line =
    'dynamic config "limits": defaultValue.shop: 1234567890123456800 may be rounded: whole numbers are exact up to 2^53. ' +
    "If each digit counts, set defaultValueJson5.";
  expect(await preview(config, {}, catalog.dynamicConfig)).toContain(line);
  const made = await up(config, catalog.dynamicConfig);
  expect(await previewOf(made, { ...config, description: "Shops" }, catalog.dynamicConfig)).toEqual([]);
  const next = { key: "limits", defaultValue: { shop: 1234567890123457000 } };
  const lines = await previewOf(made, next, catalog.dynamicConfig);
  expect(lines.join("\n")).toContain("1234567890123457000 may be rounded");
  // Pulumi's own diff shows none.
  expect(lines).toContain('dynamic config "limits": defaultValue.none: null → removed');
});

test("a preview reports deletedWith at the creation: at the end of the resource nobody asks its provider", async () => {
  const line =
    'gate "checkout" has deletedWith: when the other resource goes, also in a destroy, Pulumi forgets it and leaves it in the console as it is.';
  expect(await preview({ key: "checkout" }, { deletedWith: true })).toContain(line);
  const { inputs } = await up({ key: "checkout" });
  const { checked, lines } = startJob({ folder });
  await checked({ key: "checkout", __program: { preview: true, deletedWith: true } }, inputs);
  expect(lines).not.toContain(line);
});
