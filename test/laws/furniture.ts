import type { Seed } from "../../src/emulator";
import type { KindName } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { referencesIn } from "../../src/provider/schema/references";

/** Seed list of a kind -> what the least object of it has beside its name. */
const lists: Partial<Record<KindName, readonly [list: string, rest: JsonObject]>> = {
  gate: ["gates", {}],
  segment: ["segments", { type: "rule_based" }],
  layer: ["layers", { idType: "userID" }],
  tag: ["tags", { description: "" }],
  targetApp: ["target_apps", { description: "" }],
};

/** What the samples of a kind name, so that a console that knows nothing else takes them. */
export function furnitureOf(definition: ResourceDefinition): Seed {
  const seed = new Map<string, JsonObject[]>(
    Object.entries(definition.samples.beside ?? {}).map(([list, items]) => [list, items.filter(isObject)]),
  );
  const { smallest, fullest } = definition.samples;
  const named = [smallest, fullest].flatMap((args) => referencesIn(definition, args));
  for (const { kind, value } of named) {
    const [list, rest] = lists[kind as KindName] ?? [];
    if (list === undefined || typeof value !== "string" || value === "") continue;
    const items = seed.get(list) ?? [];
    if (items.some(({ name, id }) => name === value || id === value)) continue;
    seed.set(list, [...items, { name: value, ...rest }]);
  }
  return Object.fromEntries(seed);
}
