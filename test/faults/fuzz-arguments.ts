import type { ResourceDefinition } from "../../src/provider/schema/define";
import { equalJson, type JsonObject } from "../../src/provider/schema/json";
import { named } from "../support/driver";

/** Arguments of a new object of a name, from one of the samples. */
export function firstArguments(
  definition: ResourceDefinition,
  name: string,
  sample: keyof ResourceDefinition["samples"] & ("smallest" | "fullest"),
): JsonObject {
  return { ...named(definition, definition.samples[sample], name), ...removal(definition) };
}

/**
 * The other sample, with what can be set at creation only as it is; so stays what starts an action, whose answer alone tells
 * a new secret: nothing puts right that it got lost.
 */
export function otherArguments(
  definition: ResourceDefinition,
  { name, args }: { readonly name: string; readonly args: JsonObject },
): JsonObject {
  const { smallest, fullest } = definition.samples;
  const other = isSample(definition, args, fullest) ? smallest : fullest;
  const kept = Object.keys(definition.fields).filter((field) => {
    const facts = definition.fields[field]?.facts;
    return facts?.fixed === true || facts?.replaces === true || facts?.startsAction === true;
  });
  const held = Object.fromEntries(kept.filter((field) => field in args).map((field) => [field, args[field]]));
  const free = Object.entries(other).filter(([field]) => !kept.includes(field) || field in args);
  return { ...named(definition, Object.fromEntries(free), name), ...held, ...removal(definition) };
}

/** Archived objects keep their names: what a test has done with goes for good, where it can. */
function removal({ lifecycle }: ResourceDefinition): JsonObject {
  return lifecycle.delete.remove === undefined ? {} : { onDelete: "delete" };
}

function isSample(definition: ResourceDefinition, args: JsonObject, sample: JsonObject): boolean {
  const mutable = Object.keys(sample).filter((field) => {
    const facts = definition.fields[field]?.facts;
    return field !== "name" && field !== "key" && facts?.fixed !== true && facts?.replaces !== true;
  });
  return mutable.every((field) => equalJson(args[field], sample[field]));
}
