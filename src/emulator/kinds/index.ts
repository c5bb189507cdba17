import type { AnyKindName } from "../../catalog/index";
import type { Behaviour } from "../behaviour";
import { assignmentSource } from "./assignment-source";
import { dynamicConfig } from "./dynamic-config";
import { gate } from "./gate";
import { layer } from "./layer";
import { metricSource } from "./metric-source";
import { segment } from "./segment";

/** The only list of behaviours: one for every kind of the catalog, in the order in which a seed is laid out. */
export const behaviours: Readonly<Record<AnyKindName, Behaviour>> = {
  segment,
  gate,
  dynamicConfig,
  layer,
  assignmentSource,
  metricSource,
};
