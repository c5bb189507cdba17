import type { Seed } from "../../src/emulator";

/** What is there already, and that the cases name. */
export const furniture: Seed = {
  gates: [{ name: "beta", id: "beta" }],
  segments: [{ name: "staff", id: "staff", type: "rule_based" }],
  dynamic_configs: [{ name: "colours", id: "colours" }],
  experiments: [{ name: "button", id: "button" }],
  layers: [{ name: "shop", idType: "userID" }],
  tags: [{ name: "checkout", description: "" }],
  target_apps: [{ name: "web", description: "" }],
  unit_id_types: [{ name: "stableID", description: "" }],
};
