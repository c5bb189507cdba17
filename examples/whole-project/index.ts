import * as fc from "pulumi-feature-console";

// What everything else refers to.
const account = new fc.UnitIdType("accountID", { description: "One paying customer" });
const environments = new fc.Environments("environments", {
  environments: [
    { name: "development", isProduction: false, requiresReview: false, requiresReleasePipeline: true },
    { name: "production", isProduction: true, requiresReview: true, requiresReleasePipeline: true },
  ],
});
const app = new fc.TargetApp("web", { description: "The web shop" });

// The warehouse: where values and exposures come from, and an alert.
const events = new fc.MetricSource("shop_events", {
  sql: "select ts, user_id, value from events",
  timestampColumn: "ts",
  idTypeMapping: [{ serviceUnitID: "userID", column: "user_id" }],
});
const exposures = new fc.AssignmentSource("exposures", {
  sql: "select ts, user_id, experiment, grp from exposures",
  timestampColumn: "ts",
  experimentIDColumn: "experiment",
  groupIDColumn: "grp",
  idTypeMapping: [{ serviceUnitID: "userID", column: "user_id" }],
});
const alert = new fc.Alert("revenue falls", {
  message: "Look at the shop",
  alertThreshold: 10,
  condition: "less",
});

const staff = new fc.Segment("staff", {
  type: "rule_based",
  rules: [
    {
      name: "Company mail",
      passPercentage: 100,
      conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }],
    },
  ],
});
const pipeline = new fc.ReleasePipeline("careful", {
  phases: [
    {
      name: "Staff",
      timeIntervalMs: 3_600_000,
      requiredReview: false,
      rules: [{ name: "All", conditions: [] }],
    },
  ],
});

/** The flags of one area of the shop: segment ← gates ← configs, experiment in a layer, measured, and held out. */
function areaFlags(area: string) {
  const tag = new fc.Tag(area, { description: `Owned by ${area}` });
  const testers = new fc.Segment(`${area}_testers`, { type: "id_list", ids: [`${area}-1`, `${area}-2`] });
  const gate = new fc.Gate(`${area}_new`, {
    tags: [tag.name],
    targetApps: [app.name],
    releasePipelineID: pipeline.id,
    rules: [
      { name: "Staff", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: staff }] },
      { name: "Testers", passPercentage: 50, conditions: [{ type: "passes_segment", targetValue: testers }] },
    ],
  });
  const extras = new fc.Gate(`${area}_extras`, {
    rules: [{ name: "New", passPercentage: 12.5, conditions: [{ type: "passes_gate", targetValue: gate }] }],
  });
  const legacy = new fc.Gate(`${area}_legacy`, {
    rules: [{ name: "Old", passPercentage: 100, conditions: [{ type: "fails_gate", targetValue: gate }] }],
  });
  const limits = new fc.DynamicConfig(`${area}_limits`, {
    defaultValue: { most: 10 },
    rules: [
      {
        name: "New",
        passPercentage: 100,
        conditions: [{ type: "passes_gate", targetValue: gate }],
        returnValue: { most: 20 },
      },
    ],
  });
  const texts = new fc.DynamicConfig(`${area}_texts`, { defaultValue: { title: `Welcome to ${area}` } });
  const layer = new fc.Layer(`${area} layer`, {
    idType: "userID",
    parameters: [{ name: "colour", type: "string", defaultValue: "blue" }],
  });
  const metric = new fc.Metric(`${area} value`, {
    type: "user_warehouse",
    warehouseNative: { aggregation: "sum", metricSourceName: events.name, valueColumn: "value" },
  });
  const experiment = new fc.Experiment(`${area}_colours`, {
    hypothesis: "Red sells more",
    layerID: layer.id,
    targetingGateID: gate.id,
    primaryMetrics: [{ name: metric.name, type: "user_warehouse" }],
    groups: [
      { name: "Control", size: 50, parameterValues: { colour: "blue" } },
      { name: "Red", size: 50, parameterValues: { colour: "red" } },
    ],
  });
  const holdout = new fc.Holdout(`${area} holdout`, {
    passPercentage: 5,
    gateIDs: [gate.id],
    experimentIDs: [experiment.id],
    layerIDs: [layer.id],
  });
  return { area, gate, all: [extras.id, legacy.id, limits.id, texts.id, holdout.id] };
}

const flags = ["search", "cart", "checkout", "profile", "orders"].map(areaFlags);

const parameters = new fc.ParamStore("shop", {
  displayName: "Shop",
  description: "What the shop reads",
  parameters: flags.map(({ area, gate }) => ({
    name: `${area}IsNew`,
    refType: "gate" as const,
    paramType: "boolean" as const,
    gateName: gate.id,
    passValue: true,
    failValue: false,
  })),
});

// What is there, asked while the program runs: also in a preview.
export const knownTags = fc.listTags().then((found) => found.length);
export const ids = flags.map(({ gate, all }) => [gate.id, ...all]);
export const others = [account.id, environments.id, exposures.id, alert.id, parameters.id];
