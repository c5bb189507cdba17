import { selfMember } from "../core/internal";
import type { JsonObject } from "../core/json";
import { managedMember } from "../core/managed";

/**
 * Which resources hold which objects, as far as this run has made them or seen them in state. A second resource must not
 * take an object that is held; and a resource that the program dropped or renamed must not take it away from another one
 * that holds it now.
 */
export class Holders {
  readonly #holders = new Map<string, Set<string>>();

  /** `object`: as `kind id`. */
  isHeld(object: string): boolean {
    return this.#holders.has(object);
  }

  add(object: string, holder: string): void {
    const known = this.#holders.get(object);
    if (known === undefined) this.#holders.set(object, new Set([holder]));
    else known.add(holder);
  }

  /** True when a resource other than this one holds it. */
  isHeldBeside(object: string, holder: string): boolean {
    return [...(this.#holders.get(object) ?? [])].some((one) => one !== holder);
  }

  /** The object is gone, or could not be taken. */
  free(object: string): void {
    this.#holders.delete(object);
  }
}

/** The resource of a state or of the arguments of a create. Those that do not tell count as one and the same. */
export function holderOf(values: JsonObject): string {
  return String(values[selfMember] ?? "");
}

/** True for what a resource has in state, false for what a caller has made up. */
export function isState(values: JsonObject): boolean {
  return values[managedMember] !== undefined;
}
