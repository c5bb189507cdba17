import { selfMember } from "../core/internal";
import type { JsonObject } from "../core/json";
import { managedMember } from "../core/managed";

/**
 * Which resources hold which objects, as far as this run has made them or seen them in state. A second resource must not
 * take an object that is held; and a resource that the program dropped or renamed must not take it away from another one
 * that holds it now. Objects are named as `kind id`.
 */
export class Holders {
  readonly #holders = new Map<string, Set<string>>();
  readonly #unfinished = new Set<string>();
  readonly #turns = new Map<string, Promise<unknown>>();

  isHeld(object: string): boolean {
    return this.#holders.has(object) && !this.#unfinished.has(object);
  }

  add(object: string, holder: string): void {
    const known = this.#unfinished.delete(object) ? undefined : this.#holders.get(object);
    if (known === undefined) this.#holders.set(object, new Set([holder]));
    else known.add(holder);
  }

  /** A create failed when it had the object already: it is safe from deletes, and another attempt may have it. */
  leaveUnfinished(object: string): void {
    this.#unfinished.add(object);
  }

  /** True when a resource other than this one holds it. */
  isHeldBeside(object: string, holder: string): boolean {
    return [...(this.#holders.get(object) ?? [])].some((one) => one !== holder);
  }

  /** This resource does not hold it any more. */
  leave(object: string, holder: string): void {
    const known = this.#holders.get(object);
    if (known?.delete(holder) && known.size === 0) this.free(object);
  }

  /** Nobody holds it any more. */
  free(object: string): void {
    this.#holders.delete(object);
    this.#unfinished.delete(object);
  }

  /** Creates of one object wait for each other: what the first has made, the second must find held. */
  inTurn<T>(object: string, create: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(object) ?? Promise.resolve();
    const turn = before.then(create, create);
    this.#turns.set(object, turn);
    return turn.finally(() => {
      if (this.#turns.get(object) === turn) this.#turns.delete(object);
    });
  }
}

/** The resource of a state or of the arguments of a create. States that do not tell count as one and the same. */
export function holderOf(values: JsonObject): string {
  return String(values[selfMember] ?? "");
}

/** True for what a resource has in state, false for what a caller has made up. */
export function isStored(values: JsonObject): boolean {
  return values[managedMember] !== undefined;
}
