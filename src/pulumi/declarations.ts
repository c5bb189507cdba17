import { equalJson, type JsonObject } from "../core/json";

/** What a run learns between the check of a resource and the call that comes of it. */
export interface Declaration {
  /** What the program says. */
  readonly args: JsonObject;
  /** Undoes what the diff or the create of the resource has noted. */
  takeBack?: () => void;
}

/** By the name that the program gives the object: of resources that have a state, and of those that are to be made. */
const known = new Map<string, Declaration>();
const fresh = new Map<string, Declaration>();

/**
 * Notes a check. The same arguments checked once more, without those of last time, are the same resource and not a second
 * one: Pulumi replaces it although its diff did not ask for that, because an earlier replacement was left half done or
 * because the program says replaceOnChanges; or it creates anew what it could not record.
 */
export function noteCheck(object: string, args: JsonObject, hasState: boolean): void {
  if (hasState) {
    known.set(object, { args });
    return;
  }
  for (const declarations of [known, fresh]) {
    const before = declarations.get(object);
    if (before !== undefined && equalJson(before.args, args)) before.takeBack?.();
  }
  fresh.set(object, { args });
}

/** The declaration of a resource that has a state; undefined while the program has declared none. */
export function declarationOf(object: string): Declaration | undefined {
  return known.get(object);
}

const dependents = new Set<string>();

/** Notes an object for whose difference Pulumi asks before the program has declared it. */
export function noteDependent(object: string): void {
  dependents.add(object);
}

/**
 * True for an object that takes outputs of one that is replaced: before it deletes that one, Pulumi asks for the difference
 * of all such objects, and it updates them once the new one is there.
 */
export function isDependent(object: string): boolean {
  return dependents.has(object);
}

const looked = new Set<string>();

/** Notes that an object was read, by its id. */
export function noteRead(object: string): void {
  looked.add(object);
}

/**
 * True for the diff of a refresh: it is the first after a read, of what the program may have dropped, too, and nothing is
 * checked before. Asking uses the read up. `declared`: the object by the name that the program gives it.
 */
export function isOfRefresh(object: string, declared: string): boolean {
  return looked.delete(object) && !known.has(declared) && !fresh.has(declared);
}

/** Notes a create, and how to take back that its resource holds the object. */
export function noteCreate(object: string, takeBack: () => void): void {
  const declaration = fresh.get(object);
  if (declaration !== undefined) declaration.takeBack = takeBack;
}
