import type { ResourceDefinition } from "../../src/core/define";

/** Law -> why it cannot hold. */
type Waivers = Readonly<Record<string, string>>;

const ofServerIds: Waivers = {
  "a change of identity plans a replacement":
    "the console thinks the id up, so an object of another name is still the same",
  "destroyed by default, the next up brings it back under the same id": "a new object gets a new id",
  "what exists already is not taken without a word, and is taken with adopt":
    "names are not unique, so a second object of the same name is another one",
};

const ofSingletons: Waivers = {
  "a change of identity plans a replacement": "there is one, and it has no name",
  "deleting twice is fine": "it cannot be deleted",
  "the answer to a create got lost: one object, and it is ours": "nothing is created, and there is no list",
};

/** Why a kind need not obey a law; undefined where it must. Decided by strategies, never by kinds. */
export function waiverOf({ identity, lifecycle }: ResourceDefinition, law: string): string | undefined {
  if (lifecycle.create.how === "claim") return ofSingletons[law];
  return identity.derived === "server" ? ofServerIds[law] : undefined;
}

/** Every law that is waived for some kinds. */
export const waivedLaws: readonly string[] = [...Object.keys(ofServerIds), ...Object.keys(ofSingletons)];
