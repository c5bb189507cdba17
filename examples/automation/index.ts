import * as pulumi from "@pulumi/pulumi";
import * as fc from "pulumi-feature-console";

// The flags of one tenant. Its share comes from tenants.json, by way of deploy.mts.
const share = new pulumi.Config().getNumber("checkoutShare") ?? 0;

const checkout = new fc.Gate("checkout_v2", {
  description: "New checkout",
  type: "TEMPORARY",
  rules: [{ name: "Rollout", passPercentage: share, conditions: [{ type: "public" }] }],
});

export const checkoutId = checkout.id;
