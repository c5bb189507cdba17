import { catalog } from "../../../provider/definitions/index";
import type { ObjectDefinition } from "../../../provider/schema/define";
import type { JsonObject } from "../../../provider/schema/json";
import { idMember } from "../../../provider/schema/object-id";
import type { Behaviour } from "../behaviour";

/** Renames what objects carry by its name: they have it under the new one (assumption), and count as unchanged. */
export function renamedOnCarriers(field: "tags" | "targetApps"): NonNullable<Behaviour["onChange"]> {
  return ({ world }, before, after) => {
    if (before.name === after.name) return;
    for (const definition of carriersOf(field)) {
      for (const item of world.list(definition.name, true)) {
        const names = item[field];
        if (!Array.isArray(names) || !names.includes(before.name)) continue;
        const renamed = names.map((name: unknown) => (name === before.name ? after.name : name));
        const changed: JsonObject = { ...item, [field]: renamed };
        world.change(definition.name, String(item[idMember(definition)]), changed);
      }
    }
  };
}

function carriersOf(field: string): ObjectDefinition[] {
  return Object.values<ObjectDefinition>(catalog).filter(({ fields }) => fields[field] !== undefined);
}
