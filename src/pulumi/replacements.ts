import type { JsonObject } from "../core/json";

/**
 * What this run knows of replacements. Pulumi tells neither a delete nor a create that it is half of one, but it calls
 * the diff that announces it before both, in the same process.
 */
const announced = new Set<string>();
const gone = new Set<string>();

/** A diff found that the object has to be replaced. */
export function announceReplacement(object: string): void {
  announced.add(object);
}

/** True when the object that is being deleted makes room for another. */
export function makesRoom(object: string): boolean {
  if (!announced.delete(object)) return false;
  gone.add(object);
  return true;
}

/** Arguments without an import that named an object which has just made room: it was fulfilled long ago. */
export function withoutFulfilledImport(inputs: JsonObject, nameOf: (id: string) => string): JsonObject {
  const { __adopt: imported, ...rest } = inputs;
  return typeof imported === "string" && gone.has(nameOf(imported)) ? rest : inputs;
}
