import * as actions from "./actions";
import { assignmentSource } from "./assignment-source";
import { dynamicConfig } from "./dynamic-config";
import { gate } from "./gate";
import { layer } from "./layer";
import { metricSource } from "./metric-source";
import { segment } from "./segment";

/** The only list of managed kinds. */
export const catalog = { gate, dynamicConfig, segment, layer, assignmentSource, metricSource };

/** Every kind that a program can make: objects, and actions. */
export const managed = { ...catalog, ...actions };

/** The only list of kinds that programs read and never manage. */
export const readables = {};

/** Every kind of the API that this package speaks of. */
export const everyKind = { ...catalog, ...readables };

/** Name of a managed kind. */
export type KindName = keyof typeof catalog;

/** Name of any kind. */
export type AnyKindName = keyof typeof everyKind;
