import type { JsonObject } from "../../src/provider/schema/json";
import type { Adapter } from "../laws/subject";
import type { Dice } from "./dice";
import type { Held } from "./programs";
import type { ProviderCode, ProviderProcess } from "./provider";

/** What the engine does with a resource. */
export type Op = "same" | "create" | "update" | "replace" | "delete";

/** A step that was planned, and in an update begun. */
export interface Step {
  readonly urn: string;
  readonly op: Op;
  readonly kind: string;
  readonly name: string;
  /** The object that state had for it. */
  readonly id: string | undefined;
  /** Checked arguments; undefined for a delete. */
  readonly inputs: JsonObject | undefined;
  /** The id that its `import` option names. */
  readonly imports: string | undefined;
}

/** Where a run is cut off, by the writes that the engine asks its provider for. */
export interface Cut {
  readonly call: number;
  /** Before it begins, or when it is done: what came of it is in state or not. */
  readonly when: "before" | "unrecorded" | "recorded";
}

export interface Run {
  /** As far as it came. */
  readonly state: readonly Held[];
  readonly steps: readonly Step[];
  /** What a refresh has read, as state had it. */
  readonly refreshed: readonly Held[];
  readonly error: string | undefined;
  /** URN of the resource that failed. */
  readonly failed: string | undefined;
  readonly killed: boolean;
}

/** What is common to one run of the engine. */
export interface Setting {
  readonly stack: string;
  readonly code: ProviderCode;
  readonly process: ProviderProcess;
  readonly adapter: Adapter;
  readonly preview: boolean;
  readonly cut?: Cut | undefined;
  /** Resolves when the process was killed in the middle of a request. */
  readonly death: Promise<void>;
  /** Chooses the order of what is done at the same time; left out: one resource after the other. */
  readonly dice?: Dice | undefined;
}

export interface UpOptions {
  readonly refresh: boolean;
  /** URNs to be replaced whatever their diff says. */
  readonly replace: readonly string[];
}
