import { auditOf, type Change, changeText, lastChangeOf } from "../../schema/audit";
import { type ResourceDefinition, routeOf } from "../../schema/define";
import { withoutAnswer } from "../../schema/errors";
import { equalJson, type JsonObject } from "../../schema/json";
import type { Path } from "../../schema/path";
import { fromWire } from "../../schema/wire-names";
import { meaning, sameMeaning } from "../../values/compare";
import { viewOf } from "../../values/managed";
import { namesFor, orderOf, valueIn } from "../../values/places";
import type { LiveObject, ObjectHere, StoredObject } from "../subject";

/** True where an earlier form of an object can be asked for. */
export function keepsForms({ routes }: Pick<ResourceDefinition, "routes">): boolean {
  return routes.listVersions !== undefined;
}

/** The forms of an object as far as the console keeps them, newest first. The reference does not state whether the present one is among them. */
export async function* formerForms({ context, definition, id }: ObjectHere): AsyncGenerator<JsonObject> {
  if (!keepsForms(definition)) return;
  for await (const item of context.client.items(routeOf(definition, "listVersions"), { params: { id } }))
    yield fromWire(definition, item);
}

/** Author and time of a change that no version shows. */
const unknown: Change = { by: undefined, at: undefined };

/** An object, and what state has of it. */
export interface SeenLive extends StoredObject, LiveObject {}

/** A place of an object: an argument, or a part of one. */
export interface SoughtPlace {
  /** Numbers count the elements of the live object, or those that `within` names in turn. */
  readonly path: Path;
  readonly within?: readonly string[];
  /** The order of the named elements there. */
  readonly isOrder?: true;
}

/** The value of each form of an object at one place, by meaning, and whether two forms have the same. */
function comparisonAt(
  definition: ResourceDefinition,
  { path, within = [], isOrder }: SoughtPlace,
  present: JsonObject,
) {
  const [first = "", ...inside] = path;
  const name = String(first);
  const names = within.values();
  const steps = within.length > 0 ? inside : namesFor(meaning(definition, name, present[name]), inside);
  const named = steps.map((step) => (typeof step === "number" ? (names.next().value ?? step) : step));
  // An element without a name has another number where the console has put one before it.
  const end = named.findIndex((step) => typeof step === "number");
  const known = named.slice(0, end < 0 ? named.length : end).map(String);
  const shown = (view: JsonObject): unknown => {
    const value = valueIn(meaning(definition, name, view[name]), known);
    return isOrder === true ? orderOf(value) : value;
  };
  return {
    isSame: (one: JsonObject, other: JsonObject): boolean =>
      known.length === 0 && isOrder !== true
        ? sameMeaning(definition, name, one[name], other[name])
        : equalJson(shown(one), shown(other)),
    /** True where one of two forms has the place and the other has not: an element that came, went or got another name. */
    isThereOnce: (one: JsonObject, other: JsonObject): boolean =>
      known.length > 0 && (shown(one) === undefined) !== (shown(other) === undefined),
  };
}

type ComparisonAt = ReturnType<typeof comparisonAt>;

/** True where the last change of an object is all that happened to it since this stack made it, and changed all these places. */
function isChangedOnce({ definition, state, live }: SeenLive, places: readonly ComparisonAt[]): boolean {
  const [before, now] = [state, live].map((values) => auditOf(definition, values).version);
  const [seen, view] = [state, live].map((values) => viewOf(definition, values)) as [JsonObject, JsonObject];
  return before === 1 && now === 2 && places.every((place) => !place.isSame(seen, view));
}

/**
 * Authors and times of the changes that gave these places of an object their values, by its versions: the last change may be one of
 * another place, such as a pipeline's. Of an object without versions it is all that reads show. @throws ConsoleError
 */
export async function changesOfPlaces<P extends SoughtPlace>(
  object: SeenLive,
  sought: readonly P[],
): Promise<ReadonlyMap<P, Change>> {
  const { definition, state, live } = object;
  const [seen, present] = [viewOf(definition, state), viewOf(definition, live)];
  const places = new Map(sought.map((one) => [one, comparisonAt(definition, one, present)]));
  // A pipeline may have changed the rest of an element that a person had added or named: it is that person's all the same.
  const comes = new Set(sought.filter((one) => places.get(one)?.isThereOnce(seen, present)));
  const [found, likely] = [new Map<P, Change>(), new Map<P, Change>()];
  const isRead = keepsForms(definition) && !isChangedOnce(object, [...places.values()]);
  let newer = live;
  if (isRead && sought.length > 0)
    for await (const form of formerForms(object)) {
      const [then, now] = [form, newer].map((one) => viewOf(definition, { ...live, ...one })) as [
        JsonObject,
        JsonObject,
      ];
      const change = lastChangeOf(definition, newer);
      for (const [one, place] of places) {
        if (found.has(one) || place.isSame(then, now)) continue;
        const isFound = !comes.has(one) || typeof change.by === "string" || place.isThereOnce(then, now);
        if (isFound) found.set(one, change);
        else if (!likely.has(one)) likely.set(one, change);
      }
      newer = form;
      if (found.size === places.size) break;
    }
  const isWhole = !isRead || auditOf(definition, newer).version === 1;
  const first = isWhole ? lastChangeOf(definition, newer) : unknown;
  return new Map(sought.map((one) => [one, found.get(one) ?? likely.get(one) ?? first]));
}

/** The same for a message: each change once. Where the versions cannot be read, the last change of the object. */
export async function changesForMessage(
  object: SeenLive,
  sought: readonly SoughtPlace[],
): Promise<{ readonly isLast: boolean; readonly text: string }> {
  const last = lastChangeOf(object.definition, object.live);
  const found = await changesOfPlaces(object, sought).catch(
    withoutAnswer<ReadonlyMap<SoughtPlace, Change>>(new Map()),
  );
  const texts = new Set([...(found.size === 0 ? [last] : found.values())].map(changeText));
  return { isLast: texts.size === 1 && texts.has(changeText(last)), text: [...texts].join(" and ") };
}
