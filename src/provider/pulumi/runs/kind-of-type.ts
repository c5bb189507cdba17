import { managed } from "../../definitions";
import type { ResourceDefinition } from "../../schema/define";
import { kindInType } from "../stored-names";

const kinds: ReadonlyMap<string, ResourceDefinition> = new Map(
  Object.values<ResourceDefinition>(managed).map((definition) => [definition.kind, definition]),
);

/** The kind of a Pulumi type, of either adapter; undefined for a resource of another package. */
export function kindOfType(type: string): ResourceDefinition | undefined {
  return kinds.get(kindInType(type) ?? "");
}
