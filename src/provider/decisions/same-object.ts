import { auditNames } from "../schema/audit";
import type { ResourceDefinition } from "../schema/define";
import { type JsonObject, objectsIn } from "../schema/json";
import { itemsOf, propertiesOf, treeOf } from "../schema/tree";
import { managedBefore } from "../values/managed";

/** Relation of a live object to the one of a state: an object is its id and its time of creation. */
export type Sameness = "same" | "other" | "unknown";

/**
 * Tells an object from another one that a person made under the same id after the first was deleted, or that another project has
 * under it. The time of creation decides; where an answer does not show it, ids that the console gives once: those of elements such as
 * rules, then that of the creator.
 */
export function isSameObject(definition: ResourceDefinition, state: JsonObject, live: JsonObject): Sameness {
  const [then, now] = [createdOf(definition, state), createdOf(definition, live)];
  if (then !== undefined && now !== undefined) return isSameTime(then, now) ? "same" : "other";
  const byElements = samenessOfElements(definition, state, live);
  const [maker, made] = [creatorIn(definition, state), creatorIn(definition, live)];
  if (byElements !== "unknown" || maker === undefined || made === undefined) return byElements;
  return maker === made ? "same" : "other";
}

/** True where a state can tell its object from another one of the same id. */
export function tellsObject(definition: ResourceDefinition, state: JsonObject): boolean {
  if (createdOf(definition, state) !== undefined || creatorIn(definition, state) !== undefined) return true;
  return idLists(definition, state).some(({ ids }) => ids.size > 0);
}

/** True for a live object that the console created before the one of the state: a late read shows what was there before. */
export function isFormer(definition: ResourceDefinition, state: JsonObject, live: JsonObject): boolean {
  const [then, now] = [createdOf(definition, state), createdOf(definition, live)];
  return then !== undefined && now !== undefined && !isSameTime(then, now) && now < then;
}

/** When an object was made, in words; undefined where it does not show that. */
export function creationText(definition: ResourceDefinition, values: JsonObject): string | undefined {
  const created = createdOf(definition, values);
  return created === undefined
    ? undefined
    : `${new Date(created).toISOString().replace("T", " ").replace("Z", "")} UTC`;
}

/** The earliest time that counts as one in milliseconds: below, in the year 1973, a number is one of seconds. */
const earliestMs = 100_000_000_000;

/** Milliseconds since 1970, from whatever form an answer shows a time in. */
function createdOf(definition: ResourceDefinition, values: JsonObject): number | undefined {
  const { created: name } = auditNames(definition);
  const shown = name === undefined ? undefined : values[name];
  const text = typeof shown === "string" ? shown.trim() : "";
  const value = typeof shown === "number" ? shown : /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (!Number.isFinite(value) || value <= 0 || Math.abs(value) > 8.64e15) return undefined;
  return value < earliestMs ? value * 1000 : value;
}

/** True for one time of creation, milliseconds since 1970: answers may show it to the millisecond and another time to the second. */
export function isSameTime(one: number, other: number): boolean {
  const isWhole = [one, other].some((time) => time % 1000 === 0);
  return isWhole ? Math.abs(one - other) < 1000 : one === other;
}

/** The id of the creator, unless the program sets it: then it tells nothing of who made the object. */
function creatorIn(definition: ResourceDefinition, values: JsonObject): string | undefined {
  const { madeById: name } = auditNames(definition);
  if (name === undefined || managedBefore(values).includes(name)) return undefined;
  const shown = values[name];
  return typeof shown === "string" && shown !== "" ? shown : undefined;
}

/**
 * Elements of the same names, none of which has the id that it had. The id of a rule changes with its percentage and the other id of it
 * does not: only where each of these ids is another one, they are other elements.
 */
function samenessOfElements(definition: ResourceDefinition, state: JsonObject, live: JsonObject): Sameness {
  const [then, now] = [idLists(definition, state), idLists(definition, live)];
  const pairs = then.map((list, index) => [list.ids, now[index]?.ids ?? new Set<string>()] as const);
  if (pairs.some(([before, after]) => [...before].some((id) => after.has(id)))) return "same";
  const isShown = pairs.length > 0 && pairs.every(([before, after]) => before.size > 0 && after.size > 0);
  const areNamesakes = then.some(({ names }, index) =>
    names.some((name) => now[index]?.names.includes(name)),
  );
  return isShown && areNamesakes ? "other" : "unknown";
}

/** The ids of one sort that the elements of a list have, and the names of these elements. */
interface IdList {
  readonly ids: ReadonlySet<string>;
  readonly names: readonly unknown[];
}

/** The ids that the console gives to the elements of an object's lists of named elements, one entry for each sort of id. */
function idLists(definition: ResourceDefinition, values: JsonObject): IdList[] {
  return Object.entries(treeOf(definition)).flatMap(([field, { node, traits }]) => {
    if (traits.namedList !== true) return [];
    const properties = propertiesOf(itemsOf(node) ?? {}) ?? {};
    const sorts = Object.keys(properties).filter((member) => properties[member]?.serverSet === "identity");
    const elements = objectsIn(values[field]);
    return sorts.map((sort) => ({
      ids: new Set(elements.map((one) => one[sort]).filter((id) => typeof id === "string" && id !== "")),
      names: elements.map((one) => one.name),
    })) as IdList[];
  });
}
