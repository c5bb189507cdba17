import { defineResource } from "../../schema/define";
import { input, optional } from "../../schema/field";
import { lifecycleOf, owner, routesOf, set } from "../parts/experiments/overrides";
import { experimentLists } from "../parts/override-lists";
import { experiment } from "./experiment";

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
    overrides: optional(experimentLists.overrides, "Groups of those who pass a gate or a segment.", set),
    userIDOverrides: input(experimentLists.userIDOverrides.optional(), {
      doc: "Groups of units by their ids.",
      ...set,
    }),
  },
  routes: routesOf(experiment.routes, ["overrides", "userIDOverrides"]),
  lifecycle: lifecycleOf("experiment"),
});
