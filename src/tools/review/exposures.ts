import { readables } from "../../provider/definitions";
import { countedKinds, mostCountedIds } from "../../provider/definitions/measures/exposure-count";
import type { EngineContext } from "../../provider/engine";
import { isConsoleError } from "../../provider/schema/errors";
import { type JsonObject, objectsIn } from "../../provider/schema/json";
import type { ConsoleObject } from "./references";
import type { Exposures } from "./review";
import type { Subject } from "./subjects";

/** Requests of a report at most. */
const mostRequests = 10;

interface Counted {
  readonly urn: string;
  readonly list: string;
  readonly id: string;
}

/**
 * Exposures to the changing objects that the console has, by URN. None where the key may not see them, or where the console does
 * not count them: then a report says nothing of them.
 */
export async function exposuresOf(
  changing: readonly Subject[],
  objects: readonly ConsoleObject[],
  contextOf: (subject: Subject) => EngineContext,
): Promise<ReadonlyMap<string, Exposures>> {
  const found = new Map<string, Exposures>();
  const there = new Set(objects.map(({ definition, id }) => `${definition.name}\n${id}`));
  const byContext = new Map<EngineContext, Counted[]>();
  for (const subject of changing) {
    const { urn, definition, id } = subject;
    const list = Object.entries(countedKinds).find(([, kind]) => kind === definition.name)?.[0];
    if (list === undefined || id === undefined || !there.has(`${definition.name}\n${id}`)) continue;
    const context = contextOf(subject);
    byContext.set(context, [...(byContext.get(context) ?? []), { urn, list, id }]);
  }
  for (const [{ client }, counted] of byContext) {
    const asked = counted.slice(0, mostRequests * mostCountedIds);
    try {
      for (let first = 0; first < asked.length; first += mostCountedIds)
        await count(client, asked.slice(first, first + mostCountedIds), found);
    } catch (error) {
      if (!isConsoleError(error)) throw error;
    }
  }
  return found;
}

async function count(
  client: EngineContext["client"],
  asked: readonly Counted[],
  found: Map<string, Exposures>,
): Promise<void> {
  const idsIn = (name: string) => asked.filter(({ list }) => list === name).map(({ id }) => id);
  const query = Object.fromEntries(Object.keys(countedKinds).map((name) => [name, idsIn(name)]));
  const answer = await client.item(readables.exposureCount.routes.get, { query });
  for (const { urn, list, id } of asked) {
    const counts = objectsIn(answer[list]);
    const exposures = exposuresIn(counts.find((one) => one.id === id));
    if (exposures !== undefined) found.set(urn, exposures);
  }
}

function exposuresIn({ pastDay, past7Days }: JsonObject = {}): Exposures | undefined {
  return typeof pastDay === "number" && typeof past7Days === "number" ? { pastDay, past7Days } : undefined;
}
