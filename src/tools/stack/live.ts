import {
  type EngineContext,
  findForCreate,
  isStored,
  type JournalEntry,
  laterAdopter,
  nameOf,
} from "../../provider/engine";
import { takeoverChanges } from "../../provider/engine/claims/evidence";
import { wholeList } from "../../provider/engine/listing";
import { readLive } from "../../provider/engine/read";
import { type ProcessPorts, ProviderProcess } from "../../provider/pulumi/process";
import { providerOf } from "../../provider/pulumi/provider";
import { type ConfigReader, withoutMarks } from "../../provider/pulumi/provider-settings";
import { storedObjects } from "../../provider/pulumi/runs/exported-state";
import { keptNames } from "../../provider/schema/audit";
import type { ResourceDefinition } from "../../provider/schema/define";
import { resourceMember } from "../../provider/schema/internal";
import { type JsonObject, picked } from "../../provider/schema/json";
import { keptIn } from "../../provider/schema/memoized";
import { idMember } from "../../provider/schema/object-id";
import { fromWire } from "../../provider/schema/wire-names";
import { failureIn } from "../../provider/words";
import { explicitSettings, knownConsoles } from "./consoles";
import { type Resource, resourcesOf } from "./resources";
import type { Exported, Stack } from "./stack";

/** The object of a resource and its console. */
export type ObjectPlace = Pick<Resource, "definition" | "id" | "provider">;

/** Decision of a create, its evidence, and the refusal. */
export type CreateLook = Awaited<ReturnType<Consoles["createOf"]>>;

/** Settings by their names, such as `feature-console:profile`. */
export type Settings = Readonly<Record<string, string>>;

/** The most reads that are under way: enough for lists to answer for many, and requests have a limit of their own. */
const mostUnderWay = 64;

/** The consoles that the resources of a stack are in, read by the provider's own code: lists by pages, nothing written. */
export class Consoles {
  /** By the URN of the provider; `found`: whole objects that refreshes have read. */
  readonly #sessions = new Map<string, { process: ProviderProcess; found: Map<string, JsonObject> }>();
  readonly #explicit: ReadonlyMap<string, ConfigReader>;
  readonly #newSession: (provider: string) => { process: ProviderProcess; found: Map<string, JsonObject> };

  /** `stack`: the stack's configuration. `state`: has its explicit providers. `name`: project and stack, `flags/dev`. */
  constructor(stack: Settings, state: Exported, ports: Partial<ProcessPorts>, name?: string) {
    this.#explicit = explicitSettings(state, (key) => stack[key], ports.environment?.() ?? process.env);
    // The consoles that state names: nothing is asked elsewhere.
    const known = knownConsoles(state, this.#explicit);
    this.#newSession = (provider) => {
      const found = new Map<string, JsonObject>();
      // Nothing is kept on disk but what the embedded console has there already.
      const exportStack = () => Promise.resolve(storedObjects(state.resources));
      const process = new ProviderProcess({
        folder: "",
        exportStack,
        noteLive: found.set.bind(found),
        ...ports,
      });
      process.stack.name = name;
      process.configure(this.#explicit.get(provider) ?? withoutMarks((key) => stack[key]));
      process.session().guard.know(known.get(provider) ?? []);
      return { process, found };
    };
  }

  /**
   * Reads every resource that is in state. @returns what is there by URN; undefined for what is gone.
   * @throws ConsoleError what the first failure is.
   */
  async readAll(resources: readonly Resource[]): Promise<ReadonlyMap<string, JsonObject | undefined>> {
    const found = new Map<string, JsonObject | undefined>();
    // Those of one kind together: a list answers for all of them.
    const waiting = resources
      .filter(({ applied }) => applied !== undefined)
      .sort((one, other) => (one.definition.name < other.definition.name ? -1 : 1));
    const worker = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        found.set(next.urn, await this.#read(next));
    };
    await Promise.all(Array.from({ length: mostUnderWay }, worker));
    return found;
  }

  /** True where {@link readAll} has found another object under the id of a resource: the former one is gone. */
  hasOther(resource: Resource): boolean {
    const { run } = this.#sessionFor(resource).process;
    return run.object(nameOf(resource.definition, resource.id ?? "")).isOther === true;
  }

  async #read(resource: Resource): Promise<JsonObject | undefined> {
    const { definition, id = "", applied } = resource;
    const { process, found } = this.#sessionFor(resource);
    const provider = providerOf(definition, process);
    const { id: there, props } = await provider.read(id, { ...applied?.outputs });
    if (there === undefined) return undefined;
    const live = found.get(nameOf(definition, id)) ?? {};
    const lookedUp = Object.keys(definition.fields).filter((name) => !keptNames(definition).has(name));
    return { ...picked(live, lookedUp), ...(props as JsonObject) };
  }

