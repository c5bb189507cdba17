import type { Seed } from "../../src/emulator";
import { catalog, type KindName } from "../../src/provider/definitions";
import { initialValue, type ResourceDefinition } from "../../src/provider/schema/define";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { referencesIn } from "../../src/provider/schema/references";
import { samplesOf } from "../samples";

/** What a create of a team requires beside its name. */
export const emptyTeam = Object.fromEntries(
  Object.keys(catalog.team.fields)
    .map((name) => [name, initialValue(catalog.team, catalog.team.routes.create, name)] as const)
    .filter(([, value]) => value !== undefined),
);

/** Seed list of a kind -> what the least object of it has beside its name. */
const lists: Partial<Record<KindName, readonly [list: string, rest: JsonObject]>> = {
  gate: ["gates", {}],
  segment: ["segments", { type: "rule_based" }],
  layer: ["layers", { idType: "userID" }],
  tag: ["tags", { description: "" }],
  targetApp: ["target_apps", { description: "" }],
  team: ["teams", emptyTeam],
};

/** What the samples of a kind name, so that a console that knows nothing else takes them. */
export function furnitureOf(definition: ResourceDefinition): Seed {
  const seed = new Map<string, JsonObject[]>(
    Object.entries(samplesOf(definition).beside ?? {}).map(([list, items]) => [list, items.filter(isObject)]),
  );
  const { smallest, fullest } = samplesOf(definition);
  const named = [smallest, fullest].flatMap((args) => referencesIn(definition, args));
  for (const { kind, value } of named) {
    const [list, rest] = lists[kind as KindName] ?? [];
    if (list === undefined || typeof value !== "string" || value === "") continue;
    const items = seed.get(list) ?? [];
    if (items.some(({ name, id }) => name === value || id === value)) continue;
    // Some name a team by its id.
    const id = kind === "team" ? { id: value } : {};
    seed.set(list, [...items, { ...rest, name: value, ...id }]);
  }
  return Object.fromEntries(seed);
}
