import type { ObjectDefinition, ResourceDefinition } from "../core/define";
import type { Route } from "../core/verbs";
import * as actions from "./actions";
import { alert } from "./alert";
import { assignmentSource } from "./assignment-source";
import { autotune } from "./autotune";
import { dynamicConfig } from "./dynamic-config";
import { entityProperty } from "./entity-property";
import { environments } from "./environments";
import { event } from "./event";
import { experiment } from "./experiment";
import { experimentOverrides } from "./experiment-overrides";
import { gate } from "./gate";
import { holdout } from "./holdout";
import { key } from "./key";
import { layer } from "./layer";
import { layerOverrides } from "./layer-overrides";
import { metric } from "./metric";
import { metricSource } from "./metric-source";
import { paramStore } from "./param-store";
import { project } from "./project";
import { projectSettings } from "./project-settings";
import { qualifyingEvent } from "./qualifying-event";
import { releasePipeline } from "./release-pipeline";
import { releasePipelineTrigger } from "./release-pipeline-trigger";
import { reviewSettings } from "./review-settings";
import { role } from "./role";
import { roleSettings } from "./role-settings";
import { segment } from "./segment";
import { tag } from "./tag";
import { targetApp } from "./target-app";
import { team } from "./team";
import { teamSettings } from "./team-settings";
import { unitIdType } from "./unit-id-type";
import { gateOverrides, holdoutOverrides } from "./unit-overrides";
import { user } from "./user";

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
};

/** The only list of kinds that are parts of objects of another kind, which has their routes. */
export const parts = { gateOverrides, holdoutOverrides, experimentOverrides, layerOverrides };

/** Every kind that a program can make: objects, parts of objects, and actions. */
export const managed = { ...catalog, ...parts, ...actions };

/** The only list of kinds that programs read and never manage. */
export const readables = { event, project, releasePipelineTrigger, user };

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
