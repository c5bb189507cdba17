import type * as fc from "../../src/index";
import type { Samples } from "./samples";

export const assignmentSource = {
  smallest: {
    name: "smallest source",
    sql: "select * from exposures",
    timestampColumn: "ts",
    experimentIDColumn: "experiment",
    groupIDColumn: "grp",
    idTypeMapping: [{ serviceUnitID: "userID", column: "user_id" }],
  },
  fullest: {
    name: "Fullest source 1.0 / test",
    description: "Every field",
    sql: "select * from exposures where dt > '2026-01-01'",
    timestampColumn: "ts",
    experimentIDColumn: "experiment",
    groupIDColumn: "grp",
    groupNameColumn: "grp_name",
    idTypeMapping: [
      { serviceUnitID: "userID", column: "user_id" },
      { serviceUnitID: "stableID", column: "stable_id" },
    ],
    scheduledReloadHour: 23,
    isVerified: true,
    isReadOnly: true,
    tags: ["shop", "beta"],
    team: "growth",
    owner: { ownerID: "user-1", ownerType: "USER" },
  },
} satisfies Samples<fc.AssignmentSourceArgs>;

export const metricSource = {
  smallest: {
    name: "smallest source",
    sql: "select * from purchases",
    timestampColumn: "ts",
    idTypeMapping: [{ serviceUnitID: "userID", column: "user_id" }],
  },
  fullest: {
    name: "Fullest source 1.0 / test",
    description: "Every field",
    sourceType: "table",
    sql: "",
    tableName: "shop.purchases",
    datePartitionColumn: "dt",
    timestampColumn: "ts",
    timestampAsDay: true,
    idTypeMapping: [
      { serviceUnitID: "userID", column: "user_id" },
      { serviceUnitID: "stableID", column: "stable_id" },
    ],
    customFieldMapping: [
      { key: "net", formula: "amount - tax" },
      { key: "euros", formula: "cents / 100" },
    ],
    isReadOnly: true,
    isVerified: true,
    disableCURE: true,
    tags: ["shop", "beta"],
    team: "growth",
    owner: { ownerID: "user-1", ownerType: "USER" },
    skipValidation: true,
    allColumns: ["ts", "user_id", "stable_id", "amount"],
    columnTypes: ["timestamp", "string", "string", "number"],
  },
} satisfies Samples<fc.MetricSourceArgs>;

export const metric = {
  smallest: {
    name: "smallest metric",
    type: "sum",
    unitTypes: ["userID"],
    metricEvents: [{ name: "purchase", type: "value" }],
  },
  fullest: {
    name: "Fullest metric 1.0 (50 %): a/b",
    type: "sum",
    description: "Every field",
    directionality: "decrease",
    unitTypes: ["userID", "stableID"],
    metricEvents: [
      {
        name: "purchase",
        type: "metadata",
        metadataKey: "price",
        criteria: [{ type: "metadata", column: "currency", condition: "in", values: ["EUR", "USD"] }],
      },
      { name: "refund", type: "value" },
    ],
    metricComponentMetrics: [{ name: "purchase", type: "event_count" }],
    funnelEventList: [
      { name: "visit", type: "event_dau" },
      { name: "purchase", type: "event_count" },
    ],
    funnelCountDistinct: "users",
    rollupTimeWindow: "custom",
    customRollUpStart: 0,
    customRollUpEnd: 7.5,
    warehouseNative: {
      aggregation: "sum",
      metricSourceName: "purchases",
      valueColumn: "amount",
      criteria: [{ type: "value", column: "country", condition: "=", values: ["DE"] }],
      funnelEvents: [{ name: "visit", metricSourceName: "visits", sessionIdentifierField: "session" }],
      components: [{ operator: "+", aggregation: "sum", metricSourceName: "refunds" }],
      metricDimensionLimits: [{ name: "country", limit: 10 }],
      waitForCohortWindow: true,
      winsorizationHigh: 0.999,
      cupedAttributionWindow: 7,
    },
    isVerified: true,
    isReadOnly: true,
    isPermanent: false,
    tags: ["shop", "beta"],
    team: "growth",
    percentile: 0.99,
    scheduledReloadHour: 0,
    scheduledReloadDays: [1, 5],
    owner: { ownerID: "user-1", ownerType: "USER" },
  },
} satisfies Samples<fc.MetricArgs>;

