import { readables } from "../../provider/definitions";
import { countedKinds, mostCountedIds } from "../../provider/definitions/measures/exposure-count";
import type { EngineContext } from "../../provider/engine";
import { withoutAnswer } from "../../provider/schema/errors";
import { objectsIn } from "../../provider/schema/json";
import type { Exposures } from "./review";
import type { Subject } from "./subjects";

/** Most requests for exposures. */
const mostRequests = 10;

/** Lists of counts, by kind. */
const listOfKind: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(countedKinds).map(([list, kind]) => [kind, list]),
);

/** Exposures to objects of a console, by URN. None where the key may not see them, or where the console does not count them. */
export async function exposuresOf(
  { client }: EngineContext,
  objects: readonly Subject[],
): Promise<ReadonlyMap<string, Exposures>> {
  const counted = objects
    .filter(({ definition }) => definition.name in listOfKind)
    .slice(0, mostRequests * mostCountedIds);
  const found = new Map<string, Exposures>();
  for (let first = 0; first < counted.length; first += mostCountedIds) {
    const asked = counted.slice(first, first + mostCountedIds);
    const idsOf = (kind: string) =>
      asked.filter(({ definition }) => definition.name === kind).map(({ id = "" }) => id);
    const query = Object.fromEntries(Object.entries(countedKinds).map(([list, kind]) => [list, idsOf(kind)]));
    const answer = await client
      .item(readables.exposureCount.routes.get, { query })
      .catch(withoutAnswer(undefined));
    if (answer === undefined) break;
    for (const { urn, definition, id } of asked) {
      const counts = objectsIn(answer[listOfKind[definition.name] ?? ""]).find((one) => one.id === id);
      const { pastDay, past7Days } = counts ?? {};
      if (typeof pastDay === "number" && typeof past7Days === "number")
        found.set(urn, { pastDay, past7Days });
    }
  }
  return found;
}
