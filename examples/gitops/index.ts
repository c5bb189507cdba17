import * as fc from "pulumi-feature-console";

// A change to this file is a pull request: its preview is reviewed, and merging it is the rollout.
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

const checkout = new fc.Gate("checkout_v2", {
  description: "New checkout",
  type: "TEMPORARY",
  tags: ["shop"],
  rules: [
    { name: "Staff", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: staff }] },
    { name: "Everyone else", passPercentage: 10, conditions: [{ type: "public" }] },
  ],
});

const search = new fc.Gate("search_suggestions", {
  description: "Suggestions while typing",
  type: "PERMANENT",
  rules: [{ name: "Everyone", passPercentage: 100, conditions: [{ type: "public" }] }],
});

const limits = new fc.DynamicConfig("shop_limits", {
  description: "Limits of the shop",
  defaultValue: { maxItems: 20 },
  rules: [
    {
      name: "New checkout",
      passPercentage: 100,
      conditions: [{ type: "passes_gate", targetValue: checkout }],
      returnValue: { maxItems: 50 },
    },
  ],
});

export const gateIds = [checkout.id, search.id];
export const configId = limits.id;
