import { catalog } from "../../provider/definitions";
import type { ResourceDefinition } from "../../provider/schema/define";
import type { AskedKind } from "./ports";

/** A kind that has a place on the page. */
export interface ShownKind {
  readonly definition: ResourceDefinition;
  readonly plural: string;
  /** Its kind for an SDK; undefined where no application asks for it. */
  readonly asked?: AskedKind;
  /** The answer for users whom no rule fits: a text, or the field that holds it. */
  readonly otherwise?: string | { readonly field: string };
  /** Fields that only the console sets and that readers look for. */
  readonly figures?: readonly string[];
}

/** The kinds that decide what an application does, in the order of the page. */
export const shownKinds: readonly ShownKind[] = [
  {
    ...{ definition: catalog.gate, plural: "Gates", asked: "gate", otherwise: "nobody passes" },
    figures: ["checksPerHour"],
  },
  {
    ...{ definition: catalog.dynamicConfig, plural: "Configs", asked: "config" },
    ...{ otherwise: { field: "defaultValue" }, figures: ["checksPerHour"] },
  },
  { definition: catalog.experiment, plural: "Experiments", asked: "experiment" },
  { definition: catalog.layer, plural: "Layers", asked: "layer" },
  {
    ...{ definition: catalog.segment, plural: "Segments", otherwise: "no unit is in it" },
    figures: ["count"],
  },
  { definition: catalog.holdout, plural: "Holdouts" },
  { definition: catalog.paramStore, plural: "Param stores" },
];

/** The kind of that name in camelCase. */
export function shownKind(name: string | null): ShownKind | undefined {
  return shownKinds.find(({ definition }) => definition.name === name);
}
