import type { RunningEmulator } from "../../../src/emulator";
import { createRouteClient } from "../../../src/provider/client/client";
import { catalog, type KindName } from "../../../src/provider/definitions";
import { type ResourceDefinition, routeOf } from "../../../src/provider/schema/define";
import type { JsonObject } from "../../../src/provider/schema/json";
import { idMember } from "../../../src/provider/schema/object-id";
import { testKey } from "../../emulator/desk";
import { shownKinds } from "../../support/shown-kinds";

/** Objects of each kind under the API's names, by their ids in paths. */
export type Contents = Readonly<Record<KindName, ReadonlyMap<string, JsonObject>>>;

const clientOf = (emulator: Pick<RunningEmulator, "url">) =>
  createRouteClient({ profile: "custom", baseUrl: emulator.url, apiKey: testKey });

/** Everything that a console holds, read through its API: archived objects too. */
export async function contentsOf(emulator: Pick<RunningEmulator, "url">): Promise<Contents> {
  const client = clientOf(emulator);
  const kinds = shownKinds.map(async (kind) => {
    const definition: ResourceDefinition = catalog[kind];
    const { list } = definition.routes;
    const found = new Map<string, JsonObject>();
    const archived = list?.query?.includes("includeArchived") ? { query: { includeArchived: "true" } } : {};
    if (list === undefined) found.set("only", await client.item(routeOf(definition, "get"), {}));
    else
      for await (const item of client.items(list, archived))
        found.set(String(item[idMember(definition)]), item);
    return [kind, found] as const;
  });
  return Object.fromEntries(await Promise.all(kinds)) as Record<KindName, Map<string, JsonObject>>;
}

export async function idsOf(emulator: Pick<RunningEmulator, "url">, id: string): Promise<string[]> {
  const { ids } = await clientOf(emulator).item(catalog.segment.routes.getIdList, { params: { id } });
  return Array.isArray(ids) ? ids.map(String) : [];
}