  /** Every object of a kind that a console has, as lists show them, by pages. `provider`: URN of an explicit one. */
  listed(definition: ResourceDefinition, list: string, provider?: string) {
    const { client } = this.context(provider);
    return Array.fromAsync(client.items(...wholeList(definition, list)), (item) => ({
      id: String(item[idMember(definition)]),
      values: fromWire(definition, item),
    }));
  }

  /** An object as a read of it alone shows it; undefined where it is gone. `provider`: URN of an explicit one. `ids`: sets of which not the digest is read. */
  live(
    definition: ResourceDefinition,
    id: string,
    provider?: string,
    ids: readonly string[] = [],
  ): Promise<JsonObject | undefined> {
    return readLive({ context: this.context(provider), definition, id }, ids);
  }

  /** The engine's context of a provider. `provider`: URN of an explicit one. */
  context(provider?: string): EngineContext {
    return this.#sessionFor({ provider }).process.context();
  }

  /**
   * Decides a create by the object in its place, as the engine does. Changes nothing.
   * @param heldId id of the object that state has for this very resource
   */
  async createOf(
    definition: ResourceDefinition,
    args: JsonObject,
    { provider, heldId }: { readonly provider: string | undefined; readonly heldId: string | undefined },
  ) {
    const { process } = this.#sessionFor({ provider });
    if (heldId !== undefined) process.run.resource(args[resourceMember]).inState = nameOf(definition, heldId);
    const declared = { context: process.context(), definition, program: args };
    const { finding, refusal } = await findForCreate(declared);
    const { claim, evidence } = finding;
    const live = refusal === undefined ? finding.found?.live : undefined;
    /** An object that it takes over, and the fields that it sends to it. */
    const taken = live && { live, changes: takeoverChanges(definition, finding, args) };
    return { claim, evidence, taken, refusal: refusal?.message };
  }

  /** The note by which another stack took over the object of a resource, as far as journals show it: as a delete looks for it. */
  async laterAdopter(
    definition: ResourceDefinition,
    id: string,
    state: JsonObject,
    provider?: string,
  ): Promise<JournalEntry | undefined> {
    if (!isStored(state)) return undefined;
    return laterAdopter({ context: this.context(provider), definition, id, state });
  }

  #sessionFor({ provider: urn = "" }: Pick<Resource, "provider">) {
    const provider = this.#explicit.has(urn) ? urn : "";
    return keptIn(this.#sessions, provider, () => this.#newSession(provider));
  }
}

/** Ports of a command that reads a stack and its consoles. */
export interface StackPorts {
  readonly stack: Stack;
  /** Ports of the provider's code, such as the transport to the console. */
  readonly console: Partial<ProcessPorts>;
  /** Tells how far it is. */
  readonly progress: (line: string) => void;
}

/** A stack as it was read. */
export type ReadStack = Awaited<ReturnType<typeof readStack>>;

/**
 * Reads a stack: its state, and by a preview what its program sets. Passes on why an update by this program will fail.
 * @throws Error with the Pulumi CLI's message.
 */
export async function readStack(
  { stack, console, progress }: StackPorts,
  from: "state" | "program" = "program",
) {
  const exported = await stack.exported();
  const preview = from === "program" ? await stack.preview() : undefined;
  for (const { message } of preview?.diagnostics ?? [])
    if (failureIn(message) !== undefined) progress(message);
  const consoles = new Consoles(await stack.config(), exported, console);
  return { exported, resources: resourcesOf(exported, preview), consoles };
}
