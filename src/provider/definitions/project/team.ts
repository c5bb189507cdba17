import { z } from "zod";
import { defineResource } from "../../schema/define";
import { input, nested, optional } from "../../schema/field";
import { route } from "../../schema/verbs";
import { metricRef } from "../parts/audit-fields";
import { patched, plainLifecycle } from "../parts/lifecycle";
import { blanked, nulled, set } from "../parts/traits";

const item = "/users/teams/{id}";
const atCreation = [
  ...["name", "members", "admins", "defaultGateMetrics", "defaultExperimentPrimaryMetrics"],
  ...["defaultExperimentSecondaryMetrics", "defaultHoldoutMetrics", "changeTeamConfigs"],
  ...["reviewApproval", "defaultTargetApplications"],
] as const;

/** Reads show people as objects; upper and lower case have no meaning in an address. */
const people = (doc: string) =>
  input(z.array(nested(z.string().min(1), { sameAs: "caseless" })).optional(), {
    doc,
    ...set,
    readMember: "email",
  });
const metrics = (doc: string) => input(z.array(metricRef).optional(), { doc, ...set });
const override = (doc: string) =>
  optional(z.boolean().nullable(), `${doc} Left out: the project's settings decide.`, nulled);

/** A team: people who own objects, and what those begin with. Source: console-api/project.md, section 5. */
export const team = defineResource({
  kind: "Team",
  name: "team",
  title: "team",
  doc: "People who own objects together, and what those objects begin with (enterprise).",
  identity: { how: "server", argument: "name" },
  fields: {
    name: input(z.string().min(1).optional(), {
      doc: "The name that other objects use in `team`. Left out: the resource name.",
    }),
    description: input(z.string().optional(), { doc: "Its purpose.", ...blanked }),
    members: people("E-mail addresses of its members."),
    admins: people("E-mail addresses of those who may change the team."),
    defaultGateMetrics: metrics("Metrics that a gate of the team begins with."),
    defaultExperimentPrimaryMetrics: metrics(
      "Metrics that decide, with which an experiment of the team begins.",
    ),
    defaultExperimentSecondaryMetrics: metrics("Other metrics that an experiment of the team begins with."),
    defaultHoldoutMetrics: metrics("Metrics that a holdout of the team begins with."),
    changeTeamConfigs: optional(z.enum(["anyone", "team_only"]), "Who may change what the team owns.", {
      serverDefault: "anyone",
    }),
    reviewApproval: input(z.enum(["anyone", "team_only", "admin_only"]).optional(), {
      doc: "Who may approve a review of what the team owns.",
      serverDefault: "anyone",
    }),
    defaultTargetApplications: input(z.array(z.string()).optional(), {
      doc: "Target apps that objects of the team begin with.",
      ...set,
    }),
    defaultHoldoutID: input(z.string().nullable().optional(), {
      doc: "Id of the holdout that objects of the team begin in.",
      refersTo: "holdout",
      ...nulled,
    }),
    requireReviews: override("Whether a change of what the team owns needs a review."),
    requireGateTemplates: override("Whether a gate of the team must come of a template."),
    requireExperimentTemplates: override("Whether an experiment of the team must come of a template."),
    requireDynamicConfigTemplates: override("Whether a dynamic config of the team must come of a template."),
  },
  routes: {
    list: route("GET", "/users/teams", "items", "All teams."),
    create: route(
      "POST",
      "/users/teams",
      "item",
      "Makes a team; the API requires the lists even when empty.",
      { body: { requires: atCreation } },
    ),
    get: route("GET", item, "item", "One team."),
    patch: route("PATCH", item, "item", "Changes what the body names; a list is replaced.", { body: {} }),
    delete: route("DELETE", item, "message", "Removes a team."),
  },
  lifecycle: plainLifecycle(patched),
});
