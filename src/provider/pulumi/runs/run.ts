import type { JsonObject } from "../../schema/json";
import { type SecretTexts, withoutSecrets } from "../../texts/secret-texts";
import type { StoredAs } from "./exported-state";

/** A resource of the program, as a check tells it. */
export interface Declared {
  /** Digest of its URN; undefined where the caller is no program of ours. */
  readonly resource: string | undefined;
  /** The name that the program gives it. */
  readonly name: string;
  /** Its URN, where the program tells it. */
  readonly urn?: string | undefined;
  /** The object that it names, as `kind id`. */
  readonly object: string;
  /** The object by what the program calls it: the same, but where the console makes the id of that argument. */
  readonly calledAs: string;
}

/** Another resource that has to do with the same object. */
export interface Conflict {
  readonly name: string;
  /** It names the object too, or has it replaced in this run. */
  readonly how: "declares" | "gives-up";
}

/** What a diff has compared: the id of an object, and what state says of it. */
export interface ComparedObject {
  readonly id: string;
  readonly state: JsonObject;
}

/** A dependent that is replaced before the program has declared it, and the arguments whose change does it. */
export interface ReplacedDependent extends ComparedObject {
  readonly names: readonly string[];
}

/**
 * What a refresh found: something to be compared; a state that is another one now, about which the program says nothing;
 * or it did not read it.
 */
export type ReadResult = "as-compared" | "moved" | "unread";

/**
 * What a run learns between Pulumi's calls, which tell neither why they come nor what comes next. One for each process, and
 * Pulumi starts a process for each operation. Events come in, questions are answered; nothing is guessed from equal
 * arguments: a resource is told by the digest of its URN.
 */
export class Run {
  readonly #names = new Map<string, string>();
  readonly #urns = new Map<string, string>();
  readonly #declared = new Map<string, string>();
  readonly #imports = new Map<string, string>();
  readonly #adopters = new Map<string, string>();
  readonly #states = new Map<string, string>();
  readonly #storedAs = new Map<string, StoredAs>();
  readonly #checked = new Set<string>();
  readonly #keptNames = new Map<string, JsonObject>();
  readonly #compared = new Map<string, ComparedObject>();
  readonly #replacedDependents = new Map<string, ReplacedDependent>();
  readonly #namesInState = new Map<string, string>();
  readonly #adoptedNames = new Map<string, string>();
  readonly #replaced = new Map<string, string | undefined>();
  readonly #deleted = new Set<string>();
  readonly #dependents = new Set<string>();
  readonly #createsFirst = new Set<string>();
  readonly #read = new Map<string, ReadResult>();
  readonly #omitted = new Map<string, readonly string[]>();
  readonly #secrets = new Map<string, SecretTexts>();
  /** Arguments that hold secrets, by resource. */
  readonly #secretNames = new Map<string, ReadonlySet<string>>();

  /** The program declares a resource. @returns the other resource that has to do with the same object, if there is one. */
  checked({ resource, name, urn, object, calledAs }: Declared, isUnique: boolean): Conflict | undefined {
    this.#checked.add(calledAs);
    if (resource === undefined) return undefined;
    this.#checked.add(resource);
    this.#names.set(resource, name);
    if (urn !== undefined) this.#urns.set(resource, urn);
    if (!isUnique) return undefined;
    const before = this.#declared.get(object);
    if (before !== undefined && before !== resource) return this.#conflict(before, "declares");
    const replaced = this.#replaced.get(object);
    if (replaced !== undefined && replaced !== resource) return this.#conflict(replaced, "gives-up");
    this.#declared.set(object, resource);
    return undefined;
  }

  #conflict(resource: string, how: Conflict["how"]): Conflict {
    return { name: this.#names.get(resource) ?? "another", how };
  }

  /** A check found that a create is to take over the object of this id. @returns whether the create can find it here. */
  importing(resource: string | undefined, id: unknown): boolean {
    if (resource === undefined || typeof id !== "string") return false;
    this.#imports.set(resource, id);
    return true;
  }

