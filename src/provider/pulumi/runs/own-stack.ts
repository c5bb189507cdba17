import { stackMark, stackOfMark } from "../../decisions/stack-mark";
import type { StateObject } from "../../engine";
import { stackMember } from "../../schema/internal";
import type { JsonObject } from "../../schema/json";
import type { Environment } from "../provider-settings";
import { backendDigest } from "./backend";
import { pulumiCommand } from "./cli";
import { exportedObjects, objectsBeside, type StoredObject } from "./exported-state";
import type { Run } from "./run";

/** Access to the state of a stack. */
export interface StackPorts {
  readonly environment: () => Environment;
  /** Folder of the Pulumi project; undefined: nothing is kept on disk, and no CLI is asked. */
  readonly folder: string | undefined;
  /** Objects of a stack, by the name that the CLI takes, or of the selected one; left out: the CLI exports them. */
  readonly exportStack?: (stack: string | undefined) => Promise<readonly StoredObject[] | undefined>;
}

/** Most time that the CLI may take to export a state, milliseconds. */
const exportTimeoutMs = 60_000;

/** The stack of a run: its name, its backend, and its state, which the CLI exports once in a run. */
export class OwnStack {
  /** Project and stack; undefined until a program has told. */
  name: string | undefined;
  readonly #ports: StackPorts;
  readonly #run: Run;
  readonly #exports = new Map<string | undefined, ReturnType<typeof exportedObjects>>();
  #backend: { readonly digest: string | undefined } | undefined;

  constructor(ports: StackPorts, run: Run) {
    this.#ports = ports;
    this.#run = run;
  }

  /** Digest of the backend that keeps the state; undefined where nothing names it. */
  backend(): string | undefined {
    const { environment, folder } = this.#ports;
    this.#backend ??= { digest: backendDigest({ environment: environment(), folder }) };
    return this.#backend.digest;
  }

  /** The mark of the stack; undefined until a program has told its name. */
  mark(): string | undefined {
    return this.name === undefined ? undefined : stackMark({ name: this.name, backend: this.backend() });
  }

  /** The state of a stack, by the name that the CLI takes, or of the selected one; undefined where it could not be exported. */
  exported(stack?: string): Promise<readonly StoredObject[] | undefined> {
    const known = this.#exports.get(stack) ?? this.#export(stack);
    this.#exports.set(stack, known);
    return known;
  }

  async #export(stack: string | undefined): Promise<readonly StoredObject[] | undefined> {
    const { environment, folder, exportStack } = this.#ports;
    if (exportStack !== undefined) return exportStack(stack);
    if (folder === undefined) return [];
    const options = { folder: folder || ".", environment: environment(), timeoutMs: exportTimeoutMs };
    return exportedObjects(pulumiCommand({ ...options, missing: "no pulumi on the PATH" }), stack);
  }

  /** True where state has the object for the resource. */
  async isStored(resource: string, object: string, id: string): Promise<boolean> {
    const isThere = (await this.#stored(resource, id)) !== undefined;
    if (isThere) this.#run.resource(resource).inState = object;
    return isThere;
  }

  /** The state of an object, as a diff of this run received it; else as it is exported. */
  async storedState(resource: string, id: string): Promise<JsonObject | undefined> {
    const { compared } = this.#run.resource(resource);
    return compared?.id === id ? compared.state : (await this.#stored(resource, id))?.outputs;
  }

  /** The engine does not pass the state of an object that it was told to replace. */
  async #stored(resource: string, id: string): Promise<StoredObject | undefined> {
    const { storedAs: place, isElsewhere } = this.#run.resource(resource);
    // State has the one of another console.
    if (place === undefined || isElsewhere === true) return undefined;
    const stored = (await this.exported(place.stack)) ?? [];
    return stored.find((one) => one.id === id && place.urns.includes(one.urn));
  }

  /**
   * The objects of the same provider that state has beside an object; undefined where nobody can tell. No program tells a refresh which
   * stack it is: the mark in state does, and else it is the one that is selected.
   */
  async beside(object: StateObject): Promise<readonly StateObject[] | undefined> {
    const mark = this.mark() ?? object.outputs[stackMember];
    const name = typeof mark === "string" ? stackOfMark(mark).name.split("/").at(-1) : undefined;
    for (const stack of new Set([name, undefined])) {
      const beside = objectsBeside((await this.exported(stack)) ?? [], object);
      if (beside !== undefined) return beside;
    }
    return undefined;
  }
}
