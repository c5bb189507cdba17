import type { ResourceDefinition } from "./define";
import type { JsonObject } from "./json";
import { memoized } from "./memoized";

/** True when the object is archived. */
export function isArchived(definition: ResourceDefinition, live: JsonObject): boolean {
  const archived = definition.lifecycle.archived;
  return archived !== undefined && live[archived.field] === archived.is;
}

/** Fields that say whether an object is in use: what actions move, and what says the same in another form. */
export const stateNames = memoized((definition: ResourceDefinition): readonly string[] => {
  const moved = definition.lifecycle.update.flatMap((part) =>
    part.how === "move" || part.how === "machine" ? [part.field] : [],
  );
  return [...new Set([...moved, ...moved.flatMap((name) => exclusiveWith(definition, name))])];
});

/** Fields of which a program sets at most one together with that field. */
export function exclusiveWith(definition: ResourceDefinition, name: string): string[] {
  return (definition.exclusive ?? [])
    .filter((group) => group.includes(name))
    .flat()
    .filter((other) => other !== name);
}
