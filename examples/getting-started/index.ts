import * as fc from "pulumi-feature-console";

// Who works here. Gates and configs refer to the segment; a resource stands for its id.
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

const testers = new fc.Segment("testers", { type: "id_list", ids: ["user-1", "user-2", "user-3"] });

const checkout = new fc.Gate("checkout_v2", {
  description: "New checkout",
  type: "TEMPORARY",
  tags: ["shop"],
  rules: [
    { name: "Staff", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: staff }] },
    { name: "Testers", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: testers }] },
    { name: "Everyone else", passPercentage: 12.5, conditions: [{ type: "public" }] },
  ],
});

const limits = new fc.DynamicConfig("shop_limits", {
  description: "Limits of the shop",
  defaultValue: { maxItems: 20, currencies: ["EUR", "USD"] },
  rules: [
    {
      name: "New checkout",
      passPercentage: 100,
      conditions: [{ type: "passes_gate", targetValue: checkout }],
      returnValue: { maxItems: 50, currencies: ["EUR", "USD", "GBP"] },
    },
  ],
});

const layer = new fc.Layer("checkout_layer", {
  description: "Experiments on the checkout",
  idType: "userID",
  parameters: [{ name: "buttonColour", type: "string", defaultValue: "blue" }],
});

const exposures = new fc.AssignmentSource("exposures", {
  description: "Exposures logged to the warehouse",
  sql: "select ts, user_id, experiment, grp from exposures",
  timestampColumn: "ts",
  experimentIDColumn: "experiment",
  groupIDColumn: "grp",
  idTypeMapping: [{ serviceUnitID: "userID", column: "user_id" }],
});

export const gateId = checkout.id;
export const gateStatus = checkout.status;
export const configId = limits.id;
export const layerId = layer.id;
export const sourceId = exposures.id;
