import type { ObjectDefinition, ResourceDefinition } from "../schema/define";
import type { Route } from "../schema/verbs";
import { environments } from "./environments";
import * as actions from "./flags/actions";
import { autotune } from "./flags/autotune";
import { dynamicConfig } from "./flags/dynamic-config";
import { experiment } from "./flags/experiment";
import { gate } from "./flags/gate";
import { holdout } from "./flags/holdout";
import { layer } from "./flags/layer";
import { paramStore } from "./flags/param-store";
import { prompt } from "./flags/prompt";
import { releasePipeline } from "./flags/release-pipeline";
import { releasePipelineTrigger } from "./flags/release-pipeline-trigger";
import * as reviewActions from "./flags/review-actions";
import { segment } from "./flags/segment";
import { experimentOverrides, gateOverrides, holdoutOverrides, layerOverrides } from "./flags/unit-overrides";
import { alert } from "./measures/alert";
import { assignmentSource } from "./measures/assignment-source";
import { entityProperty } from "./measures/entity-property";
import { event } from "./measures/event";
import { exposureCount } from "./measures/exposure-count";
import { ingestion } from "./measures/ingestion";
import { ingestionSchedule } from "./measures/ingestion-schedule";
import { metric } from "./measures/metric";
import { metricSource } from "./measures/metric-source";
import { qualifyingEvent } from "./measures/qualifying-event";
import { unitIdType } from "./measures/unit-id-type";
import { warehouseConnection } from "./measures/warehouse-connection";
import { auditLog } from "./project/audit-log";
import { company } from "./project/company";
import { key } from "./project/key";
import { project } from "./project/project";
import { projectSettings } from "./project/project-settings";
import { reviewSettings } from "./project/review-settings";
import { role } from "./project/role";
import { roleSettings } from "./project/role-settings";
import { tag } from "./project/tag";
import { targetApp } from "./project/target-app";
import { team } from "./project/team";
import { teamSettings } from "./project/team-settings";
import { user } from "./project/user";

/** The only list of managed kinds. */
export const catalog = {
  gate,
  dynamicConfig,
  segment,
  layer,
  assignmentSource,
  metricSource,
  metric,
  alert,
  holdout,
  paramStore,
  releasePipeline,
  tag,
  targetApp,
  unitIdType,
  environments,
  experiment,
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
  prompt,
  ingestion,
  ingestionSchedule,
  warehouseConnection,
};

/** The only list of kinds that are parts of objects of another kind, which has their routes. */
export const parts = { gateOverrides, holdoutOverrides, experimentOverrides, layerOverrides };

/** Every kind that a program can make: objects, parts of objects, and actions. */
export const managed = { ...catalog, ...parts, ...actions, ...reviewActions };

/** The only list of kinds that programs read and never manage. */
export const readables = { company, event, project, releasePipelineTrigger, user, auditLog, exposureCount };

/** Every kind of the API that this package speaks of. */
export const everyKind = { ...catalog, ...readables };

const kinds: Readonly<Record<string, ObjectDefinition>> = everyKind;

/** The kind of what a route of a definition answers; undefined where that has no definition. */
export function answeredKind(
  definition: ObjectDefinition,
  { returnsKind: of = definition.name }: Route,
): ObjectDefinition | undefined {
  return Object.hasOwn(kinds, of) ? kinds[of] : undefined;
}

const managedKinds: Readonly<Record<string, ResourceDefinition>> = catalog;

/** A managed kind by its name. @throws TypeError for a name that a definition misspells. */
export function managedKind(name: string): ResourceDefinition {
  const kind = managedKinds[name];
  if (kind === undefined) throw new TypeError(`there is no managed kind "${name}"`);
  return kind;
}

/** Name of a managed kind. */
export type KindName = keyof typeof catalog;

/** Name of any kind. */
export type AnyKindName = keyof typeof everyKind;