  /** A preview found that the create of a resource takes over an object that is there; the first one that does counts. */
  adopting(object: string, resource: string | undefined): void {
    if (resource !== undefined && !this.#adopters.has(object)) this.#adopters.set(object, resource);
  }

  /** The program has a resource's successor created before the old object goes (`deleteBeforeReplace: false`). */
  createsFirst(resource: string | undefined): void {
    if (resource !== undefined) this.#createsFirst.add(resource);
  }

  /** True where {@link createsFirst} was said. */
  isCreatedFirst(resource: unknown): boolean {
    return typeof resource === "string" && this.#createsFirst.has(resource);
  }

  /** A check shows the arguments of last time: the state of the resource has this object. */
  hasState(resource: string | undefined, object: string): void {
    if (resource !== undefined) this.#states.set(resource, object);
  }

  /** A check of an update shows nothing of the resource's state, and where it would be. */
  storedAs(resource: string | undefined, stored: StoredAs | undefined): void {
    if (resource !== undefined && stored !== undefined) this.#storedAs.set(resource, stored);
  }

  /** Where state has a resource of which nothing was shown. */
  placeInState(resource: string): StoredAs | undefined {
    return this.#storedAs.get(resource);
  }

  /**
   * A resource has an object of this name in its state, or is to take over whichever has it. The console may have several
   * of a name. @returns the name of another resource that is the other of the two.
   */
  named(resource: string | undefined, calledAs: string, how: "in-state" | "takes"): string | undefined {
    if (resource === undefined) return undefined;
    const [own, others] =
      how === "takes" ? [this.#adoptedNames, this.#namesInState] : [this.#namesInState, this.#adoptedNames];
    own.set(calledAs, resource);
    const other = others.get(calledAs);
    return other === undefined || other === resource ? undefined : (this.#names.get(other) ?? "another");
  }

  /** True where the state of a resource has an object, as far as its arguments tell. */
  isInState(resource: string, object: string): boolean {
    return this.#states.get(resource) === object;
  }

  /** A check found names that an object keeps although its resource is called otherwise now. */
  keptNames(resource: string | undefined, names: JsonObject): void {
    if (resource !== undefined) this.#keptNames.set(resource, names);
  }

  /** A check found arguments that the program no longer gives. */
  omitted(resource: string | undefined, names: readonly string[]): void {
    if (resource !== undefined) this.#omitted.set(resource, names);
  }

  /** A check found what of the arguments is a secret. */
  hasSecrets(resource: string | undefined, secrets: SecretTexts, names: Iterable<string>): void {
    if (resource === undefined) return;
    if (secrets.length > 0) this.#secrets.set(resource, secrets);
    this.#secretNames.set(resource, new Set(names));
  }

  /** True for an argument of a resource that holds a secret of the program. */
  isSecret(resource: unknown, name: string): boolean {
    return typeof resource === "string" && this.#secretNames.get(resource)?.has(name) === true;
  }

  /** A text about a resource without its secrets; about nobody in particular, without those of any. */
  withoutSecrets(text: string, resource?: unknown): string {
    const own = typeof resource === "string" ? [this.#secrets.get(resource) ?? []] : this.#secrets.values();
    return [...own].reduce(withoutSecrets, text);
  }

  /** A diff has compared the object of a resource that the program declares. */
  compared(resource: unknown, { id, state }: ComparedObject): void {
    if (typeof resource === "string") this.#compared.set(resource, { id, state });
  }

  /**
   * What a resource has in state. Asked by a check without the arguments of last time, it is what Pulumi is about to
   * replace: it checks the arguments of a replacement a second time.
   */
  comparedOf(resource: string | undefined): ComparedObject | undefined {
    return resource === undefined ? undefined : this.#compared.get(resource);
  }

  /**
   * Pulumi replaces a dependent of what is replaced by its arguments of last time: what the program says of it now, nobody
   * has seen yet.
   */
  replacingDependent(resource: unknown, dependent: ReplacedDependent): void {
    if (typeof resource === "string") this.#replacedDependents.set(resource, dependent);
  }

  /** What a resource that was replaced by its arguments of last time had in state. */
  replacedDependentOf(resource: string | undefined): ReplacedDependent | undefined {
    return resource === undefined ? undefined : this.#replacedDependents.get(resource);
  }

  /** True for an object that a diff found has to be replaced. */
  isReplaced(object: string): boolean {
    return this.#replaced.has(object);
  }

  /** An object is replaced. */
  replacing(object: string, resource: unknown): void {
    this.#replaced.set(object, typeof resource === "string" ? resource : undefined);
  }

  /**
   * Pulumi asks for the difference of an object before the program has declared it, and not in a refresh: the object takes
   * outputs of one that is replaced.
   */
  updatingDependent(object: string): void {
    this.#dependents.add(object);
  }

  /** A refresh has read an object. */
  read(object: string, result: ReadResult): void {
    this.#read.set(object, result);
  }

  /** An object is deleted. @returns whether it is replaced. */
  deleting(object: string): boolean {
    // Told to replace a resource, Pulumi does not ask for its difference.
    this.#deleted.add(object);
    return this.#replaced.delete(object);
  }

  /** True where the program has declared the resource, or one that names the object. */
  isDeclared(resource: unknown, calledAs: string): boolean {
    return this.#checked.has(typeof resource === "string" ? resource : calledAs);
  }

  /** True where the program has this resource go on with the object. */
  declares(resource: string | undefined, object: string): boolean {
    return resource !== undefined && this.#declared.get(object) === resource;
  }

  /** The name of another resource than this one that the program declares for an object. */
  declarerOf(object: string, resource: unknown): string | undefined {
    const declarer = this.#declared.get(object);
    return declarer === undefined || declarer === resource ? undefined : this.#names.get(declarer);
  }

  /** The name of another resource than this one whose create takes an object over. */
  adopterOf(object: string, resource: unknown): string | undefined {
    const adopter = this.#adopters.get(object);
    return adopter === undefined || adopter === resource
      ? undefined
      : (this.#names.get(adopter) ?? "another");
  }

  /** The object that a create is to take over. */
  importOf(resource: unknown): string | undefined {
    return typeof resource === "string" ? this.#imports.get(resource) : undefined;
  }

  /**
   * What a refresh found of the object that it compares now: a refresh reads, and compares before anything is declared.
   * Asking uses the read up. Undefined for any other diff.
   */
  refreshed(object: string, isDeclared: boolean): ReadResult | undefined {
    const read = this.#read.get(object);
    this.#read.delete(object);
    return isDeclared ? undefined : read;
  }

  /** True for an object that is updated in this run because it takes outputs of one that is replaced. */
  isDependent(object: string): boolean {
    return this.#dependents.has(object);
  }

  /** True for an object that was given up in this run. */
  isDeleted(object: string): boolean {
    return this.#deleted.has(object);
  }

  /** What the program calls a resource. */
  namesOfResource(resource: string): { name: string; urn?: string } | undefined {
    const [name, urn] = [this.#names.get(resource), this.#urns.get(resource)];
    if (name === undefined) return undefined;
    return { name, ...(urn === undefined ? {} : { urn }) };
  }

  /** The names that the object of a resource keeps; for the check of a replacement, which does not see the state. */
  namesOf(resource: string | undefined): JsonObject | undefined {
    return resource === undefined ? undefined : this.#keptNames.get(resource);
  }

  /** Arguments that the program of this run no longer gives. */
  omittedNames(resource: unknown): readonly string[] {
    return (typeof resource === "string" ? this.#omitted.get(resource) : undefined) ?? [];
  }
}
