import { z } from "zod";
import { defineResource } from "../../schema/define";
import { input, maybe, nested, optional } from "../../schema/field";
import { environment, ids, lifecycleOf, owner, routesOf, set } from "../parts/experiments/overrides";
import { textOrNone } from "../parts/traits";
import { layer } from "./layer";

const text = (doc: string) => nested(z.string().min(1), { doc });

const byObject = nested(
  z.object({
    type: nested(z.enum(["segment", "gate"]), { doc: "The kind of `name`." }),
    name: text("Name of a gate or segment: whoever passes it gets the group."),
    experimentName: text("Name of the experiment."),
    groupName: text("Name of its group."),
    environment,
  }),
  { typeName: "LayerConditionalOverride" },
);

const byId = nested(
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
    conditionalOverrides: optional(z.array(byObject), "Groups of those who pass a gate or a segment.", set),
    idOverrides: input(z.array(byId).optional(), { doc: "Groups of units by their ids.", ...set }),
  },
  routes: routesOf(layer.routes, ["conditionalOverrides", "idOverrides"]),
  lifecycle: lifecycleOf("layer"),
});
