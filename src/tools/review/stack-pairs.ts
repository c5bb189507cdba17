import type { ResourceDefinition } from "../../provider/schema/define";
import type { JsonObject } from "../../provider/schema/json";
import { replacedAt } from "../../provider/schema/path";
import { referencesIn } from "../../provider/schema/references";
import { called, type Resource } from "../stack/resources";
import { keyOf } from "./references";

/** A resource of one stack, and its counterpart in another stack. */
export type Pair = readonly [from: Resource, to: Resource];

/** The id that an object of a kind (in camelCase) has in the other stack's console. */
export type IdsAcross = (kind: string, id: unknown) => unknown;

/** Pairs the resources of two stacks by their names in the program, else by what they are called in the console. */
export function pairsOf(olds: readonly Resource[], news: readonly Resource[]): Pair[] {
  const pairs: Pair[] = [];
  const left = new Set(news);
  const waiting = new Set(olds);
  for (const nameOf of [({ name }: Resource) => name, called]) {
    const keyOfOne = (one: Resource) => keyOf(one.definition.name, nameOf(one));
    const byKey = new Map([...left].map((one) => [keyOfOne(one), one]));
    for (const one of waiting) {
      const other = byKey.get(keyOfOne(one));
      if (other === undefined || !left.delete(other)) continue;
      waiting.delete(one);
      pairs.push([one, other]);
    }
  }
  return pairs;
}

/** Each id of the first stack becomes that of its counterpart; an id that no pair has stays. */
export function idsAcross(pairs: readonly Pair[]): IdsAcross {
  const ids = new Map(
    pairs.flatMap(([{ definition, id }, to]) =>
      id === undefined || to.id === undefined ? [] : [[keyOf(definition.name, id), to.id] as const],
    ),
  );
  return (kind, id) => ids.get(keyOf(kind, String(id))) ?? id;
}

/** Arguments with the ids that they would have in the other stack's console. */
export function translated(definition: ResourceDefinition, args: JsonObject, idsIn: IdsAcross): JsonObject {
  return referencesIn(definition, args)
    .filter(({ by }) => by === "id")
    .reduce<JsonObject>(
      (all, { path, kind, value }) => replacedAt(all, path, () => idsIn(kind, value)) as JsonObject,
      args,
    );
}

/** A resource whose applied arguments have the ids of the other stack's console. */
export function withIdsOf(resource: Resource, idsIn: IdsAcross): Resource {
  const { applied, definition } = resource;
  if (applied === undefined) return resource;
  return { ...resource, applied: { ...applied, inputs: translated(definition, applied.inputs, idsIn) } };
}
