import { z } from "zod";
import { maybe, nested } from "../../schema/field";
import { environment, ids } from "./experiments/overrides";
import { textOrNone } from "./traits";

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

/** The overrides of an experiment, as a program sets them and as its routes take them. */
export const experimentLists = {
  overrides: z.array(experimentCondition).max(1000),
  userIDOverrides: z.array(experimentIds),
};

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

/** The same of a layer. */
export const layerLists = { conditionalOverrides: z.array(layerCondition), idOverrides: z.array(layerIds) };
