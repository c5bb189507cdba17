import type { ResourceDefinition } from "../schema/define";
import type { JsonObject } from "../schema/json";
import { expectedId, hasNameBeside, nameField, nameFor } from "../schema/object-id";
import { assignment } from "../texts/argument-names";
import { sameMeaning } from "../values/compare";
import { onDeleteOf } from "../values/options";

/** Which of the two comes first where an object takes the place of another one. */
export type ReplacementOrder = "create-first" | "delete-first";

/** An object that is replaced by another. */
export interface Replaced {
  readonly id: string;
  /** Its state. */
  readonly state: JsonObject;
}

/**
 * The new object comes first: a create that fails leaves the old one in use, and what refers to it moves before it goes. Only an
 * object of the same id has to wait for the old one to go, because an id has one object at a time. `id`: of the old object.
 */
export function replacementOrder(
  definition: Pick<ResourceDefinition, "identity" | "lifecycle">,
  id: string,
  program: JsonObject,
): ReplacementOrder {
  // An action leaves no object that could stand in its own way.
  if (definition.lifecycle.create.how === "run") return "create-first";
  return expectedId(definition, program) === id ? "delete-first" : "create-first";
}

/** True for a kind whose objects can be given another name and keep their id. */
export function canBeRenamed(definition: ResourceDefinition): boolean {
  const traits = definition.fields[nameField]?.traits;
  const isBeside = hasNameBeside(definition) || definition.identity.how === "server";
  return traits !== undefined && traits.fixed !== true && traits.replaces !== true && isBeside;
}

/** True where a new object has the name of the one that it replaces. */
export function hasSameName(
  definition: ResourceDefinition,
  { state }: Pick<Replaced, "state">,
  program: JsonObject,
): boolean {
  const name = nameFor(definition, program);
  return name !== undefined && sameMeaning(definition, nameField, state[nameField], name);
}

/** The same, where it is certain that such a name is taken once: the old object gives it up. */
export function sharesName(definition: ResourceDefinition, replaced: Replaced, program: JsonObject): boolean {
  return hasNameBeside(definition) && hasSameName(definition, replaced, program);
}

/** The end of what only options of Pulumi replace and keeps its key, behind its label and without a full stop. */
export function inPlaceText(definition: ResourceDefinition, program: JsonObject): string {
  const comesBack =
    definition.lifecycle.archived !== undefined || onDeleteOf(definition, program) !== "archive";
  const why = comesBack
    ? `${assignment("deleteBeforeReplace", true)} takes it out of use first`
    : "and an archived one would not come back";
  return `is changed in place: a key can have one object at a time${comesBack ? ". " : ", "}${why}`;
}
