import type { AnyKindName } from "../../catalog/index";
import type { Behaviour } from "../behaviour";
import { alert } from "./alert";
import { assignmentSource } from "./assignment-source";
import { autotune } from "./autotune";
import { dynamicConfig } from "./dynamic-config";
import { entityProperty } from "./entity-property";
import { environments } from "./environments";
import { event } from "./event";
import { experiment } from "./experiment";
import { gate } from "./gate";
import { holdout } from "./holdout";
import { key } from "./key";
import { layer } from "./layer";
import { metric } from "./metric";
import { metricSource } from "./metric-source";
import { paramStore } from "./param-store";
import { project } from "./project";
import { qualifyingEvent } from "./qualifying-event";
import { releasePipeline } from "./release-pipeline";
import { releasePipelineTrigger } from "./release-pipeline-trigger";
import { role } from "./role";
import { segment } from "./segment";
import { projectSettings, reviewSettings, roleSettings, teamSettings } from "./settings";
import { tag } from "./tag";
import { targetApp } from "./target-app";
import { team } from "./team";
import { unitIdType } from "./unit-id-type";
import { user } from "./user";

/** The only list of behaviours: one for every kind of the catalog, in the order in which a seed is laid out. */
export const behaviours: Readonly<Record<AnyKindName, Behaviour>> = {
  tag,
  segment,
  gate,
  dynamicConfig,
  layer,
  experiment,
  assignmentSource,
  metricSource,
  metric,
  alert,
  event,
  targetApp,
  unitIdType,
  environments,
  holdout,
  paramStore,
  project,
  releasePipeline,
  releasePipelineTrigger,
  user,
  team,
  role,
  projectSettings,
  reviewSettings,
  roleSettings,
  teamSettings,
  entityProperty,
  qualifyingEvent,
  autotune,
  key,
};
