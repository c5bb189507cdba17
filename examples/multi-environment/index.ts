import * as pulumi from "@pulumi/pulumi";
import * as fc from "pulumi-feature-console";

// One program, one console project for each stack: the settings of Pulumi.dev.yaml and Pulumi.prod.yaml make the difference.
const rolloutPercentage = new pulumi.Config().requireNumber("rolloutPercentage");

const checkout = new fc.Gate("checkout_v2", {
  description: `New checkout (${pulumi.getStack()})`,
  type: "TEMPORARY",
  rules: [{ name: "Rollout", passPercentage: rolloutPercentage, conditions: [{ type: "public" }] }],
});

const limits = new fc.DynamicConfig("shop_limits", {
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

export const rollout = checkout.rules.apply((rules) => rules[0]?.passPercentage);
export const configId = limits.id;
