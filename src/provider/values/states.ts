import type { ResourceDefinition } from "../schema/define";
import type { JsonObject } from "../schema/json";
import { memoized } from "../schema/memoized";

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

/** Reach of an object: nobody, everybody whatever its rules are, or those whom its rules let in. */
export type Reach = "nobody" | "everybody" | "rules";

/** Reach of an object after an action of that name, in every kind that has it. */
const reachAfter: Readonly<Record<string, Reach>> = {
  enable: "rules",
  launch: "everybody",
  disable: "nobody",
  archive: "nobody",
};

/** Reach of an object; undefined where the arguments leave it as it is. */
export function reachOf({ lifecycle, fields }: ResourceDefinition, args: JsonObject): Reach | undefined {
  // A state says more than a switch: a launched gate shows a switch that is off.
  for (const part of lifecycle.update) {
    if (part.how !== "move" || part.when !== undefined) continue;
    const reach = reachAfter[part.to[String(args[part.field])] ?? ""];
    if (reach !== undefined) return reach;
  }
  if (fields.isEnabled === undefined || typeof args.isEnabled !== "boolean") return undefined;
  return args.isEnabled ? "rules" : "nobody";
}
