import { z } from "zod";
import { defineResource, type Warning } from "../../schema/define";
import { input, optional, output } from "../../schema/field";
import type { JsonObject } from "../../schema/json";
import { route } from "../../schema/verbs";
import { audit, creator, holdoutIDs, metricRef, shownTeam } from "../parts/audit-fields";
import { slugName } from "../parts/flag-fields";
import { keyed, patched, plainLifecycle } from "../parts/lifecycle";
import { description, plainName } from "../parts/names";
import { unitOverrides } from "../parts/routes";
import { blanked, set, shownNames, unitIds } from "../parts/traits";

const item = "/holdouts/{id}";
const atCreation = ["name", "description", "idType", "teamID"] as const;
/** The lists of its members. */
export const heldLists = ["gateIDs", "experimentIDs", "layerIDs"] as const;
const later = [
  ...["description", "isEnabled", "passPercentage", ...heldLists, "isGlobal"],
  ...["targetingGateID", "monitoringMetrics"],
] as const;

/** Ids of members: a set, written on the holdout only. */
const members = (what: string, kind: string) =>
  ({
    doc: `Ids of the ${what} that it holds back. An unknown id is refused.`,
    refersTo: kind,
    ...set,
  }) as const;
const ids = z.array(z.string()).optional();

/** A holdout: units that get nothing new. Source: console-api/experiments.md, section 3. */
export const holdout = defineResource({
  kind: "Holdout",
  name: "holdout",
  title: "holdout",
  doc: "A small share of units that is kept from the gates, experiments and layers that it names.",
  identity: { how: "slug", argument: "name" },
  fields: {
    name: slugName(plainName),
    description: input(description.optional(), { doc: "Its purpose.", ...blanked }),
    idType: input(z.string().optional(), { doc: "Unit id type that it counts by.", fixed: true, ...unitIds }),
    teamID: optional(z.string().nullable(), "Id of the owning team (enterprise).", {
      refersTo: "team",
      owner: "team-id",
      fixed: true,
      serverDefault: null,
    }),
    isEnabled: optional(z.boolean(), "Off: no unit is held back.", { isSwitch: true, serverDefault: true }),
    passPercentage: optional(z.number().min(0).max(10), "Share of units that is held back, in percent.", {
      share: true,
      serverDefault: 0,
    }),
    gateIDs: input(ids, { ...members("gates", "gate"), growsWhile: "isGlobal" }),
    experimentIDs: input(ids, members("experiments", "experiment")),
    layerIDs: input(ids, members("layers", "layer")),
    isGlobal: input(z.boolean().optional(), {
      doc: "Whether every gate made from now on joins it. Such gates are no drift of `gateIDs`.",
      serverDefault: false,
    }),
    targetingGateID: optional(
      z.string().nullable(),
      "Gate that a unit must pass to be held back at all. Which one it is, no read shows: only whether there is one.",
      { refersTo: "gate", clearWith: "", serverDefault: null, readsOtherId: true },
    ),
    monitoringMetrics: optional(z.array(metricRef), "Metrics watched in its results.", set),
    ...creator,
    ...audit,
    team: shownTeam.team,
    tags: shownNames("Tag names; the API cannot change them."),
    targetApps: shownNames("Names of target apps; the API cannot change them."),
    holdoutIDs: output(holdoutIDs.schema, { ...holdoutIDs.traits, doc: "Without meaning on a holdout." }),
  },
  routes: {
    list: route("GET", "/holdouts", "items", "All holdouts.", {
      op: 5,
      query: ["creatorName", "creatorID", "tags"],
    }),
    create: route("POST", "/holdouts", "item", "Makes a holdout that holds nothing yet.", {
      body: { only: atCreation, requires: ["name"] },
    }),
    get: route("GET", item, "item", "One holdout."),
    replace: route("POST", item, "item", "Replaces a holdout: what is left out is dropped.", {
      body: { only: later, requires: later.filter((name) => name !== "monitoringMetrics") },
    }),
    patch: route("PATCH", item, "item", "Changes what the body names.", { body: { only: later } }),
    delete: route("DELETE", item, "message", "Removes a holdout; its members are free again."),
    ...unitOverrides(item, 200),
  },
  whenGone: "no unit is held back",
  lifecycle: {
    // A partial update may add members instead of replacing them.
    ...plainLifecycle({ how: "put", route: "replace", when: [...heldLists, "monitoringMetrics"] }, patched),
    ...keyed,
  },
  warnings: shareWarnings,
});

function shareWarnings(_olds: JsonObject, { passPercentage }: JsonObject): Warning[] {
  if (typeof passPercentage !== "number" || passPercentage <= 0 || passPercentage >= 1) return [];
  const message = `${passPercentage} % is unusual for a holdout: below 1 % its results rarely show a difference`;
  return [{ path: ["passPercentage"], message }];
}
