import { auditOf, type Change, changeText, lastChangeOf } from "../../schema/audit";
import { type ResourceDefinition, routeOf } from "../../schema/define";
import { withoutAnswer } from "../../schema/errors";
import type { JsonObject } from "../../schema/json";
import { fromWire } from "../../schema/wire-names";
import { sameMeaning } from "../../values/compare";
import { viewOf } from "../../values/managed";
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

/** True where the last change of an object is all that happened to it since this stack made it, and changed all these fields. */
function isChangedOnce({ definition, state, live }: SeenLive, names: readonly string[]): boolean {
  const [before, now] = [state, live].map((values) => auditOf(definition, values).version);
  const [seen, view] = [state, live].map((values) => viewOf(definition, values));
  const isChanged = (name: string) => !sameMeaning(definition, name, seen?.[name], view?.[name]);
  return before === 1 && now === 2 && names.every(isChanged);
}

/**
 * Authors and times of the changes that gave these fields of an object their values, by its versions: the last change may be one of
 * another field, such as a pipeline's. Of an object without versions it is all that reads show. @throws ConsoleError
 */
export async function changesOfFields(
  object: SeenLive,
  names: readonly string[],
): Promise<ReadonlyMap<string, Change>> {
  const { definition, live } = object;
  const found = new Map<string, Change>();
  const isRead = keepsForms(definition) && !isChangedOnce(object, names);
  let newer = live;
  if (isRead && names.length > 0)
    for await (const form of formerForms(object)) {
      const [then, now] = [form, newer].map((one) => viewOf(definition, { ...live, ...one }));
      for (const name of names)
        if (!found.has(name) && !sameMeaning(definition, name, then?.[name], now?.[name]))
          found.set(name, lastChangeOf(definition, newer));
      newer = form;
      if (names.every((name) => found.has(name))) break;
    }
  const isWhole = !isRead || auditOf(definition, newer).version === 1;
  const first = isWhole ? lastChangeOf(definition, newer) : unknown;
  return new Map(names.map((name) => [name, found.get(name) ?? first]));
}

/** The same for a message: each change once. Where the versions cannot be read, the last change of the object. */
export async function changesForMessage(
  object: SeenLive,
  names: readonly string[],
): Promise<{ readonly isLast: boolean; readonly text: string }> {
  const last = lastChangeOf(object.definition, object.live);
  const found = await changesOfFields(object, names).catch(
    withoutAnswer<ReadonlyMap<string, Change>>(new Map()),
  );
  const texts = new Set([...(found.size === 0 ? [last] : found.values())].map(changeText));
  return { isLast: texts.size === 1 && texts.has(changeText(last)), text: [...texts].join(" and ") };
}
