import { type AnyKindName, catalog } from "../../provider/definitions/index";
import type { Behaviour } from "../console/behaviour";
import { defineBehaviour } from "../console/default-operations";
import { renamedOnCarriers } from "../console/rules/carried-names";
import { notFound } from "../console/rules/outcomes";
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
import { event } from "./measures/event";
import { exposureCount } from "./measures/exposure-count";
import { ingestion } from "./measures/ingestion";
import { metric } from "./measures/metric";
import { metricSource, qualifyingEvent } from "./measures/metric-source";
import { ingestionSchedule, warehouseConnection } from "./measures/warehouse";
import { auditLog } from "./project/audit-log";
import { key } from "./project/key";
import { company, project } from "./project/project";
import { projectSettings, reviewSettings, roleSettings, teamSettings } from "./project/settings";
import { targetApp } from "./project/target-app";
import { role, team } from "./project/team";
import { user } from "./project/user";

/** Behaviour of assignment sources. An update that leaves optional fields out keeps them (section 13, row 23). */
const assignmentSource = defineBehaviour({
  definition: catalog.assignmentSource,
  texts: { missing: "No assignment source was found with the given name" },
});

/** Behaviour of entity properties: as assignment sources, and one can be read. */
const entityProperty = defineBehaviour({
  definition: catalog.entityProperty,
  texts: { missing: notFound().message },
});

/** Behaviour of unit id types. No text is published for them (assumption: those of the other kinds). */
const unitIdType = defineBehaviour({ definition: catalog.unitIdType });

/** Behaviour of tags. For a second create nothing is published (assumption: refused, as for other names). */
const tag = defineBehaviour({
  definition: catalog.tag,
  settle: ({ before, after, ports }) => ({ ...after, id: before?.id ?? ports.makeId() }),
  onChange: renamedOnCarriers("tags"),
});

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
