import * as fc from "pulumi-feature-console";

// Where the numbers come from. `validate` has the console try the query right before each write, so that a mistake
// fails the update and not tomorrow's results.
const purchases = new fc.MetricSource("purchases", {
  description: "Purchases in the warehouse",
  sql: "select ts, user_id, amount, country from shop.purchases",
  timestampColumn: "ts",
  idTypeMapping: [{ serviceUnitID: "userID", column: "user_id" }],
  tags: ["shop"],
  validate: true,
});

// Who saw which group of an experiment.
const exposures = new fc.AssignmentSource("exposures", {
  description: "Exposures logged to the warehouse",
  sql: "select ts, user_id, experiment, grp from shop.exposures",
  timestampColumn: "ts",
  experimentIDColumn: "experiment",
  groupIDColumn: "grp",
  idTypeMapping: [{ serviceUnitID: "userID", column: "user_id" }],
  scheduledReloadHour: 4,
  validate: true,
});

// A metric over the warehouse; a resource stands for its id, which for a source is its name.
const revenue = new fc.Metric("revenue", {
  type: "user_warehouse",
  description: "Revenue per user",
  unitTypes: ["userID"],
  warehouseNative: {
    aggregation: "sum",
    metricSourceName: purchases,
    valueColumn: "amount",
    criteria: [{ type: "metadata", column: "country", condition: "in", values: ["DE", "FR"] }],
    winsorizationHigh: 0.999,
  },
});

// A metric of logged events.
const returns = new fc.Metric("returns", {
  type: "event_count_custom",
  description: "Purchases sent back",
  directionality: "decrease",
  unitTypes: ["userID"],
  metricEvents: [{ name: "purchase_returned", type: "count" }],
  isReadOnly: true,
});

// A funnel. What it consists of cannot change after creation; another funnel gets another name.
const conversion = new fc.Metric("conversion", {
  type: "funnel",
  description: "From the first visit to a purchase",
  unitTypes: ["userID"],
  funnelEventList: [
    { name: "visit", type: "event_dau" },
    { name: "purchase", type: "event_dau" },
  ],
  funnelCountDistinct: "users",
});

// Too many purchases sent back: a share of 5 % wakes somebody up, 3 % is a warning.
const tooManyReturns = new fc.Alert("Too many returns", {
  message: "More purchases than usual are sent back.",
  definitionMetricsJson: [
    JSON.stringify({ type: "event_count", metric: "purchase_returned" }),
    JSON.stringify({ type: "event_count", metric: "purchase" }),
  ],
  formula: "A / B",
  condition: "greater",
  alertThreshold: 0.05,
  warningThreshold: 0.03,
  windowMs: 6 * 60 * 60 * 1000,
  priority: "P2",
  renotificationConditions: ["raise"],
  tags: ["shop"],
});

// Exposures that the console reads from the warehouse by itself, every day at three. A warehouse-native account needs neither.
const ingestion = new fc.Ingestion("exposures", {
  dataset: "export_exposures",
  type: "snowflake-v2",
  query: "select ts, user_id, experiment, grp from shop.exposures",
  columnMapping: { experiment: "experiment", groupID: "grp", timestamp: "ts", ids: { userID: "user_id" } },
});
new fc.IngestionSchedule("exposures", { dataset: "export_exposures", scheduledHourPST: 3 });

// The prompt of an assistant. A change of `content` makes a new version.
const assistant = new fc.Prompt("order-assistant", {
  description: "Answers questions about orders",
  content: {
    name: "Polite",
    model: "gpt-5",
    prompts: [{ role: "system", content: "You answer questions about orders, politely." }],
  },
});

export const promptId = assistant.id;
export const ingestionId = ingestion.id;
export const sources = [purchases.id, exposures.id];
export const metrics = [revenue.id, returns.id, conversion.id];
export const alertId = tooManyReturns.id;
export const alertStatus = fc.getAlertOutput({ id: tooManyReturns.id }).status;
