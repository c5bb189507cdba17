import { readables } from "../../../provider/definitions/index";
import { countedKinds, mostCountedIds } from "../../../provider/definitions/measures/exposure-count";
import type { Call, Operation } from "../../console/behaviour";
import { defineBehaviour } from "../../console/default-operations";
import { exposuresOf } from "../../console/rules/checks";
import { invalidMember } from "../../console/rules/outcomes";

/** An id that nothing has was never exposed (assumption: no 404 is declared). */
const get: Operation = (call) => {
  const asked = Object.entries(countedKinds).map(([list, kind]) => ({
    list,
    kind,
    ids: idsIn(call, list),
  }));
  const { list = "" } = asked.find(({ ids }) => ids.length > 0) ?? {};
  if (asked.flatMap(({ ids }) => ids).length > mostCountedIds)
    throw invalidMember(list, `Expected at most ${mostCountedIds} ids`);
  const counted = asked.map(({ list, kind, ids }) => [list, ids.map((id) => exposuresOf(call, kind, id))]);
  return { message: "Exposures counted successfully.", data: Object.fromEntries(counted) };
};

/** Repeated, or with commas between them. */
function idsIn({ query }: Call, parameter: string): string[] {
  return (query.get(parameter) ?? []).flatMap((ids) => ids.split(",")).filter((id) => id !== "");
}

/** Behaviour of exposure counts: of the exposures that SDKs log here. */
export const exposureCount = defineBehaviour({ definition: readables.exposureCount, operations: { get } });
