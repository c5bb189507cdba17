import type { KindName, parts } from "../../../src/provider/definitions";
import type { JsonObject } from "../../../src/provider/schema/json";
import type { ToolKind } from "../../acceptance/tools";
import { Dice } from "../../world/dice";

/** A kind of object, or of a part of one, that a program can hold. */
export type HeldKind = KindName | keyof typeof parts;

/** A request below the path of an object, as somebody made it after the object was there. */
export type Since = readonly [method: "POST" | "PATCH" | "PUT", path: string, body?: unknown];

/** An object that people made, and what happened to it since, one after the other. */
export interface Made {
  readonly kind: ToolKind;
  readonly body: JsonObject;
  /** Where a part of an object is, below `/console/v1`. */
  readonly at?: string;
  readonly since: readonly Since[];
}

/** How a console came to be: objects that were there from the start, and those that people made one after the other. */
export class History {
  readonly dice: Dice;
  readonly made: Made[] = [];
  /** Objects that the API cannot make, in the form of the emulator's seed. */
  readonly seed: Record<string, JsonObject[]> = {};
  readonly counts: Partial<Record<HeldKind, number>> = {};
  readonly #turns = new Map<unknown, number>();

  constructor(seed: number) {
    this.dice = new Dice(seed);
  }

  make(kind: ToolKind, body: JsonObject, since: readonly Since[] = [], at?: string): void {
    this.#count(kind === "idList" ? "segment" : kind);
    this.made.push({ kind, body, since, ...(at === undefined ? {} : { at }) });
  }

  /** Notes a later change of an object. */
  change(kind: ToolKind, at: string, body: JsonObject): void {
    this.made.push({ kind, body, at, since: [] });
  }

  /** Notes an object that only the console could have made. */
  plant(kind: HeldKind, list: string, item: JsonObject): void {
    this.#count(kind);
    this.seed[list] = [...(this.seed[list] ?? []), item];
  }

  #count(kind: HeldKind): void {
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
  }

  /** The next of several, which begin again after the last. `user`: each takes all of them. */
  inTurn<T>(choices: readonly T[], user: unknown = choices): T {
    const at = this.#turns.get(user) ?? 0;
    this.#turns.set(user, at + 1);
    return choices[at % choices.length] as T;
  }

  /** Some of several, each once, in any order. */
  some<T>(choices: readonly T[], most: number): T[] {
    const wanted = this.dice.below(most + 1);
    return [...new Set(Array.from({ length: wanted }, () => this.dice.one(choices)))];
  }
}
