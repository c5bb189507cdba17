import type { ResourceDefinition } from "./define";
import { equalJson, type JsonObject } from "./json";

/**
 * Lists to which the console adds elements of its own while a flag of the object is on (fact `growsWhile`): those are no
 * drift, and a write leaves them where they are. A program's own are the elements that it says or has said before.
 */
export interface Sides {
  readonly live: JsonObject;
  readonly wants: JsonObject;
  /** What the program said before. */
  readonly known: JsonObject;
}

/** The live object without elements that are not the program's. */
export function withoutForeign(definition: ResourceDefinition, sides: Sides): JsonObject {
  const own = growingNames(definition, sides).map((name) => {
    const foreign = foreignIn(name, sides);
    return [name, listIn(sides.live, name).filter((one) => !foreign.includes(one))];
  });
  return own.length === 0 ? sides.live : { ...sides.live, ...Object.fromEntries(own) };
}

/** Values to send, with the elements that are not the program's at the end. */
export function withForeign(definition: ResourceDefinition, changes: JsonObject, sides: Sides): JsonObject {
  const merged = growingNames(definition, sides)
    .filter((name) => name in changes)
    .map((name) => [name, [...listIn(changes, name), ...foreignIn(name, sides)]]);
  return merged.length === 0 ? changes : { ...changes, ...Object.fromEntries(merged) };
}

function growingNames(definition: ResourceDefinition, { live, wants, known }: Sides): string[] {
  return Object.entries(definition.fields).flatMap(([name, { facts }]) => {
    if (facts.growsWhile === undefined || !Array.isArray(live[name])) return [];
    const isManaged = wants[name] !== undefined || known[name] !== undefined;
    return isManaged && (wants[facts.growsWhile] ?? live[facts.growsWhile]) === true ? [name] : [];
  });
}

function foreignIn(name: string, { live, wants, known }: Sides): unknown[] {
  const own = [...listIn(wants, name), ...listIn(known, name)];
  return listIn(live, name).filter((one) => !own.some((other) => equalJson(one, other)));
}

function listIn(values: JsonObject, name: string): unknown[] {
  const list = values[name];
  return Array.isArray(list) ? list : [];
}
