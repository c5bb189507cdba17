import type { Item } from "../emulator/desk";

/** How another infrastructure tool handles a kind: its paths, and which members go where. From the published pages alone. */
export interface Tool {
  /** Where an object is made by a POST; left out: there is one in a project, and an update is all there is. */
  readonly make?: string;
  readonly at: (made: Item) => string;
  /** Where a read of one is; "list": there is no such read, and the list at `make` is searched by name; "none": there is no read. */
  readonly read?: "list" | "none";
  readonly update: "PATCH" | "POST";
  /** Below the path of one object, and the one member that is the whole body there. */
  readonly part?: readonly [path: string, member: string];
  /** What a create takes; left out: everything. */
  readonly creates?: readonly string[];
  /** What only an update takes. */
  readonly later?: readonly string[];
  /** What an update takes no more. */
  readonly fixed?: readonly string[];
  /** What no read shows. */
  readonly unread?: readonly string[];
}

type Rest = Omit<Tool, "make" | "at" | "update">;
type Handling = (path: string, update: Tool["update"], rest?: Rest) => Tool;

/** Objects that are made at a path, and found below it by what a create answers. */
const byId: Handling = (path, update, rest = {}) => ({
  ...{ make: path, at: ({ id }) => `${path}/${encodeURIComponent(id)}`, update, ...rest },
});
const byName: Handling = (path, update, rest = {}) => ({
  ...{ make: path, at: ({ name }) => `${path}/${encodeURIComponent(name)}`, update, ...rest },
});
const alone = (path: string): Tool => ({ at: () => path, update: "POST" });
const query = ["dryRun", "skip_validation", "all_columns", "column_types"];

/** Every kind that such a tool has. */
export const tools = {
  gate: byId("/gates", "PATCH", {
    fixed: ["id", "isTemplate", "gradual_rollout_strategy"],
    unread: ["gradual_rollout_strategy"],
  }),
  dynamicConfig: byId("/dynamic_configs", "PATCH", { later: ["type"], fixed: ["id", "isTemplate"] }),
  experiment: byId("/experiments", "PATCH", {
    fixed: ["id", "layerID"],
    unread: ["primaryMetricTags", "secondaryMetricTags"],
  }),
  layer: byId("/layers", "PATCH", {
    creates: ["name", "description", "idType", "targetApps", "team"],
    fixed: ["name", "idType", "team"],
  }),
  holdout: byId("/holdouts", "PATCH", {
    creates: ["name", "description", "idType", "teamID"],
    fixed: ["name", "idType", "teamID"],
  }),
  segment: byId("/segments", "POST", { part: ["/conditional", "rules"] }),
  idList: byId("/segments", "POST", {
    part: ["/id_list/reset", "ids"],
    creates: ["name", "id", "description", "type", "idType", "tags", "creatorID", "creatorEmail", "team"],
  }),
  metric: byId("/metrics", "POST", {
    later: ["owner"],
    fixed: [
      ...["name", "type", "metricEvents", "metricComponentMetrics", "rollupTimeWindow", "customRollUpStart"],
      ...["customRollUpEnd", "funnelEventList", "funnelCountDistinct"],
    ],
    unread: ["dryRun"],
  }),
  metricSource: byName("/metrics/metric_source", "POST", { fixed: ["name"], unread: query }),
  qualifyingEvent: byName("/experiments/qualifying_events", "POST", { fixed: ["name"], unread: query }),
  assignmentSource: {
    ...byName("/experiments/assignment_source", "POST", { read: "list", unread: ["dryRun"] }),
    make: "/experiments/assignment_sources",
  },
  entityProperty: {
    ...byName("/experiments/entity_property", "PATCH", { fixed: ["sql"], unread: ["dryRun"] }),
    make: "/experiments/entity_properties",
  },
  paramStore: byName("/param_stores", "POST", {
    creates: ["name", "description", "displayName", "targetAppIDs", "tags", "team"],
    fixed: ["name", "displayName", "targetAppIDs", "tags", "team"],
    unread: ["targetAppIDs", "tags"],
  }),
  targetApp: byId("/target_app", "PATCH", {
    fixed: ["gates", "dynamicConfigs", "experiments", "layers", "parameterStores"],
    unread: ["description", "gates", "dynamicConfigs", "experiments", "layers", "parameterStores"],
  }),
  tag: byId("/tags", "PATCH"),
  team: byId("/users/teams", "PATCH"),
  role: byName("/roles", "PATCH", { fixed: ["name"] }),
  key: {
    ...byId("/keys", "PATCH", { fixed: ["type"], unread: ["targetAppID", "secondaryTargetAppIDs"] }),
    at: ({ key }) => `/keys/${encodeURIComponent(String(key))}`,
  },
  autotune: byId("/autotunes", "PATCH", { fixed: ["name", "idType"] }),
  unitIdType: byName("/unit_id_types", "PATCH", { fixed: ["name"] }),
  releasePipeline: byId("/release_pipelines", "POST"),
  alert: byId("/alerts", "PATCH", {
    // A create takes tags in another form.
    creates: ["name", "message", "teamID", "formula", "definitionMetricsJson", "groupBys"],
    unread: ["teamID", "definitionMetricsJson", "groupBys"],
  }),
  gateOverrides: alone("/gates/beta/overrides"),
  holdoutOverrides: alone("/holdouts/held/overrides"),
  experimentOverrides: alone("/experiments/button/overrides"),
  layerOverrides: alone("/layers/shop/overrides"),
  prompt: byId("/prompts", "PATCH", {
    fixed: ["name", "displayName", "tags", "creatorID", "creatorEmail", "owner"],
    unread: ["displayName", "owner"],
  }),
  ingestion: {
    make: "/ingestion",
    // The body of an update tells which one, and the query of a read.
    at: () => "/ingestion?type=snowflake-v2&dataset=Events&source_name=shop",
    update: "PATCH",
    fixed: ["use_delta_sharing"],
    unread: [
      ...["source_name", "dataset", "query", "column_mapping", "use_delta_sharing"],
      ...["share", "schema", "table"],
    ],
  },
  ingestionSchedule: { at: () => "/ingestion/schedule?dataset=Events", update: "POST" },
  warehouseConnection: {
    at: () => "/wh_connections",
    read: "none",
    update: "PATCH",
    unread: ["databricks", "snowflake", "bigquery"],
  },
  environments: alone("/environments"),
  projectSettings: alone("/settings/project"),
  reviewSettings: alone("/settings/reviews"),
  roleSettings: alone("/settings/roles"),
  teamSettings: alone("/settings/teams"),
} satisfies Record<string, Tool>;

export type ToolKind = keyof typeof tools;
