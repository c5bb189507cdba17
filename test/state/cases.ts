import type { ResourceDefinition } from "../../src/core/define";
import type { JsonObject } from "../../src/core/json";
import type { Seed } from "../../src/emulator";

/** A resource as the state of a user holds it. */
export interface Frozen {
  readonly id: string;
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
  /** What was in the console beside the object. */
  readonly beside?: Seed;
}

/** What becomes a frozen state, under the name of its file. */
export interface FrozenCase {
  readonly file: string;
  readonly definition: ResourceDefinition;
  readonly args: JsonObject;
  /** The id of what is there before and is imported. */
  readonly imported?: string;
}

/** Ids that the segment with ids is made of. */
export const frozenIds: readonly string[] = ["user_1", "user_2", "user_3"];

/** Every kind with all of its arguments, and what leaves more behind in a state than its arguments. */
export function casesOf(catalog: Readonly<Record<string, ResourceDefinition>>): FrozenCase[] {
  const { gate, segment } = catalog as Record<"gate" | "segment", ResourceDefinition>;
  return [
    ...Object.values(catalog).map((definition) => ({
      file: nounOf(definition),
      definition,
      args: definition.samples.fullest,
    })),
    { file: "gate-imported", definition: gate, args: gate.samples.fullest, imported: "made_by_hand" },
    {
      file: "segment-with-ids",
      definition: segment,
      args: { key: "frozen_ids", name: "Frozen ids", type: "id_list", ids: frozenIds },
    },
  ];
}

/** `dynamic-config`. */
export function nounOf({ name }: ResourceDefinition): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The name by which a seed knows the objects of a kind. */
export function listOf(definition: ResourceDefinition): string {
  const parts = definition.routes.list?.path.split("/").filter((part) => part !== "list");
  const name = parts?.at(-1) ?? definition.name;
  return name.endsWith("s") ? name : `${name}s`;
}
