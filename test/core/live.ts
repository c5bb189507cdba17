import type { KindName } from "../../src/provider/definitions";
import type { JsonObject } from "../../src/provider/schema/json";

/** A gate as a console shows it, under the names used here. */
export const liveGate: JsonObject = {
  key: "checkout",
  name: "Checkout",
  description: "Shop",
  isEnabled: true,
  status: "In Progress",
  rules: [],
  type: "TEMPORARY",
  idType: "userID",
  tags: ["a"],
  targetApps: [],
  measureMetricLifts: true,
  monitoringMetrics: [],
  isTemplate: false,
  reviewSettings: { requiredReview: false, allowedReviewers: [] },
  version: 3,
  createdTime: 1,
  creatorEmail: null,
  team: "growth",
};
const liveSegment: JsonObject = {
  key: "staff",
  name: "Staff",
  type: "rule_based",
  description: "Old",
  rules: [],
  tags: [],
  idType: "userID",
};
const liveLayer: JsonObject = {
  name: "Search",
  description: "",
  idType: "userID",
  parameters: [],
  targetApps: [],
};
/** An object of a kind as a console shows it. */
export const lives: Partial<Record<KindName, JsonObject>> = {
  gate: liveGate,
  segment: liveSegment,
  layer: liveLayer,
};
