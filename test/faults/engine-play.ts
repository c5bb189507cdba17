import type { ResourceDefinition } from "../../src/provider/schema/define";
import { equalJson, type JsonObject } from "../../src/provider/schema/json";
import { type Driver, driverOf, partialOf, type Resource } from "../support/driver";
import { ProviderCallError } from "../support/dynamic-host";
import type { Host, World } from "./host";

/** A resource as the engine keeps it. */
export interface Held extends Resource {
  /** The last create or update failed half-way: the next up updates it whatever the diff says. */
  readonly unfinished: boolean;
}

/** What came of a step. */
export interface Step {
  /** What the state holds afterwards; undefined: nothing. */
  readonly held: Held | undefined;
  readonly error?: string;
  /** What the engine did. */
  readonly did: "nothing" | "create" | "update" | "replace" | "read" | "delete" | "look up";
}

/** Pulumi's engine, as far as one resource goes: which verb it chooses, and what it keeps of a failure. */
export class EnginePlay {
  readonly #driver: Driver;

  /** An engine that drives one kind in a world. Those of one `run` share what a run of the CLI remembers. */
  constructor(host: Host, world: World, definition: ResourceDefinition, run: number) {
    const backend = host.inWorld(world, definition, run);
    this.#driver = driverOf({ definition, backend: () => backend, stack: () => "dev" });
  }

  /** What `pulumi up` does with a resource of the program. */
  async up(held: Held | undefined, args: JsonObject): Promise<Step> {
    if (held === undefined) return this.#step("create", held, args, () => this.#driver.up(args));
    const { replaces, same } = await this.#planned(held, args);
    if (replaces.length > 0) return { did: "replace", held, error: `replaces ${replaces.join(", ")}` };
    if (same && !held.unfinished) return { did: "nothing", held };
    return this.#step("update", held, args, () => this.#driver.update(held, args));
  }

  /** What a preview says of a resource: `none`, or what would be done. */
  async preview(held: Held, args: JsonObject): Promise<string> {
    const { replaces, same } = await this.#planned(held, args);
    if (same) return "none";
    return replaces.length > 0 ? `a replacement for ${replaces.join(", ")}` : "a change";
  }

  refresh(held: Held): Promise<Step> {
    return this.#step("read", held, undefined, () => this.#driver.refresh(held), held.unfinished);
  }

  destroy(held: Held): Promise<Step> {
    return this.#step("delete", held, undefined, () => this.#driver.destroy(held).then(() => undefined));
  }

  async #planned(held: Held, args: JsonObject) {
    const { changes, replaces } = await this.#driver.plan(held, args);
    // Where the provider leaves it open, the engine compares the arguments.
    const isEqual = async () => equalJson(held.inputs, await this.#driver.checked(args, held.inputs));
    const same = changes === "none" || (changes === "unknown" && (await isEqual()));
    return { replaces, same: same && replaces.length === 0 };
  }

  /** Does something, and keeps what an error leaves: the object that exists in spite of it, or what was there before. */
  async #step(
    did: Step["did"],
    held: Held | undefined,
    args: JsonObject | undefined,
    work: () => Promise<Resource | undefined>,
    unfinished = false,
  ): Promise<Step> {
    try {
      const made = await work();
      return { did, held: made && { ...made, unfinished } };
    } catch (error) {
      if (!(error instanceof ProviderCallError)) throw error;
      const partial = partialOf(error);
      if (partial === undefined || args === undefined) return { did, held, error: error.message };
      const inputs = await this.#driver.checked(args, held?.inputs);
      const left = { id: partial.id, inputs, outputs: partial.properties, unfinished: true };
      return { did, held: left, error: error.message };
    }
  }
}