export const alert = {
  smallest: { name: "smallest alert" },
  fullest: {
    name: "Fullest alert: 50 % / shop",
    message: "Every field",
    definitionMetricsJson: ['{"metric": "purchase::event_count"}', '{"metric": "visit::event_count"}'],
    groupBys: [{ column: "country", key: "country" }],
    formula: "A / B",
    condition: "less_or_equal",
    alertThreshold: 0.05,
    warningThreshold: 0.1,
    windowMs: 86_400_000,
    evaluationDelayMs: 60_000,
    priority: "P1",
    renotificationConditions: ["raise", "no-data"],
    renotificationWindowMs: 7_200_000,
    renotificationMessage: "Still so",
    subscribers: [
      { type: "user", id: "user-1" },
      { type: "slackChannel", id: "C123" },
    ],
    tags: ["shop", "beta"],
    teamID: "team-1",
  },
} satisfies Samples<fc.AlertArgs>;

export const unitIdType = {
  smallest: { name: "deviceID" },
  fullest: { name: "company ID", description: "Every field" },
} satisfies Samples<fc.UnitIdTypeArgs>;

export const entityProperty = {
  smallest: {
    name: "smallest property",
    sql: "select user_id, country from users",
    idTypeMapping: [{ serviceUnitID: "userID", column: "user_id" }],
  },
  fullest: {
    name: "Fullest property 1.0 / test",
    description: "Every field",
    sql: "select user_id, stable_id, country, day from users",
    timestampColumn: "day",
    timestampAsDay: true,
    idTypeMapping: [
      { serviceUnitID: "userID", column: "user_id" },
      { serviceUnitID: "stableID", column: "stable_id" },
    ],
    isReadOnly: true,
    tags: ["shop", "beta"],
    team: "growth",
  },
} satisfies Samples<fc.EntityPropertyArgs>;

export const qualifyingEvent = {
  smallest: { ...metricSource.smallest, name: "smallest event" },
  fullest: { ...metricSource.fullest, name: "Fullest event 1.0 / test" },
} satisfies Samples<fc.QualifyingEventArgs>;

export const ingestion = {
  smallest: { sourceName: "smallest source", dataset: "export_exposures", type: "databricks" },
  fullest: {
    sourceName: "Fullest source / 1.0",
    dataset: "export_exposures",
    type: "databricks",
    enabled: false,
    query: "select * from exposures",
    columnMapping: {
      experiment: "experiment",
      groupID: "grp",
      unitID: "user_id",
      timestamp: "ts",
      ids: { userID: "user_id" },
      metadata: { country: "country" },
      metadataObject: "meta",
      eventValue: "value",
    },
    useDeltaSharing: true,
    share: "shop",
    schema: "public",
    table: "exposures",
  },
} satisfies Samples<fc.IngestionArgs>;

export const ingestionSchedule = {
  smallest: { dataset: "export_exposures" },
  fullest: { dataset: "export_exposures", scheduledHourPST: 23 },
} satisfies Samples<fc.IngestionScheduleArgs>;

export const warehouseConnection = {
  smallest: { bigquery: { project: "shop" } },
  fullest: {
    databricks: {
      host: "shop.example.com",
      path: "/sql/1",
      accessToken: "the token",
      stagingDatabase: "staging",
      oauthClientID: "client",
      consoleComputePath: "/sql/2",
    },
    snowflake: {
      accountName: "shop",
      serviceUserName: "console",
      serviceUserPassword: "the password",
      privateKey: "the private key",
      keyPassPhrase: "the pass phrase",
      stagingDatabaseName: "STAGING",
      stagingSchemaName: "PUBLIC",
      computeWarehouse: "SMALL",
      consoleComputeWarehouse: "TINY",
    },
    bigquery: {
      privateKey: "the private key",
      project: "shop",
      consoleComputeProject: "shop-console",
      stagingDataset: "staging",
    },
    databricksIngestion: {
      token: "the token",
      host: "shop.example.com",
      path: "/sql/1",
      deltaSharingCredentials: "the credentials",
      verified: true,
    },
  },
} satisfies Samples<fc.WarehouseConnectionArgs>;
