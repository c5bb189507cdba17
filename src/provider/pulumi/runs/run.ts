import type { Replaced } from "../../decisions/replacement-order";
import type { ResourceNames } from "../../engine";
import type { JsonObject } from "../../schema/json";
import { keptIn } from "../../schema/memoized";
import { type SecretTexts, withoutSecrets } from "../../texts/secret-texts";
import type { ProgramNote } from "../arguments/program-note";

/** A resource of the program, as a check shows it. */
export interface Declared extends ResourceNames {
  /** Digest of its URN; undefined where the caller is no program of ours. */
  readonly resource: string | undefined;
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

/** An object that another one replaces, by its name as well: `kind id`. */
export interface ReplacedObject extends Replaced {
  readonly object: string;
}

/** A replaced object, such as a dependent before the program has declared it, and the arguments whose change does it. */
export interface ReplacedDependent extends Replaced {
  readonly names: readonly string[];
}

/**
 * Finding of a refresh: something to be compared; a state that is another one now, about which the program says nothing;
 * or it did not read it.
 */
export type ReadResult = "as-compared" | "moved" | "unread";

/** Findings of a run about a resource. */
export interface ResourceRecord {
  /** Its names in the program; undefined until it is declared. */
  names?: ResourceNames;
  /** The id of the object that its create is to take over. */
  imports?: string;
  /** The note of its program. */
  note?: ProgramNote;
  /** The object in whose place its next create makes another one. */
  replaces?: ReplacedObject;
  /** Its object is in another console, and stays there. */
  isElsewhere?: boolean;
  /** The object that its state has, as `kind id`. A check shows it by the arguments of last time. */
  inState?: string;
  /** Names that its object keeps although the resource is called otherwise now. The check of a replacement does not see the state. */
  keptNames?: JsonObject;
  /** Arguments that the program no longer gives. */
  omitted?: readonly string[];
  /** Paths that Pulumi ignores, as its program notes them: a check has judged them. */
  judgedPaths?: readonly string[];
  /** Paths that Pulumi ignores, as a diff shows them, and the arguments of last time. */
  ignored?: { readonly paths: readonly string[]; readonly args: JsonObject };
  /** Secrets among its arguments. */
  secrets?: SecretTexts;
  /** Arguments that hold secrets. */
  secretNames?: ReadonlySet<string>;
  /**
   * Subject of the diff since it was declared. In a check without the arguments of last time, it is what Pulumi is
   * about to replace: Pulumi checks the arguments of a replacement a second time.
   */
  compared?: Replaced;
  /** Pulumi replaces it by its arguments of last time, before the program has declared it. */
  replacedDependent?: ReplacedDependent;
}

/** Findings of a run about an object. Resources are digests. */
export interface ObjectRecord {
  /** A resource that calls it by this name is declared. */
  isCalled?: boolean;
  /** The resource that has it, where its inputs in state do not show that. */
  resource?: string;
  /** The resource that names it. */
  declarer?: string;
  /** The resource that calls it by this name and whose create has failed in this run. */
  failedCreate?: string;
  /** The first resource whose create takes it over, as a preview found. */
  adopter?: string | undefined;
  /** The resource that has an object of this name in its state. */
  nameHolder?: string;
  /** The resource that is to take over the object of this name. */
  nameAdopter?: string;
  /** It has to be replaced; for which resource, where that is known. */
  replaced?: { readonly by: string | undefined };
  /** Another object has its place: it was created first. */
  hasSuccessor?: boolean;
  /** Members that state would note of it since this run took its name for its successor. */
  renamed?: JsonObject;
  /** It was given up in this run. Told to replace a resource, Pulumi does not ask for its difference. */
  isDeleted?: boolean;
  /**
   * Pulumi asked for its difference before the program has declared it, and not in a refresh: it takes outputs of one
   * that is replaced.
   */
  isDependent?: boolean;
  /** A refresh has found another object in its place. */
  isOther?: boolean;
  /** Finding of a refresh. */
  read?: ReadResult | undefined;
}

/**
 * Findings of a run between Pulumi's calls, which tell neither why they come nor what comes next. One for each process, and
 * Pulumi starts a process for each operation. Nothing is guessed from equal arguments: a resource is known by the digest
 * of its URN, an object by `kind id`.
 */
export class Run {
  readonly #resources = new Map<string, ResourceRecord>();
  readonly #objects = new Map<string, ObjectRecord>();

