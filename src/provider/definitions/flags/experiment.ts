import { z } from "zod";
import { defineResource, type ParameterUse } from "../../schema/define";
import { fieldNames, input, nested, optional, writeOnly } from "../../schema/field";
import { type JsonObject, objectsIn } from "../../schema/json";
import { UNKNOWN } from "../../schema/unknown";
import { assignment } from "../../texts/argument-names";
import {
  audit,
  authorship,
  holdoutIDs,
  owner,
  ownership,
  tags,
  targetApps,
  withoutStar,
} from "../parts/audit-fields";
import { experimentAnalysis, experimentMetrics } from "../parts/experiments/experiment-analysis";
import {
  experimentGroup,
  groupProblems,
  groupWarnings,
  valuesInGroups,
  viewGroups,
  withoutSidecar,
} from "../parts/experiments/experiment-groups";
import { experimentMachine } from "../parts/experiments/experiment-machine";
import { experimentOutputs } from "../parts/experiments/experiment-outputs";
import { experimentRoutes } from "../parts/experiments/experiment-routes";
import { experimentData } from "../parts/experiments/experiment-warehouse";
import { codeKey } from "../parts/flag-fields";
import { keyed } from "../parts/lifecycle";
import { description, plainKey, plainName } from "../parts/names";
import { experimentReviews } from "../parts/review-changes";
import { blanked, emptied, maybeText, unitIds } from "../parts/traits";

const link = nested(
  z.object({ url: nested(z.url(), { doc: "Where it leads." }), title: maybeText("The shown text.") }),
  { sparse: true },
);

const inputs = {
  key: codeKey(plainKey.optional()),
  name: input(plainName.optional(), { doc: "Shown in the console. Left out: the `key`." }),
  description: input(description.optional(), { doc: "Its purpose.", ...blanked }),
  hypothesis: input(z.string().optional(), { doc: "The hypothesis to test.", ...blanked }),
  status: input(z.enum(["setup", "active", "decision_made", "abandoned", "archived"]).optional(), {
    doc:
      "The state to bring it to; the legal way there is taken. `decision_made` needs `launchedGroup` and `decisionReason`, " +
      "`abandoned` needs `decisionReason`. Nothing runs again, unless `allowReset` lets the results go.",
    serverDefault: "setup",
  }),
  groups: input(z.array(experimentGroup).optional(), {
    // Other arguments name groups, so leaving these out must not remove them.
    doc: "The groups that units are shared out to. Sizes make 100 together. Left out: the groups stay as they are.",
    serverDefault: [],
  }),
  allocation: optional(
    z.number().min(0).max(100),
    "Share of the layer's units that take part, in percent. In no layer: of all units.",
    { share: true, shareOutside: { of: "layerID", says: "of units that take part" }, serverDefault: 100 },
  ),
  controlGroup: input(z.string().optional(), {
    doc: "Name of the group that others are compared with. Left out: the console chooses.",
    wire: "controlGroupID",
    idOf: "groups",
  }),
  disabledGroups: optional(z.array(z.string()), "Names of the groups that are switched off.", {
    unordered: true,
    clearWith: [],
  }),
  launchedGroup: optional(z.string(), 'Name of the group to ship; with `status: "decision_made"` only.', {
    wire: "launchedGroupID",
    idOf: "groups",
  }),
  decisionReason: input(z.string().optional(), {
    doc: "Why it was decided or abandoned. Sent with that step; drift is not seen.",
    remembered: true,
  }),
  removeTargeting: writeOnly(z.boolean().optional(), {
    doc: "Whether a decision also drops the targeting. Sent with that step.",
  }),
  layerID: input(z.string().optional(), {
    doc: "Layer that it is in. Left out: it is in none, or in one that the console makes for it.",
    refersTo: "layer",
    fixed: true,
  }),
  idType: input(z.string().optional(), {
    doc: "Unit id type that it assigns by. Cannot change once it has been started.",
    ...unitIds,
  }),
  targetingGateID: optional(z.string().nullable(), "Gate that units must pass to take part.", {
    refersTo: "gate",
    clearWith: null,
    serverDefault: "",
  }),
  links: input(z.array(link).optional(), { doc: "Further reading.", ...emptied }),
  tags: input(z.array(z.string()).optional(), tags),
  targetApps,
  ...experimentMetrics,
  ...experimentAnalysis,
  ...experimentData,
  ...ownership,
  ...authorship,
};

/** Arguments that bodies have no member for: the API takes ids of groups, and has actions of their own for the rest. */
const ours: readonly string[] = ["controlGroup", "launchedGroup", "disabledGroups", "removeTargeting"];
const writable = [
  ...fieldNames(inputs).filter((name) => !ours.includes(name)),
  ...(["controlGroupID", "launchedGroupID"] as const),
];

/** An experiment: groups of units that get different values. Source: console-api/experiments.md, section 1. */
export const experiment = defineResource({
  kind: "Experiment",
  name: "experiment",
  title: "experiment",
  doc:
    "Groups of units that get different values, to be compared. In a layer, a group that is shipped sets the defaults of the " +
    "layer's parameters: the Layer leaves `defaultValue` of those out, or its next up takes the release back.",
  identity: { how: "key", argument: "key" },
  fields: { ...inputs, ...audit, owner, holdoutIDs, ...experimentOutputs },
  routes: experimentRoutes(writable),
  whenGone: "no unit is in a group of it any more",
  lifecycle: {
    ...keyed,
    update: [experimentMachine],
    delete: {
      remove: { route: "delete" },
      archive: { route: "archive", takesReason: true },
      onDeleteDefault: "archive",
    },
    archived: { field: "status", is: "archived", undo: "unarchive" },
    reviews: experimentReviews,
  },
  exclusive: [["team", "teamID"]],
  forms: { "tags[]": withoutStar, "groups[]": withoutSidecar },
  view: viewGroups,
  parameters: {
    of: "layerID",
    isHeld: ({ status }) => status === "active",
    shipped: valuesOfDecision,
    list: valuesInGroups,
  },
  problems: (args) => [...groupProblems(args), ...decisionProblems(args)],
  warnings: groupWarnings,
});

/** Values of the group that an update decides for. */
function valuesOfDecision(olds: JsonObject, news: JsonObject): ParameterUse[] {
  if (news.status !== "decision_made" || olds.status === "decision_made") return [];
  return valuesInGroups({ groups: objectsIn(news.groups).filter(({ name }) => name === news.launchedGroup) });
}

/** Findings about a decision: what takes effect without one, and what it takes away again. */
function decisionProblems({ launchedGroup, status, removeTargeting, targetingGateID }: JsonObject) {
  const decides = [UNKNOWN, "decision_made", "archived"].includes(status as string);
  const targets = typeof targetingGateID === "string" && !["", UNKNOWN].includes(targetingGateID);
  const idle = 'takes effect with status "decision_made" only; set that, or leave it out';
  const dropped = `a decision with ${assignment("removeTargeting", true)} takes it away; leave one of the two out`;
  return [
    ...(launchedGroup === undefined || decides ? [] : [{ path: ["launchedGroup"], message: idle }]),
    ...(status === "decision_made" && removeTargeting === true && targets
      ? [{ path: ["targetingGateID"], message: dropped }]
      : []),
  ];
}
