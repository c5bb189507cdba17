import { resourceMember, selfMember } from "../schema/internal";
import type { JsonObject } from "../schema/json";
import { managedMember } from "../values/managed";

/** Owner of an object: `self` tells a state from every other one, `resource` is the digest of a URN where one is known. */
export interface Owner {
  readonly self: string;
  readonly resource: string | undefined;
}

/**
 * Which resources own which objects, as far as this run has made them or found them in state. A second resource must not
 * take an object that is owned; and a resource that the program dropped or renamed must not take it away from another one
 * that owns it now. Objects are named as `kind id`.
 */
export class Ownership {
  readonly #owners = new Map<string, Map<string, string | undefined>>();
  readonly #unfinished = new Set<string>();
  readonly #archived = new Set<string>();
  readonly #foreign = new Set<string>();
  readonly #turns = new Map<string, Promise<unknown>>();

  /** Which resource owns it, as this one sees it. */
  ownedBy(object: string, resource: string | undefined): "nobody" | "itself" | "another" {
    if (!this.#owners.has(object) || this.#unfinished.has(object)) return "nobody";
    const resources = [...(this.#owners.get(object)?.values() ?? [])];
    return resource !== undefined && resources.every((one) => one === resource) ? "itself" : "another";
  }

  /** Resources that own it, as far as they are known. */
  resourcesOf(object: string): string[] {
    return [...(this.#owners.get(object)?.values() ?? [])].flatMap((resource) => resource ?? []);
  }

  claim(object: string, { self, resource }: Owner): void {
    const known = this.#unfinished.delete(object) ? undefined : this.#owners.get(object);
    this.#archived.delete(object);
    this.#foreign.delete(object);
    if (known === undefined) this.#owners.set(object, new Map([[self, resource]]));
    else known.set(self, resource);
  }

  /** A create failed when it had the object already: it is safe from deletes, and another attempt may have it. */
  releaseToRetry(object: string): void {
    this.#unfinished.add(object);
  }

  /** True when a resource other than this one owns it. */
  isOwnedByOther(object: string, self: string): boolean {
    return [...(this.#owners.get(object)?.keys() ?? [])].some((one) => one !== self);
  }

  /** This resource does not own it any more. */
  release(object: string, self: string): void {
    const known = this.#owners.get(object);
    if (known?.delete(self) && known.size === 0) this.releaseByAll(object);
  }

  /** Nobody owns it any more. */
  releaseByAll(object: string): void {
    this.#owners.delete(object);
    this.#unfinished.delete(object);
  }

  /** The console has another object in its place than state has: it is nobody's here. */
  noteForeign(object: string): void {
    this.releaseByAll(object);
    this.#foreign.add(object);
  }

  /** True where this run has seen another object in its place than state has, and nobody has taken that over since. */
  isForeign(object: string): boolean {
    return this.#foreign.has(object);
  }

  /** This run has archived it. */
  noteArchived(object: string): void {
    this.#archived.add(object);
  }

  /** True when this run has archived it and nobody has had it since. */
  isArchivedHere(object: string): boolean {
    return this.#archived.has(object);
  }

  /** Creates of one object wait for each other: what the first has made, the second must find owned. */
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
export function ownerOf(values: JsonObject): Owner {
  const resource = values[resourceMember];
  return {
    self: String(values[selfMember] ?? ""),
    resource: typeof resource === "string" ? resource : undefined,
  };
}

/** True for what a resource has in state, false for what a caller has made up. */
export function isStored(values: JsonObject): boolean {
  return values[managedMember] !== undefined;
}
