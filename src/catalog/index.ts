import { assignmentSource } from "./assignment-source";
import { dynamicConfig } from "./dynamic-config";
import { gate } from "./gate";
import { layer } from "./layer";
import { segment } from "./segment";

/** The only list of managed kinds. */
export const catalog = { gate, dynamicConfig, segment, layer, assignmentSource };

/** Name of a managed kind. */
export type KindName = keyof typeof catalog;
