import * as fc from "pulumi-feature-console";

const checkout = new fc.Gate("new_checkout", {
  description: "New checkout",
  type: "TEMPORARY",
  rules: [
    {
      name: "Staff",
      passPercentage: 100,
      conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }],
    },
    { name: "Everyone else", passPercentage: 10, conditions: [{ type: "public" }] },
  ],
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

const layer = new fc.Layer("checkout_page", {
  description: "Experiments on the checkout page",
  idType: "userID",
  parameters: [{ name: "buttonColour", type: "string", defaultValue: "blue" }],
});

const button = new fc.Experiment("green_button", {
  hypothesis: "A green button is pressed more often",
  layerID: layer,
  allocation: 100,
  groups: [
    { name: "Control", size: 50, parameterValues: { buttonColour: "blue" } },
    { name: "Green", size: 50, parameterValues: { buttonColour: "green" } },
  ],
  controlGroup: "Control",
  status: "active",
});

export const gateId = checkout.id;
export const configId = limits.id;
export const experimentId = button.id;
