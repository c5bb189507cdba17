import { catalog } from "../../../provider/definitions/index";
import { withoutStar } from "../../../provider/definitions/parts/audit-fields";
import type { ObjectDefinition } from "../../../provider/schema/define";
import type { JsonObject } from "../../../provider/schema/json";
import { idMember } from "../../../provider/schema/object-id";
import type { World } from "../../store/store";
import type { Behaviour, Call } from "../behaviour";
import { invalidMember } from "./outcomes";

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

/** Collection of the tags, and of the names that are taken among them. */
const tags = "tag";
const taken = "tag names";

/** True for a kind whose objects carry tags that a program can set and a read shows. */
function carriesTags({ fields }: ObjectDefinition): boolean {
  return fields.tags?.mode === "input";
}

/** An item as it is stored: a name may come back with the star that core tags are shown with. */
export function withPlainTags(definition: ObjectDefinition, item: JsonObject): JsonObject {
  if (!carriesTags(definition) || !Array.isArray(item.tags)) return item;
  return { ...item, tags: item.tags.map(withoutStar) };
}

/** An item as it is shown: core tags have a star (console-api/project.md, section 1). */
export function withStars(definition: ObjectDefinition, world: World, item: JsonObject): JsonObject {
  if (!carriesTags(definition) || !Array.isArray(item.tags)) return item;
  const isCore = (name: unknown) => world.get(tags, String(name))?.isCore === true;
  return { ...item, tags: item.tags.map((name: unknown) => (isCore(name) ? `★ ${String(name)}` : name)) };
}

/** An item whose body may name tags that are not there, in its stored form. Throws a 400 under the switch `unknownTags`. */
export function settleTags(
  { behaviour, world, switches }: Pick<Call, "behaviour" | "world" | "switches">,
  sent: JsonObject,
  item: JsonObject,
): JsonObject {
  if (sent.tags === undefined || !carriesTags(behaviour.definition) || !Array.isArray(item.tags)) return item;
  const isMissing = (name: unknown) => typeof name === "string" && world.get(tags, name) === undefined;
  const missing = item.tags.filter(isMissing);
  if (switches.unknownTags === "refuse" && missing.length > 0)
    throw invalidMember("tags", `Unknown tag(s): [${missing.join(", ")}]`);
  if (switches.unknownTags !== "ignore") return item;
  return { ...item, tags: item.tags.filter((name: unknown) => !isMissing(name)) };
}

/** Makes the tags that an item names and that are not there yet (assumption; console-api, section 13, row 4). */
export function addMissingTags(
  definition: ObjectDefinition,
  { world, ports, switches }: Pick<Call, "world" | "ports" | "switches">,
  item: JsonObject,
): void {
  if (switches.unknownTags !== "create" || !carriesTags(definition) || !Array.isArray(item.tags)) return;
  for (const name of item.tags) {
    if (typeof name !== "string" || world.get(tags, name) !== undefined) continue;
    world.put(tags, name, { name, description: "", isCore: false, id: ports.makeId() });
    world.put(taken, name, { id: name });
  }
}
