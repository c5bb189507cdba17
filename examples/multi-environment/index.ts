import * as fc from "pulumi-feature-console";
import { readRollout } from "./rollout";

// One set of definitions for every stack. Each has a console project of its own, and its shares in Pulumi.<stack>.yaml.
const rollout = readRollout();

const checkout = new fc.Gate("checkout_v2", {
  description: "New checkout",
  type: "TEMPORARY",
  rules: [{ name: "Rollout", passPercentage: rollout.checkout_v2, conditions: [{ type: "public" }] }],
});

const search = new fc.Gate("search_suggestions", {
  description: "Suggestions while typing",
  type: "PERMANENT",
  rules: [{ name: "Rollout", passPercentage: rollout.search_suggestions, conditions: [{ type: "public" }] }],
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

export const ids = [checkout.id, search.id, limits.id];
