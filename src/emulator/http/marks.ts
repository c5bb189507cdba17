import type { AnyKindName } from "../../provider/definitions/index";
import type { JsonObject } from "../../provider/schema/json";
import { referencesIn } from "../../provider/schema/references";
import { fromWire } from "../../provider/schema/wire-names";
import type { Behaviour } from "../console/behaviour";
import type { World } from "../store/store";

/** Kinds whose users the console looks for. Every mark is one more row in the file, so what nobody asks for has none. */
const marked: ReadonlySet<string> = new Set<AnyKindName>([
  ...(["gate", "dynamicConfig", "segment", "layer", "experiment"] as const),
  ...(["metric", "metricSource", "event"] as const),
]);

/**
 * The objects that an item refers to, such as `gate:checkout`: those that fields of its definition name by their ids, and
 * those that no field alone tells.
 */
export function marksOf(
  { definition, alsoRefersTo }: Pick<Behaviour, "definition" | "alsoRefersTo">,
  item: JsonObject,
): string[] {
  const named = referencesIn(definition, fromWire(definition, item))
    .filter(({ by, kind, value }) => by === "id" && marked.has(kind) && value !== "")
    // A field that shows another id than the one that was written names nobody.
    .filter(({ path }) => definition.fields[String(path[0])]?.traits.readsOtherId !== true)
    .map(({ kind, value }) => `${kind}:${String(value)}`);
  return [...new Set([...named, ...(alsoRefersTo?.(item) ?? [])])];
}

/** Ids of the objects of a collection that refer to an object, oldest first. Throws for a kind that is not marked. */
export function idsOfUsers(world: World, kind: string, id: string, collection: string): string[] {
  if (!marked.has(kind)) throw new TypeError(`who refers to a ${kind} is not marked; see marks.ts`);
  return world.referrers(`${kind}:${id}`, collection);
}
