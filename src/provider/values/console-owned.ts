import type { ResourceDefinition } from "../schema/define";
import { isObject, type JsonObject } from "../schema/json";
import { treeOf } from "../schema/tree";
import { isScheduled, rolloutNames } from "./rollout";
import { isArchived, stateNames } from "./states";

/** The option by which a program leaves to the console what people set there. */
export const ownsOption = "owns";

/** Concerns that can be left to the console: shares (fact `rollout`), and whether the object is on. */
export const concerns = ["rollout", "status"] as const;

type Concern = (typeof concerns)[number];

/** True where arguments, or a state, say that the console owns that. */
export function consoleOwns({ [ownsOption]: owns }: JsonObject, concern: Concern): boolean {
  return isObject(owns) && owns[concern] === "console";
}

/** Concerns of a kind that programs can leave to the console. */
export function ownableConcerns(definition: ResourceDefinition): readonly Concern[] {
  return rolloutNames(definition).length === 0
    ? []
    : concerns.filter((concern) => concern === "rollout" || stateNames(definition).length > 0);
}

/**
 * True for a field that says whether the object is on, where the console owns that. To be archived is no such state: by the
 * console it is drift, and by the program it is meant.
 */
export function isStatusOfConsole(
  definition: ResourceDefinition,
  name: string,
  args: JsonObject,
  live: JsonObject,
): boolean {
  return (
    consoleOwns(args, "status") &&
    stateNames(definition).includes(name) &&
    !isArchived(definition, live) &&
    !isArchived(definition, args)
  );
}

/** True for an object that others change while nobody edits it: people in what the console owns, or a schedule. */
export function movesByItself(definition: ResourceDefinition, args: JsonObject, live: JsonObject): boolean {
  if (concerns.some((concern) => consoleOwns(args, concern))) return true;
  const tree = treeOf(definition);
  return rolloutNames(definition).some((name) => isScheduled(tree[name]?.node ?? {}, live[name]));
}
