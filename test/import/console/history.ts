import type { KindName, parts } from "../../../src/provider/definitions";
import type { JsonObject } from "../../../src/provider/schema/json";
import { Dice } from "../../world/dice";

/** A kind of object, or of a part of one, that a program can hold. */
export type HeldKind = KindName | keyof typeof parts;

/** A request that somebody made. */
export interface Request {
  readonly method: "POST" | "PATCH" | "PUT" | "DELETE";
  /** Below `/console/v1`; `{label}` stands for the id that the request of this label answered. */
  readonly path: string;
  readonly body?: unknown;
  /** Under which later requests find the id of the answer. */
  readonly label?: string;
}

/** What a project of a team is made of, which its objects name. */
export interface Surroundings {
  readonly keys: Readonly<Record<"gate" | "dynamicConfig" | "segment" | "experiment", readonly string[]>>;
  readonly names: Readonly<
    Record<
      "layer" | "holdout" | "tag" | "targetApp" | "unitIdType" | "team" | "releasePipeline",
      readonly string[]
    >
  >;
  readonly metrics: readonly { readonly name: string; readonly type: string }[];
  readonly sources: readonly string[];
  readonly environments: readonly string[];
}

/** How a console came to be: what was there from the start, and the requests since. */
export class History {
  readonly dice: Dice;
  readonly requests: Request[] = [];
  /** What the API cannot make, in the form of the emulator's seed. */
  readonly seed: Record<string, JsonObject[]> = {};
  readonly counts: Partial<Record<HeldKind, number>> = {};

  constructor(seed: number) {
    this.dice = new Dice(seed);
  }

  /** Notes a request that makes an object of a kind. */
  make(kind: HeldKind, path: string, body: unknown, label?: string): void {
    this.count(kind);
    this.send("POST", path, body, label);
  }

  send(method: Request["method"], path: string, body?: unknown, label?: string): void {
    this.requests.push({
      ...{ method, path },
      ...(body === undefined ? {} : { body }),
      ...(label === undefined ? {} : { label }),
    });
  }

  /** Notes an object that only the console could have made. */
  plant(kind: HeldKind, list: string, item: JsonObject): void {
    this.count(kind);
    this.seed[list] = [...(this.seed[list] ?? []), item];
  }

  count(kind: HeldKind): void {
    this.counts[kind] = (this.counts[kind] ?? 0) + 1;
  }

  /** True in so many of a hundred cases. */
  chance(percent: number): boolean {
    return this.dice.roll() * 100 < percent;
  }

  /** Some of several, each once, in any order. */
  some<T>(choices: readonly T[], most: number): T[] {
    const taken = new Set<T>();
    const wanted = this.dice.below(most + 1);
    for (let tries = 0; tries < wanted && choices.length > 0; tries += 1) taken.add(this.dice.one(choices));
    return [...taken];
  }

  /** The members of an object, without those that are undefined. */
  static said(members: Readonly<Record<string, unknown>>): JsonObject {
    return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
  }
}

/** Stands in a body for the id that the request of a label answered. */
export const idOf = (label: string): JsonObject => ({ $idOf: label });
