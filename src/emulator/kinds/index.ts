import type { AnyKindName } from "../../provider/definitions/index";
import type { Behaviour } from "../console/behaviour";
import { autotune } from "./flags/autotune";
import { dynamicConfig } from "./flags/dynamic-config";
import { environments } from "./flags/environments";
import { experiment } from "./flags/experiment";
import { gate } from "./flags/gate";
import { holdout } from "./flags/holdout";
import { layer } from "./flags/layer";
import { paramStore } from "./flags/param-store";
import { prompt } from "./flags/prompt";
import { releasePipeline } from "./flags/release-pipeline";
import { releasePipelineTrigger } from "./flags/release-pipeline-trigger";
import { segment } from "./flags/segment";
import { alert } from "./measures/alert";
import { assignmentSource } from "./measures/assignment-source";
import { entityProperty } from "./measures/entity-property";
import { event } from "./measures/event";
import { exposureCount } from "./measures/exposure-count";
import { ingestion } from "./measures/ingestion";
import { metric } from "./measures/metric";
import { metricSource } from "./measures/metric-source";
import { qualifyingEvent } from "./measures/qualifying-event";
import { unitIdType } from "./measures/unit-id-type";
import { ingestionSchedule, warehouseConnection } from "./measures/warehouse";
import { auditLog } from "./project/audit-log";
import { company } from "./project/company";
import { key } from "./project/key";
import { project } from "./project/project";
import { role } from "./project/role";
import { projectSettings, reviewSettings, roleSettings, teamSettings } from "./project/settings";
import { tag } from "./project/tag";
import { targetApp } from "./project/target-app";
import { team } from "./project/team";
import { user } from "./project/user";

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
  auditLog,
  exposureCount,
  company,
  prompt,
  ingestion,
  ingestionSchedule,
  warehouseConnection,
};
