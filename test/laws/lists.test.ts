import { afterEach, expect, test } from "@jest/globals";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { callingArgument, idMember, secretOf } from "../../src/provider/schema/object-id";
import { treeOf } from "../../src/provider/schema/tree";
import { fromWire } from "../../src/provider/schema/wire-names";
import { sameMeaning } from "../../src/provider/values/compare";
import { kinds, type Subject, startSubject } from "./subject";

let subject: Subject;
afterEach(() => subject.close());

type Raw = Record<string, (input?: JsonObject) => unknown>;

/** The same object by its own route and by the list, under the names used here. */
async function bothViews(definition: ResourceDefinition, id: string): Promise<[JsonObject, JsonObject]> {
  const { read } = definition.lifecycle;
  if (read.how !== "get" || read.list === undefined) throw new Error("there is only one view");
  const raw = (subject.raw as unknown as Record<string, Raw>)[definition.name];
  const got = (await raw?.[read.route]?.({ id, name: id })) as JsonObject;
  for await (const item of (raw?.[read.list]?.() ?? []) as AsyncIterable<JsonObject>) {
    if (item[idMember(definition)] === id) return [fromWire(definition, got), fromWire(definition, item)];
  }
  throw new Error("the list does not show it");
}

/** Names of the fields in which two views differ in meaning. */
function differing(definition: ResourceDefinition, [got, listed]: [JsonObject, JsonObject]): string[] {
  return Object.keys(treeOf(definition)).filter(
    (name) => !sameMeaning(definition, name, got[name], listed[name]),
  );
}

// What a secret leads to is not told apart in a list by anything that may be shown.
const listed = kinds.filter(
  ([, definition]) =>
    definition.lifecycle.read.how === "get" &&
    definition.lifecycle.read.list &&
    secretOf(definition) === undefined,
);
const isBrief = ({ lifecycle: { read } }: ResourceDefinition) => read.how === "get" && read.listShowsLess;

test.each(listed.filter(([, definition]) => !isBrief(definition)))(
  "%s: the list, which answers refreshes, shows what the read of one shows",
  async (_, definition) => {
    subject = await startSubject(definition);
    const { smallest, fullest } = definition.samples;
    const made = await subject.up(fullest);
    expect(differing(definition, await bothViews(definition, made.id))).toEqual([]);
    const kept = Object.keys(fullest).filter((name) => {
      const facts = definition.fields[name]?.facts;
      return name === callingArgument(definition) || facts?.fixed === true || facts?.replaces === true;
    });
    const held = Object.fromEntries(kept.map((name) => [name, fullest[name]]));
    const free = Object.entries(smallest).filter(([name]) => definition.fields[name]?.facts.fixed !== true);
    await subject.update(made, { ...Object.fromEntries(free), ...held });
    expect(differing(definition, await bothViews(definition, made.id))).toEqual([]);
  },
);

test.each(listed.filter(([, definition]) => isBrief(definition)))(
  "%s: the list shows less, as the definition says",
  async (_, definition) => {
    subject = await startSubject(definition);
    const { id } = await subject.up(definition.samples.fullest);
    expect(differing(definition, await bothViews(definition, id))).not.toEqual([]);
  },
);
