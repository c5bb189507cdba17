import { fieldsWith, type ResourceDefinition } from "../schema/define";
import type { ValueType } from "../schema/field";
import { isObject } from "../schema/json";
import { UNKNOWN } from "../schema/unknown";
import { countOf } from "../texts/count-text";
import { digestOf, isDigest, mostHashes } from "./digest";

/** A set of ids that may be very large: inputs and outputs hold its digest, never the ids. */
export const idList: ValueType = {
  canonical(value) {
    if (!Array.isArray(value)) return value;
    // One id that is not known yet makes the whole set unknown.
    return value.includes(UNKNOWN) ? UNKNOWN : digestOf(value);
  },
  isCanonical: isDigest,
  meaning(value) {
    // As Pulumi shows it, a digest has no hashes.
    if (isObject(value) && value.count === 0) return undefined;
    return isDigest(value) ? value.hash : value;
  },
  describe(value) {
    const digest = idList.canonical(value);
    return isDigest(digest) ? countOf(digest.count, "id") : undefined;
  },
  types: { taken: "IdAsset", read: { count: "number", hash: "string" } },
};

export { mostHashes };

/** Number of ids of a set; 0 for one that is not known yet, or absent. */
export function numberOfIds(value: unknown): number {
  const digest = idList.canonical(value);
  return isDigest(digest) ? digest.count : 0;
}

/** Names of the arguments that are sets of ids. */
export function idListNames(definition: ResourceDefinition): string[] {
  return fieldsWith(definition, ({ traits }) => traits.valueType === idList);
}
