import { defineResource } from "../../schema/define";
import { input, optional } from "../../schema/field";
import { lifecycleOf, owner, routesOf, set } from "../parts/experiments/overrides";
import { layerLists } from "../parts/override-lists";
import { layer } from "./layer";

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
      layerLists.conditionalOverrides,
      "Groups of those who pass a gate or a segment.",
      set,
    ),
    idOverrides: input(layerLists.idOverrides.optional(), { doc: "Groups of units by their ids.", ...set }),
  },
  routes: routesOf(layer.routes, ["conditionalOverrides", "idOverrides"]),
  lifecycle: lifecycleOf("layer"),
});
