import { z } from "zod";
import { route } from "../../schema/verbs";

const archiveBody = {
  schema: z.object({ forceArchive: z.boolean().optional(), archiveReason: z.string().optional() }),
};
const unarchiveBody = { schema: z.object({ unarchiveReason: z.string().optional() }) };

const ids = (most: number) => z.array(z.string().min(1)).max(most);
const unitLists = z.object({
  passingUserIDs: ids(2000),
  failingUserIDs: ids(2000),
  passingCustomIDs: ids(2000).optional(),
  failingCustomIDs: ids(2000).optional(),
});
const environmentLists = z.object({
  environmentOverrides: z.array(
    z.object({
      environment: z.string().nullable().optional(),
      unitID: z.string().nullable(),
      passingIDs: z.array(z.string()),
      failingIDs: z.array(z.string()),
    }),
  ),
});
/** Either form; what a read answers has both, and goes back as it is. */
const overridesBody = { schema: z.union([environmentLists.extend(unitLists.partial().shape), unitLists]) };

/** Enable, disable, archive and unarchive of a gate or a dynamic config at `path`. */
export function stateRoutes<const P extends string>(path: P, archiveOp?: number) {
  return {
    enable: route("PUT", `${path}/enable`, "item", "Switches it on."),
    disable: route("PUT", `${path}/disable`, "item", "Switches it off."),
    archive: route(
      "PUT",
      `${path}/archive`,
      "item",
      "Takes it out of use; history stays and the name stays taken. Refused while others refer to it, unless forced.",
      { body: archiveBody, ...(archiveOp === undefined ? {} : { op: archiveOp }) },
    ),
    unarchive: route("PUT", `${path}/unarchive`, "item", "Brings it back into use.", { body: unarchiveBody }),
  };
}

/** Reads and writes of the unit overrides at `path`. Gates answer 201 to all four, even to the read. */
export function unitOverrides<const P extends string>(path: P, status: number) {
  const overrides = `${path}/overrides` as const;
  const answer = { returnsKind: "unitOverrideLists", status };
  const change = { ...answer, body: overridesBody };
  return {
    getOverrides: route("GET", overrides, "item", "Units that always pass or fail.", answer),
    setOverrides: route("POST", overrides, "item", "Replaces the overrides.", change),
    addOverrides: route("PATCH", overrides, "item", "Adds overrides.", change),
    removeOverrides: route("DELETE", overrides, "item", "Removes overrides; the body names them.", change),
  };
}
