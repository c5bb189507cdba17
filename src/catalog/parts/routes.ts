import { z } from "zod";
import type { Route } from "../../core/verbs";

const archiveBody = { schema: z.object({ forceArchive: z.boolean().optional(), archiveReason: z.string().optional() }) };
const unarchiveBody = { schema: z.object({ unarchiveReason: z.string().optional() }) };

const ids = (most: number) => z.array(z.string().min(1)).max(most);
const overridesBody = {
  schema: z.union([
    z.object({
      environmentOverrides: z.array(
        z.object({
          environment: z.string().nullable().optional(),
          unitID: z.string().nullable(),
          passingIDs: z.array(z.string()),
          failingIDs: z.array(z.string()),
        }),
      ),
    }),
    z.object({
      passingUserIDs: ids(2000),
      failingUserIDs: ids(2000),
      passingCustomIDs: ids(2000).optional(),
      failingCustomIDs: ids(2000).optional(),
    }),
  ]),
};

/** Enable, disable, archive and unarchive of a gate or a dynamic config at `path`. */
export function switches(path: string, archiveOp?: number) {
  return {
    enable: { method: "PUT", path: `${path}/enable`, answers: "item", doc: "Switches it on." },
    disable: { method: "PUT", path: `${path}/disable`, answers: "item", doc: "Switches it off." },
    archive: {
      ...(archiveOp === undefined ? {} : { op: archiveOp }),
      method: "PUT",
      path: `${path}/archive`,
      answers: "item",
      body: archiveBody,
      doc: "Takes it out of use; history stays and the name stays taken. Refused while others refer to it, unless forced.",
    },
    unarchive: {
      method: "PUT",
      path: `${path}/unarchive`,
      answers: "item",
      body: unarchiveBody,
      doc: "Brings it back into use.",
    },
  } as const satisfies Record<string, Route>;
}

/** Reads and writes of the unit overrides at `path`. Gates answer 201 to all four, even to the read. */
export function unitOverrides(path: string, status: number) {
  const route = { path: `${path}/overrides`, status, answers: "item", of: "unitOverrides" } as const;
  return {
    getOverrides: { ...route, method: "GET", doc: "Units that always pass or fail." },
    setOverrides: { ...route, method: "POST", body: overridesBody, doc: "Replaces the overrides." },
    addOverrides: { ...route, method: "PATCH", body: overridesBody, doc: "Adds overrides." },
    removeOverrides: { ...route, method: "DELETE", body: overridesBody, doc: "Removes overrides; the body names them." },
  } as const satisfies Record<string, Route>;
}
