import { z } from "zod";
import { defineResource } from "../../schema/define";
import { fieldNames, input, maybe, nested, optional } from "../../schema/field";
import type { JsonObject } from "../../schema/json";
import { environment, ids, lifecycleOf, owner, routesOf, set } from "../parts/experiments/overrides";
import { textOrNone } from "../parts/traits";
import { experiment } from "./experiment";
import { gate } from "./gate";
import { holdout } from "./holdout";
import { layer } from "./layer";

/**
 * The body in the one of its two forms that says it (console-api/gates-configs.md, 1.5): units for all environments, or
 * by environment. Only who has both sends both.
 */
function inOneForm({ environmentOverrides, ...lists }: JsonObject): JsonObject {
  const isEmpty = (value: unknown) => !Array.isArray(value) || value.length === 0;
  if (isEmpty(environmentOverrides)) return lists;
  return Object.values(lists).every(isEmpty) ? { environmentOverrides } : { ...lists, environmentOverrides };
}

const units = (doc: string) => input(z.array(z.string().min(1)).max(2000).optional(), { doc, ...set });

const byEnvironment = nested(
  z.object({
    environment,
    // The API requires the member, and takes null.
    unitID: textOrNone("Unit id type of the ids; left out: that of the object."),
    passingIDs: ids("Units that always pass there."),
    failingIDs: ids("Units that always fail there."),
  }),
  { typeName: "EnvironmentOverride" },
);

const unitFields = {
  passingUserIDs: units("Ids of users that always pass."),
  failingUserIDs: units("Ids of users that always fail."),
  passingCustomIDs: units("Units of the object's own id type that always pass."),
  failingCustomIDs: units("Units of the object's own id type that always fail."),
  environmentOverrides: input(z.array(byEnvironment).optional(), { doc: "The same by environment.", ...set }),
};

const required = ["passingUserIDs", "failingUserIDs"] as const;

const doc = (title: string) =>
  `Units that always pass or fail a ${title}, regardless of its rules. Lists that are left out stay as they are.`;

/** Units that always pass or fail a gate. Source: console-api/gates-configs.md, section 1.5. */
export const gateOverrides = defineResource({
  kind: "GateOverrides",
  name: "gateOverrides",
  plural: "GateOverrides",
  title: "gate overrides",
  doc: doc("gate"),
  identity: { how: "key", argument: "gate" },
  fields: { gate: owner("gate"), ...unitFields },
  routes: routesOf(gate.routes, fieldNames(unitFields), required),
  lifecycle: lifecycleOf("gate", inOneForm),
});

/** Units that are always held back or never. Source: console-api/experiments.md, section 3. */
export const holdoutOverrides = defineResource({
  kind: "HoldoutOverrides",
  name: "holdoutOverrides",
  plural: "HoldoutOverrides",
  title: "holdout overrides",
  doc: doc("holdout"),
  identity: { how: "key", argument: "holdout" },
  fields: { holdout: owner("holdout"), ...unitFields },
  routes: routesOf(holdout.routes, fieldNames(unitFields), required),
  lifecycle: lifecycleOf("holdout", inOneForm),
});

const groupID = nested(z.string().min(1), {
  doc: "Id of the group, as the output `groups` of the experiment shows it.",
});

const experimentCondition = nested(
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

const experimentIds = nested(
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
    overrides: optional(
      z.array(experimentCondition).max(1000),
      "Groups of those who pass a gate or a segment.",
      set,
    ),
    userIDOverrides: input(z.array(experimentIds).optional(), {
      doc: "Groups of units by their ids.",
      ...set,
    }),
  },
  routes: routesOf(experiment.routes, ["overrides", "userIDOverrides"]),
  lifecycle: lifecycleOf("experiment"),
});

const text = (doc: string) => nested(z.string().min(1), { doc });

const layerCondition = nested(
  z.object({
    type: nested(z.enum(["segment", "gate"]), { doc: "The kind of `name`." }),
    name: text("Name of a gate or segment: whoever passes it gets the group."),
    experimentName: text("Name of the experiment."),
    groupName: text("Name of its group."),
    environment,
  }),
  { typeName: "LayerConditionalOverride" },
);

const layerIds = nested(
  z.object({
    groupName: text("Name of the group."),
    ids: ids("Units that get the group."),
    idType: maybe(z.string().nullable(), "Unit id type of the ids; left out: that of the layer.", {
      refersTo: "unitIdType",
    }),
    environment,
    experimentName: textOrNone("Name of the experiment that the group belongs to."),
  }),
  { typeName: "LayerIdOverride" },
);

/** Units that always get a group of an experiment in a layer. Source: console-api/experiments.md, section 2. */
export const layerOverrides = defineResource({
  kind: "LayerOverrides",
  name: "layerOverrides",
  plural: "LayerOverrides",
  title: "layer overrides",
  doc: "Units that always get a group of an experiment in a layer. Lists that are left out stay as they are.",
  identity: { how: "key", argument: "layer" },
  fields: {
    layer: owner("layer"),
    conditionalOverrides: optional(
      z.array(layerCondition),
      "Groups of those who pass a gate or a segment.",
      set,
    ),
    idOverrides: input(z.array(layerIds).optional(), { doc: "Groups of units by their ids.", ...set }),
  },
  routes: routesOf(layer.routes, ["conditionalOverrides", "idOverrides"]),
  lifecycle: lifecycleOf("layer"),
});
