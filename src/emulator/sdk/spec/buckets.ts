import { isObject, type JsonObject } from "../../../provider/schema/json";
import type { World } from "../../store/store";
import { type Condition, conditionOf } from "./spec";

/** Every unit is in one of so many buckets of a layer. */
const bucketCount = 1000;
const collection = "experiment buckets";

/** Experiment -> its buckets of a layer. */
export type Allocation = Readonly<Record<string, readonly number[]>>;

/** Share of a layer that an experiment asks for. */
export interface Claim {
  readonly id: string;
  /** Percent of the layer. */
  readonly allocation: number;
  /** Buckets that it would rather have than others. */
  readonly preferred: readonly number[];
}

/** The buckets of each layer that are given away, by the layer's id. */
export function heldBuckets(world: World, layer: string): Allocation {
  const held = world.get(collection, layer);
  return isObject(held) ? (held as Record<string, number[]>) : {};
}

/** Notes which buckets are given away: an experiment keeps its own, whatever starts or ends beside it. */
export function keepBuckets(world: World, allocations: ReadonlyMap<string, Allocation>): void {
  for (const [layer, allocation] of allocations) world.put(collection, layer, allocation as JsonObject);
}

/**
 * Gives running experiments disjoint buckets of one layer. Each keeps those that it has, loses the last ones when it asks
 * for less and takes the first free ones when it asks for more; where there are too few it gets what is left.
 */
export function allocate(held: Allocation, claims: readonly Claim[]): Allocation {
  const counts = new Map(claims.map(({ id, allocation }) => [id, Math.round(allocation * 10)]));
  const given = new Map(
    claims.map(({ id }): [string, number[]] => [id, (held[id] ?? []).slice(0, counts.get(id))]),
  );
  const taken = new Set([...given.values()].flat());
  for (const { id, preferred } of claims) {
    const own = given.get(id) ?? [];
    for (const bucket of [...preferred, ...allBuckets]) {
      if (own.length >= (counts.get(id) ?? 0)) break;
      if (taken.has(bucket)) continue;
      own.push(bucket);
      taken.add(bucket);
    }
  }
  return Object.fromEntries(given);
}

/** Every bucket of a layer. */
export const allBuckets: readonly number[] = Array.from({ length: bucketCount }, (_, bucket) => bucket);

/** Units in some of the buckets; undefined where that says nothing, because all or none of them are meant. */
export function inBuckets(
  operator: "any" | "none",
  buckets: readonly number[],
  salt: string,
): Condition | undefined {
  if (buckets.length === bucketCount) return undefined;
  const targetValue = [...buckets].sort((a, b) => a - b);
  return conditionOf({ type: "user_bucket", operator, targetValue, additionalValues: { salt } });
}
