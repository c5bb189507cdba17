import type { Item } from "../emulator/desk";

/** How another infrastructure tool handles a kind: its paths, and which members go where. From the published pages alone. */
export interface Tool {
  /** Where an object is made by a POST; left out: there is one in a project, and an update is all there is. */
  readonly make?: string;
  /** Path of one object. */
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

const byId = (path: string) => (made: Item) => `${path}/${encodeURIComponent(made.id)}`;
const byName = (path: string) => (made: Item) => `${path}/${encodeURIComponent(made.name)}`;
const alone = (path: string): Tool => ({ at: () => path, update: "POST" });
const query = ["dryRun", "skip_validation", "all_columns", "column_types"];

/** Every kind that such a tool has. */
export const tools = {
  gate: {
    make: "/gates",
    at: byId("/gates"),
    update: "PATCH",
    fixed: ["id", "isTemplate", "gradual_rollout_strategy"],
    unread: ["gradual_rollout_strategy"],
  },
  dynamicConfig: {
    make: "/dynamic_configs",
    at: byId("/dynamic_configs"),
    update: "PATCH",
    later: ["type"],
    fixed: ["id", "isTemplate"],
  },
  experiment: {
    make: "/experiments",
    at: byId("/experiments"),
    update: "PATCH",
    fixed: ["id", "layerID"],
    unread: ["primaryMetricTags", "secondaryMetricTags"],
  },
  layer: {
    make: "/layers",
    at: byId("/layers"),
    update: "PATCH",
    creates: ["name", "description", "idType", "targetApps", "team"],
    fixed: ["name", "idType", "team"],
  },
  holdout: {
    make: "/holdouts",
    at: byId("/holdouts"),
    update: "PATCH",
    creates: ["name", "description", "idType", "teamID"],
    fixed: ["name", "idType", "teamID"],
  },
  segment: { make: "/segments", at: byId("/segments"), update: "POST", part: ["/conditional", "rules"] },
  idList: {
    make: "/segments",
    at: byId("/segments"),
    update: "POST",
    part: ["/id_list/reset", "ids"],
    creates: ["name", "id", "description", "type", "idType", "tags", "creatorID", "creatorEmail", "team"],
  },
  metric: {
    make: "/metrics",
    at: byId("/metrics"),
    update: "POST",
    later: ["owner"],
    fixed: [
      ...["name", "type", "metricEvents", "metricComponentMetrics", "rollupTimeWindow", "customRollUpStart"],
      ...["customRollUpEnd", "funnelEventList", "funnelCountDistinct"],
    ],
    unread: ["dryRun"],
  },
  metricSource: {
    make: "/metrics/metric_source",
    at: byName("/metrics/metric_source"),
    update: "POST",
    fixed: ["name"],
    unread: query,
  },
  qualifyingEvent: {
    make: "/experiments/qualifying_events",
    at: byName("/experiments/qualifying_events"),
    update: "POST",
    fixed: ["name"],
    unread: query,
  },
  assignmentSource: {
    make: "/experiments/assignment_sources",
    at: byName("/experiments/assignment_source"),
    read: "list",
    update: "POST",
    unread: ["dryRun"],
  },
  entityProperty: {
    make: "/experiments/entity_properties",
    at: byName("/experiments/entity_property"),
    update: "PATCH",
    fixed: ["sql"],
    unread: ["dryRun"],
  },
  paramStore: {
    make: "/param_stores",
    at: byName("/param_stores"),
    update: "POST",
    creates: ["name", "description", "displayName", "targetAppIDs", "tags", "team"],
    fixed: ["name", "displayName", "targetAppIDs", "tags", "team"],
    unread: ["targetAppIDs", "tags"],
  },
  targetApp: {
    make: "/target_app",
    at: byId("/target_app"),
    update: "PATCH",
    fixed: ["gates", "dynamicConfigs", "experiments", "layers", "parameterStores"],
    unread: ["description", "gates", "dynamicConfigs", "experiments", "layers", "parameterStores"],
  },
  tag: { make: "/tags", at: byId("/tags"), update: "PATCH" },
  team: { make: "/users/teams", at: byId("/users/teams"), update: "PATCH" },
  role: { make: "/roles", at: byName("/roles"), update: "PATCH", fixed: ["name"] },
  key: {
    make: "/keys",
    at: (made) => `/keys/${encodeURIComponent(String(made.key))}`,
    update: "PATCH",
    fixed: ["type"],
    unread: ["targetAppID", "secondaryTargetAppIDs"],
  },
  autotune: { make: "/autotunes", at: byId("/autotunes"), update: "PATCH", fixed: ["name", "idType"] },
  unitIdType: { make: "/unit_id_types", at: byName("/unit_id_types"), update: "PATCH", fixed: ["name"] },
  releasePipeline: { make: "/release_pipelines", at: byId("/release_pipelines"), update: "POST" },
  alert: {
    make: "/alerts",
    at: byId("/alerts"),
    update: "PATCH",
    // A create takes tags in another form.
    creates: ["name", "message", "teamID", "formula", "definitionMetricsJson", "groupBys"],
    unread: ["teamID", "definitionMetricsJson", "groupBys"],
  },
  gateOverrides: alone("/gates/beta/overrides"),
  holdoutOverrides: alone("/holdouts/held/overrides"),
  experimentOverrides: alone("/experiments/button/overrides"),
  layerOverrides: alone("/layers/shop/overrides"),
  prompt: {
    make: "/prompts",
    at: byId("/prompts"),
    update: "PATCH",
    fixed: ["name", "displayName", "tags", "creatorID", "creatorEmail", "owner"],
    unread: ["displayName", "owner"],
  },
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

/** A kind of such a tool. */
export type ToolKind = keyof typeof tools;
