import type { ResourceDefinition } from "../../src/provider/schema/define";
import { canGo } from "../../src/provider/values/options";

/** Law -> why it cannot hold. */
type Waivers = Readonly<Record<string, string>>;

const ofSingletons: Waivers = {
  "a change of identity plans a replacement": "there is one, and it has no name",
  "deleting twice is fine": "it cannot be deleted",
  "the answer to a create got lost: one object, and it is ours": "nothing is created, and there is no list",
};

const ofParts: Waivers = {
  "deleting twice is fine": "it is there as long as the object that it belongs to",
  "the answer to a create got lost: one object, and it is ours": "there is no list",
};

const ofLasting: Waivers = {
  "deleting twice is fine": "the API cannot delete it",
  "destroyed by default, the next up brings it back under the same id":
    "it stays, is no longer this stack's, and is taken with adopt alone",
};

/** Why a kind need not obey a law; undefined where it must. Decided by strategies, never by kinds. */
export function waiverOf(definition: ResourceDefinition, law: string): string | undefined {
  const { create } = definition.lifecycle;
  if (create.how === "send" && create.fills) return ofParts[law];
  if (create.how === "claim") return ofSingletons[law];
  return canGo(definition) ? undefined : ofLasting[law];
}

/** Every law that is waived for some kinds. */
export const waivedLaws: readonly string[] = Object.keys({ ...ofSingletons, ...ofParts, ...ofLasting });