  /** Findings about a resource, to be read and written. Nothing is kept where the caller is no program of ours. */
  resource(digest: unknown): ResourceRecord {
    return typeof digest === "string"
      ? keptIn<string, ResourceRecord>(this.#resources, digest, () => ({}))
      : {};
  }

  /** Findings about an object, to be read and written. */
  object(name: string): ObjectRecord {
    return keptIn<string, ObjectRecord>(this.#objects, name, () => ({}));
  }

  /** The program declares a resource. @returns the other resource that has to do with the same object, if there is one. */
  declare({ resource, object, calledAs, ...names }: Declared, isUnique: boolean): Conflict | undefined {
    this.object(calledAs).isCalled = true;
    if (resource === undefined) return undefined;
    this.resource(resource).names = names;
    if (!isUnique) return undefined;
    const record = this.object(object);
    const conflict =
      this.#other(record.declarer, resource, "declares") ??
      this.#other(record.replaced?.by, resource, "gives-up");
    if (conflict === undefined) record.declarer = resource;
    return conflict;
  }

  #other(holder: string | undefined, resource: string, how: Conflict["how"]): Conflict | undefined {
    const name = this.nameOfOther(holder, resource);
    return name === undefined ? undefined : { name, how };
  }

  /** The name of a resource that is another one than this. */
  nameOfOther(other: string | undefined, resource: unknown): string | undefined {
    if (other === undefined || other === resource) return undefined;
    return this.resource(other).names?.name ?? "another";
  }

  /**
   * A resource has an object of this name in its state, or is to take over whichever has it. The console may have several
   * of a name. @returns the name of another resource that is the other of the two.
   */
  named(resource: string | undefined, calledAs: string, how: "in-state" | "takes"): string | undefined {
    if (resource === undefined) return undefined;
    const record = this.object(calledAs);
    record[how === "takes" ? "nameAdopter" : "nameHolder"] = resource;
    return this.nameOfOther(how === "takes" ? record.nameHolder : record.nameAdopter, resource);
  }

  /** A text about a resource without its secrets; where it is about none in particular, without those of any. */
  withoutSecrets(text: string, resource?: unknown): string {
    const about = typeof resource === "string" ? [this.resource(resource)] : [...this.#resources.values()];
    return about.reduce((left, { secrets = [] }) => withoutSecrets(left, secrets), text);
  }

  /** True where the program has declared the resource, or one that names the object. */
  isDeclared(resource: unknown, calledAs: string): boolean {
    return typeof resource === "string"
      ? this.resource(resource).names !== undefined
      : this.object(calledAs).isCalled === true;
  }

  /** The create of a resource has failed. `calledAs`: the object that it was to be. */
  createFailed(calledAs: string, resource: unknown): void {
    if (typeof resource === "string") this.object(calledAs).failedCreate = resource;
  }

  /**
   * Finding of a refresh about the object that it compares now: a refresh reads, and compares before anything is declared.
   * Asking uses the read up. Undefined for any other diff.
   */
  refreshed(object: string, isDeclared: boolean): ReadResult | undefined {
    const record = this.object(object);
    const { read } = record;
    record.read = undefined;
    return isDeclared ? undefined : read;
  }

  /** An object has to be replaced. */
  replacing(object: string, resource: unknown): void {
    this.object(object).replaced = { by: typeof resource === "string" ? resource : undefined };
  }

  /** The object that a create of a resource is to replace, while it is there. */
  replacedBy(resource: unknown): ReplacedObject | undefined {
    const { replaces } = this.resource(resource);
    return replaces === undefined || this.object(replaces.object).isDeleted === true ? undefined : replaces;
  }

  /** An object is deleted. @returns whether it makes room for another one. */
  deleting(object: string): boolean {
    const record = this.object(object);
    const isReplaced = record.replaced !== undefined && record.hasSuccessor !== true;
    record.isDeleted = true;
    delete record.replaced;
    return isReplaced;
  }
}

/**
 * Progress of a run, as a provider sees it: which resources Pulumi has shown to it, and what became of them. From
 * that, and from the number of resources that the program has declared, it estimates the writes that are left.
 */
export class RunProgress {
  #declared = 0;
  #checked = 0;
  /** Resources that were checked and not compared yet. */
  #open = 0;
  /** Resources that a write is sure to come for, or came for. */
  #writing = 0;
  #started = 0;

  /** A resource was checked; `isNew`: it has no state yet, so that it will be created. */
  checked(isNew: boolean, declared: unknown): void {
    if (typeof declared === "number") this.#declared = Math.max(this.#declared, declared);
    this.#checked += 1;
    if (isNew) this.#writing += 1;
    else this.#open += 1;
  }

  /** True where a program has shown a resource: a refresh and a destroy run none. */
  hasProgram(): boolean {
    return this.#checked > 0;
  }

  /** True once every resource that the program has declared so far has been shown. */
  isComplete(): boolean {
    return this.#declared > 0 && this.#checked >= this.#declared;
  }

  /** True where the program has not told how many resources it declares: nobody can say which is the last. */
  isUncounted(): boolean {
    return this.#declared === 0;
  }

  /** True once every resource that the program has declared so far has been compared too, and something is to be written. */
  endsWithWrites(): boolean {
    return this.isComplete() && this.#open === 0 && this.#writing > 0;
  }

  /** A checked resource was compared with its state. A refresh compares too, what was not checked. */
  compared(how: "nothing" | "update" | "replace"): void {
    if (this.#open === 0) return;
    this.#open -= 1;
    if (how === "update") this.#writing += 1;
    // Pulumi checks the arguments of a replacement a second time, as those of a new resource.
    if (how === "replace") this.#checked -= 1;
  }

  /** A create or an update begins. */
  started(): void {
    this.#started += 1;
  }

  /**
   * Writes that are still to be sent, where the program has told how many resources it declares; undefined otherwise.
   * @param sent writes that were sent so far, without those that were refused with 429
   */
  writesLeft(sent: number): number | undefined {
    if (this.#declared === 0 || this.#writing === 0) return undefined;
    const share = this.#writing / (this.#checked - this.#open || 1);
    const unseen = Math.max(0, this.#declared - this.#checked) + this.#open;
    const each = this.#started === 0 ? 1 : Math.max(1, sent / this.#started);
    return Math.max(0, Math.round((this.#writing + unseen * Math.min(1, share)) * each - sent));
  }
}
