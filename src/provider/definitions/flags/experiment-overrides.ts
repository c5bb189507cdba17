import { z } from "zod";
import { defineResource } from "../../schema/define";
import { input, nested, optional } from "../../schema/field";
import { environment, lifecycleOf, owner, routesOf, set } from "../parts/experiments/overrides";
import { textOrNone } from "../parts/traits";
import { experiment } from "./experiment";

const groupID = nested(z.string().min(1), {
  doc: "Id of the group, as the output `groups` of the experiment shows it.",
});

const byObject = nested(
  z.object({
    type: nested(z.enum(["gate", "segment"]), { doc: "The kind of `id`." }),
    id: nested(z.string().min(1), {
      doc: "Id of a gate or segment: whoever passes it gets the group.",
      refersTo: { by: "type", of: { gate: "gate", segment: "segment" }, as: "override" },
    }),
    groupID,
    environment,
  }),
  { typeName: "ExperimentOverride" },
);

const byId = nested(
  z.object({
    groupID,
    ids: nested(z.array(z.string().min(1)).max(1000), { doc: "Units that get the group.", unordered: true }),
    environment,
    unitType: textOrNone("Unit id type of the ids; left out: that of the experiment."),
  }),
  { typeName: "ExperimentIdOverride" },
);

/** Units that always get a group of an experiment. Source: console-api/experiments.md, section 1. */
export const experimentOverrides = defineResource({
  kind: "ExperimentOverrides",
  name: "experimentOverrides",
  plural: "ExperimentOverrides",
  title: "experiment overrides",
  doc: "Units that always get a group of an experiment, whatever it would give them. Lists that are left out stay as they are.",
  identity: { how: "key", argument: "experiment" },
  fields: {
    experiment: owner("experiment"),
    overrides: optional(z.array(byObject).max(1000), "Groups of those who pass a gate or a segment.", set),
    userIDOverrides: input(z.array(byId).optional(), { doc: "Groups of units by their ids.", ...set }),
  },
  routes: routesOf(experiment.routes, ["overrides", "userIDOverrides"]),
  lifecycle: lifecycleOf("experiment"),
});
