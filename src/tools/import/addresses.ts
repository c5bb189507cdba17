import type { EngineContext } from "../../provider/engine";
import { type ResourceDefinition, routeOf, wireName } from "../../provider/schema/define";
import { isConsoleError } from "../../provider/schema/errors";
import { isObject, type JsonObject } from "../../provider/schema/json";
import { expectedId, idArguments } from "../../provider/schema/object-id";
import { treeOf } from "../../provider/schema/tree";
import { toWire } from "../../provider/schema/wire-names";

/** Arguments that lead to objects, as far as their values can be listed. */
function placesOf(definition: ResourceDefinition): JsonObject[] {
  const tree = treeOf(definition);
  return idArguments(definition).reduce<JsonObject[]>(
    (places, name) => {
      const values = tree[name]?.node.enum;
      return values === undefined
        ? places
        : places.flatMap((place) => values.map((value) => ({ ...place, [name]: value })));
    },
    [{}],
  );
}

/** Ids of objects that no list shows and that arguments lead to: one request for each place where one may be. */
export async function askedIds(context: EngineContext, definition: ResourceDefinition): Promise<string[]> {
  const { identity, lifecycle } = definition;
  const { read } = lifecycle;
  if (identity.how !== "address" || read.how !== "get") return [];
  const route = routeOf(definition, read.route);
  const found = placesOf(definition).map(async (place) => {
    const params = toWire(definition, place) as Record<string, string>;
    const answer = await context.client.maybeItem(route, { params }).catch((error: unknown) => {
      if (!isConsoleError(error, "not-found")) throw error;
    });
    if (answer === undefined) return [];
    const shown = identity.shownIn === undefined ? {} : answer[wireName(definition, identity.shownIn)];
    const missing = idArguments(definition).filter((name) => place[name] === undefined);
    const rest = missing.map((name) => [
      name,
      isObject(shown) ? shown[wireName(definition, name)] : undefined,
    ]);
    if (rest.some(([, value]) => typeof value !== "string"))
      throw new Error(
        `The console has a ${definition.title} (${Object.values(place).join(", ")}) and does not show its ${missing.join(", ")}: declare it by hand.`,
      );
    return [String(expectedId(definition, { ...place, ...Object.fromEntries(rest) }))];
  });
  return (await Promise.all(found)).flat();
}
