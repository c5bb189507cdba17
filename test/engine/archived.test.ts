import { expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { UNKNOWN } from "../../src/provider/schema/unknown";
import { edit, expectQuiet, live, refreshed, sent, start, subject, updated } from "../laws/harness";
import { samplesOf } from "../samples";

// An object that is archived and that its program keeps so takes no other change.

const kinds = [catalog.gate, catalog.dynamicConfig, catalog.experiment].map(
  (definition): [string, ResourceDefinition] => [definition.title, definition],
);
const refusal = (title: string, names = "description") =>
  `${title} "old" is archived: leave its other arguments, or set status. It differs in ${names}.`;
const argsOf = (definition: ResourceDefinition): JsonObject => ({
  ...{ ...samplesOf(definition).smallest, key: "old", description: "One" },
  [definition.lifecycle.archived?.field ?? ""]: definition.lifecycle.archived?.is,
});
const ofKind = () => subject.raw[subject.definition.name as "gate"];

/** An archived object of a program that says so, and its arguments. */
async function archived(definition: ResourceDefinition) {
  await start(definition);
  const args = argsOf(definition);
  const made = await subject.up(args);
  sent();
  return { args, made };
}

test.each(kinds)(
  "a change of an archived %s is refused in the preview and by the update, and nothing is sent",
  async (title, definition) => {
    const { args, made } = await archived(definition);
    const changed = { ...args, description: "Two", tags: ["shop"] };
    const both = refusal(title, "description, tags");
    await expect(subject.diff(made, changed)).rejects.toThrow(both);
    await expect(subject.update(made, changed)).rejects.toThrow(both);
    await expect(subject.diff(made, { ...args, description: undefined })).rejects.toThrow(refusal(title));
    expect(sent()).toEqual([]);
    expect(await live("old")).toMatchObject({ status: args.status, description: "One" });
    await expectQuiet(made, args);
  },
);

test.each(kinds)(
  "so is a change of an archived %s back from what the console has",
  async (title, definition) => {
    const { args, made } = await archived(definition);
    await ofKind().unarchive({ id: "old", body: {} });
    await edit("old", { description: "Theirs" });
    await ofKind().archive({ id: "old", body: {} });
    const seen = await refreshed(made);
    sent();
    await expect(subject.diff(seen, args)).rejects.toThrow(refusal(title));
    await expect(subject.update(seen, args)).rejects.toThrow(refusal(title));
    expect(sent()).toEqual([]);
    expect((await live("old")).description).toBe("Theirs");
    await expectQuiet(seen, { ...args, description: "Theirs" });
  },
);

test("a value that is not known yet is no change, nor is an option", async () => {
  const { args, made } = await archived(catalog.gate);
  await subject.diff(made, { ...args, description: UNKNOWN });
  await updated(made, { ...args, onDelete: "delete" });
  expect(sent()).toEqual([]);
});

test("a status that is set brings it back, with its other arguments; one that archives comes last", async () => {
  const { args, made } = await archived(catalog.gate);
  const back = await updated(made, { ...args, description: "Two", status: "Disabled" });
  expect(await live("old")).toMatchObject({ status: "Disabled", description: "Two" });
  await updated(back, { ...args, description: "Three" });
  expect(await live("old")).toMatchObject({ status: "Archived", description: "Three" });
});

test("a gate that somebody archived takes no change with an archive either", async () => {
  await start(catalog.gate);
  const args = argsOf(catalog.gate);
  const made = await subject.up({ ...args, status: undefined });
  await subject.raw.gate.archive({ id: "old", body: {} });
  sent();
  await expect(subject.update(made, { ...args, description: "Two" })).rejects.toThrow(refusal("gate"));
  expect(sent()).toEqual([]);
  await updated(made, args);
});

test("somebody else brings it back: it stays in use, and that is said", async () => {
  const { args, made } = await archived(catalog.gate);
  await subject.raw.gate.unarchive({ id: "old", body: {} });
  await subject.update(made, { ...args, onDelete: "delete" });
  expect(await live("old")).toMatchObject({ status: "In Progress" });
  expect(subject.lines.join("\n")).toContain("status changed in the console since the last refresh");
});

test("an archived gate that the program adopts as such is taken as it is, or refused in the preview", async () => {
  await start(catalog.gate, { adapter: "dynamic" });
  await subject.raw.gate.create({ body: { id: "old", name: "old", description: "One" } });
  await subject.raw.gate.archive({ id: "old", body: {} });
  sent();
  const adopting = { ...argsOf(catalog.gate), adopt: true };
  const changing = { ...adopting, description: "Two", __program: { name: "resource", preview: true } };
  expect(await subject.problems(changing)).toEqual([
    expect.objectContaining({ reason: expect.stringContaining(refusal("gate")) }),
  ]);
  subject.nextRun();
  await expect(subject.up({ ...adopting, description: "Two" })).rejects.toThrow(refusal("gate"));
  await subject.up(adopting);
  expect(sent()).toEqual([]);
});
