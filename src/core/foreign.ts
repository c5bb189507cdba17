import type { ResourceDefinition } from "./define";
import { equalJson, isObject, type JsonObject } from "./json";
import { memoized } from "./memoized";

/**
 * What stands in a field beside what the program says there is no drift, and a write leaves it where it is: elements that the
 * console adds to a list while a flag of the object is on (fact `growsWhile`), and members of an object that the program
 * leaves out (`keepsOthers`). A program's own are the elements that it says or has said before, and the members that it says.
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
  const said = sharedNames(definition, sides).map((name) => {
    const members = Object.keys(objectIn(sides.wants, name) ?? objectIn(sides.known, name) ?? {});
    const live = Object.entries(objectIn(sides.live, name) ?? {});
    return [name, Object.fromEntries(live.filter(([member]) => members.includes(member)))];
  });
  if (own.length + said.length === 0) return sides.live;
  return { ...sides.live, ...Object.fromEntries([...own, ...said]) };
}

/** Values to send, with the elements that are not the program's at the end. */
export function withForeign(definition: ResourceDefinition, changes: JsonObject, sides: Sides): JsonObject {
  const merged = growingNames(definition, sides)
    .filter((name) => name in changes)
    .map((name): [string, unknown] => [name, [...listIn(changes, name), ...foreignIn(name, sides)]]);
  for (const name of sharedNames(definition, sides)) {
    const said = objectIn(changes, name);
    if (said !== undefined) merged.push([name, { ...objectIn(sides.live, name), ...said }]);
  }
  return merged.length === 0 ? changes : { ...changes, ...Object.fromEntries(merged) };
}

/** Lists to which the console adds now. */
function growingNames(definition: ResourceDefinition, { live, wants, known }: Sides): string[] {
  return namesOf(definition).growing.filter((name) => {
    if (!Array.isArray(live[name])) return false;
    const flag = definition.fields[name]?.facts.growsWhile as string;
    const isManaged = wants[name] !== undefined || known[name] !== undefined;
    return isManaged && (wants[flag] ?? live[flag]) === true;
  });
}

/** Fields whose objects the program shares with others. */
function sharedNames(definition: ResourceDefinition, { live, wants, known }: Sides): string[] {
  return namesOf(definition).shared.filter((name) => {
    const isManaged = wants[name] !== undefined || known[name] !== undefined;
    return isManaged && objectIn(live, name) !== undefined;
  });
}

/** Few kinds have such fields, and every comparison asks. */
const namesOf = memoized(({ fields }: ResourceDefinition) => ({
  growing: Object.keys(fields).filter((name) => fields[name]?.facts.growsWhile !== undefined),
  shared: Object.keys(fields).filter((name) => fields[name]?.facts.keepsOthers === true),
}));

function objectIn(values: JsonObject, name: string): JsonObject | undefined {
  const value = values[name];
  return isObject(value) ? value : undefined;
}

function foreignIn(name: string, { live, wants, known }: Sides): unknown[] {
  const own = [...listIn(wants, name), ...listIn(known, name)];
  return listIn(live, name).filter((one) => !own.some((other) => equalJson(one, other)));
}

function listIn(values: JsonObject, name: string): unknown[] {
  const list = values[name];
  return Array.isArray(list) ? list : [];
}
