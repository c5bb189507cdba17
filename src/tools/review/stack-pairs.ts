import type { ResourceDefinition } from "../../provider/schema/define";
import { type JsonObject, objectsIn, remade } from "../../provider/schema/json";
import { replacedAt } from "../../provider/schema/path";
import { referencesIn } from "../../provider/schema/references";
import { itemsOf, propertiesOf, treeOf } from "../../provider/schema/tree";
import { called, type Resource } from "../stack/resources";
import { keyOf } from "./references";

/** A resource of one stack, and its counterpart in another stack. */
export type Pair = readonly [from: Resource, to: Resource];

/** The ids of one stack's console in that of another stack. Kinds are in camelCase. */
export interface IdsAcross {
  readonly objectId: (kind: string, id: unknown) => unknown;
  /** Elements of an object's lists, by the ids that the console of the first stack gave them. */
  readonly elementsOf: (kind: string, id: unknown) => ReadonlyMap<unknown, ElementAcross>;
}

interface ElementAcross {
  readonly name: unknown;
  /** Undefined where the counterpart has none of its name. */
  readonly id: unknown;
}

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
export function idsAcross(pairs: readonly Pair[]): IdsAcross & {
  readonly pairOf: (kind: string, id: unknown) => Pair | undefined;
} {
  const byKey = new Map(pairs.map((pair) => [keyOf(pair[0].definition.name, pair[0].id), pair]));
  const pairOf = (kind: string, id: unknown) => byKey.get(keyOf(kind, String(id)));
  return {
    pairOf,
    objectId: (kind, id) => pairOf(kind, id)?.[1].id ?? id,
    elementsOf(kind, id) {
      const pair = pairOf(kind, id);
      return new Map(pair === undefined ? [] : elementsOf(pair));
    },
  };
}

/** Pairs named elements, such as groups of an experiment, whose ids the console makes, by their names. */
function elementsOf([{ definition, applied: from }, { applied: to }]: Pair): [unknown, ElementAcross][] {
  return Object.entries(treeOf(definition)).flatMap(([list, { node }]) => {
    if (propertiesOf(itemsOf(node) ?? {})?.id?.serverSet !== "identity") return [];
    const others = objectsIn(to?.outputs?.[list]);
    return objectsIn(from?.outputs?.[list]).map(({ id, name }): [unknown, ElementAcross] => [
      id,
      { name, id: others.find((one) => one.name === name)?.id },
    ]);
  });
}

/** Arguments with the ids that they would have in the other stack's console. */
export function translated(
  definition: ResourceDefinition,
  args: JsonObject,
  { objectId, elementsOf: elementsIn }: IdsAcross,
): JsonObject {
  const references = referencesIn(definition, args).filter(({ by }) => by === "id");
  const elements = new Map(references.flatMap(({ kind, value }) => [...elementsIn(kind, value)]));
  const own = references.reduce<JsonObject>(
    (all, { path, kind, value }) => replacedAt(all, path, () => objectId(kind, value)) as JsonObject,
    args,
  );
  return remade(own, (one) => elements.get(one)?.id ?? one) as JsonObject;
}
