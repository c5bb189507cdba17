import { catalog } from "../../../provider/definitions/index";
import { withoutStar } from "../../../provider/definitions/parts/audit-fields";
import type { ObjectDefinition } from "../../../provider/schema/define";
import { type JsonObject, textsIn } from "../../../provider/schema/json";
import { hasUniqueNames, idMember } from "../../../provider/schema/object-id";
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
  const isCore = (name: unknown) => world.get(catalog.tag.name, String(name))?.isCore === true;
  return { ...item, tags: item.tags.map((name: unknown) => (isCore(name) ? `★ ${String(name)}` : name)) };
}

/** Lists of an object that name objects of another kind, with the switch that decides about unknown ones. */
const namingLists = [
  { field: "targetApps", definition: catalog.targetApp, unknown: "unknownTargetApps" },
  { field: "tags", definition: catalog.tag, unknown: "unknownTags" },
] as const;

/** The names in a list that nothing has; none where no program can set the list. */
function missingNames(
  { field, definition }: (typeof namingLists)[number],
  { behaviour, world }: Call,
  item: JsonObject,
): string[] {
  const named = new Set(behaviour.definition.fields[field]?.mode === "input" ? textsIn(item[field]) : []);
  if (named.size === 0) return [];
  const known = new Set(world.list(definition.name, true).map(({ name }) => name));
  return [...named].filter((name) => !known.has(name));
}

/** An item whose body may name what is not there, in its stored form. Throws a 400 where the switch refuses it. */
export function settleCarriedNames(call: Call, sent: JsonObject, item: JsonObject): JsonObject {
  const settled = { ...item };
  for (const list of namingLists) {
    const { field, definition, unknown } = list;
    const answer = call.switches[unknown];
    if (sent[field] === undefined || (answer !== "refuse" && answer !== "ignore")) continue;
    const missing = missingNames(list, call, item);
    if (missing.length === 0) continue;
    if (answer === "refuse")
      throw invalidMember(field, `Unknown ${definition.title}(s): [${missing.join(", ")}]`);
    settled[field] = textsIn(item[field]).filter((name) => !missing.includes(name));
  }
  return settled;
}

/** Makes what an item names and what is not there yet (assumption; console-api, section 13, row 4). */
export function addMissingNames(call: Call, item: JsonObject): void {
  const { world, ports, switches } = call;
  for (const list of namingLists) {
    const { definition, unknown } = list;
    if (switches[unknown] !== "create") continue;
    for (const name of missingNames(list, call, item)) {
      const core = definition === catalog.tag ? { isCore: false } : {};
      const made: JsonObject = { id: ports.makeId(), name, description: "", ...core };
      const id = String(made[idMember(definition)]);
      world.put(definition.name, id, made);
      if (hasUniqueNames(definition)) world.put(`${definition.name} names`, name, { id });
    }
  }
}
