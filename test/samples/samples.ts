import type { JsonObject } from "../../src/provider/schema/json";

/** Arguments of a kind, with which tests make its objects and the reference shows them. */
export interface Samples<Args = JsonObject> {
  readonly smallest: Args;
  readonly fullest: Args;
  /** Objects that the console requires for the samples: what they refer to and it looks for. */
  readonly beside?: Readonly<Record<string, readonly JsonObject[]>>;
}
