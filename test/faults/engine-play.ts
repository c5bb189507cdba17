import type { ResourceDefinition } from "../../src/core/define";
import { equalJson, type JsonObject } from "../../src/core/json";
import { providerText } from "../../src/pulumi/resource";
import { ProviderCallError } from "../support/dynamic-host";
import type { Bag } from "../support/wire-json";
import { type Lane, textFor, type World } from "./lane";

/** A resource as the engine keeps it. */
export interface Held {
  readonly id: string;
  readonly inputs: Bag;
  readonly outputs: Bag;
  /** The last create or update failed half-way: the next up updates it whatever the diff says. */
  readonly unfinished: boolean;
}

/** What came of a step. */
export interface Step {
  /** What the state holds afterwards; undefined: nothing. */
  readonly held: Held | undefined;
  readonly error?: string;
  /** What the engine did. */
  readonly did: "nothing" | "create" | "update" | "replace" | "read" | "delete";
}

/** Pulumi's engine, as far as one resource goes: what it calls, and what it keeps of the answer. */
export class EnginePlay {
  readonly #host: Lane["host"];
  /** What the state holds, and what a call that asks the console takes instead: see {@link textFor}. */
  readonly #kept: string;
  readonly #asking: string;
  readonly #urn: string;

  /** An engine that drives one kind in a world. Those of one `run` share what a run of the CLI remembers. */
  constructor(lane: Lane, world: World, definition: ResourceDefinition, run: number) {
    this.#host = lane.host;
    this.#kept = providerText(definition);
    this.#urn = `urn:pulumi:dev::test::pulumi-nodejs:dynamic/feature-console:${definition.kind}::resource`;
    this.#asking = textFor(world, definition, run);
  }

  /** What `pulumi up` does with a resource of the program. */
  async up(held: Held | undefined, args: JsonObject): Promise<Step> {
    if (held === undefined) return this.#create(await this.#checked(args, {}));
    const { inputs, replaces, same } = await this.#planned(held, args);
    if (replaces.length > 0) return { did: "replace", held, error: `replaces ${replaces.join(", ")}` };
    return same && !held.unfinished ? { did: "nothing", held } : this.#update(held, inputs);
  }

  /** What a preview says of a resource: `none`, or what would be done. */
  async preview(held: Held, args: JsonObject): Promise<string> {
    const { replaces, same } = await this.#planned(held, args);
    if (same) return "none";
    return replaces.length > 0 ? `a replacement for ${replaces.join(", ")}` : "a change";
  }

  async refresh(held: Held): Promise<Step> {
    try {
      const { id, outputs, inputs, unfinished } = held;
      const found = await this.#host.read(id, this.#as(outputs), inputs);
      if (found.id === "") return { did: "read", held: undefined };
      const now = { ...(found.inputs ?? inputs), __provider: this.#kept };
      return { did: "read", held: this.#keep(found.id, now, found.properties, unfinished) };
    } catch (error) {
      return this.#failed("read", held, held.inputs, error);
    }
  }

  async destroy(held: Held): Promise<Step> {
    try {
      await this.#host.delete(held.id, this.#as(held.outputs));
      return { did: "delete", held: undefined };
    } catch (error) {
      return this.#failed("delete", held, held.inputs, error);
    }
  }

  async #create(inputs: Bag): Promise<Step> {
    try {
      const made = await this.#host.create(this.#as(inputs));
      return { did: "create", held: this.#keep(made.id, inputs, made.properties) };
    } catch (error) {
      return this.#failed("create", undefined, inputs, error);
    }
  }

  async #update(held: Held, inputs: Bag): Promise<Step> {
    try {
      const { properties } = await this.#host.update(held.id, held.outputs, this.#as(inputs));
      return { did: "update", held: this.#keep(held.id, inputs, properties) };
    } catch (error) {
      return this.#failed("update", held, inputs, error);
    }
  }

  async #planned(held: Held, args: JsonObject) {
    const inputs = await this.#checked(args, held.inputs);
    const { changes, replaces } = await this.#host.diff(held.id, this.#as(held.outputs), this.#as(inputs));
    // Where the provider leaves it open, the engine compares the arguments.
    const same = changes === "none" || (changes === "unknown" && equalJson(held.inputs, inputs));
    return { inputs, replaces, same: same && replaces.length === 0 };
  }

  async #checked(args: JsonObject, olds: Bag): Promise<Bag> {
    const hidden = { __logicalName: "resource", __urn: this.#urn };
    const news = { ...hidden, ...args, __provider: this.#asking };
    const { inputs, failures } = await this.#host.check(olds, news);
    if (failures.length > 0) throw new Error(`check: ${JSON.stringify(failures)}`);
    return { ...inputs, __provider: this.#kept };
  }

  #as(bag: Bag): Bag {
    return { ...bag, __provider: this.#asking };
  }

  #keep(id: string, inputs: Bag, outputs: Bag, unfinished = false): Held {
    return { id, inputs, outputs: { ...outputs, __provider: this.#kept }, unfinished };
  }

  /** What an error leaves in the state: the object that exists in spite of it, or what was there before. */
  #failed(did: Step["did"], held: Held | undefined, inputs: Bag, error: unknown): Step {
    if (!(error instanceof ProviderCallError)) throw error;
    const { partial, message } = error;
    const left = partial === undefined ? held : this.#keep(partial.id, inputs, partial.properties, true);
    return { did, held: left, error: message };
  }
}
