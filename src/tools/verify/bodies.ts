import type { JsonObject } from "../../provider/schema/json";

/** A rule for two users that do not exist. */
export const rule = (more: JsonObject = {}): JsonObject => ({
  name: "Verify",
  passPercentage: 10,
  conditions: [{ type: "user_id", operator: "any", targetValue: ["fcverify-a", "fcverify-b"] }],
  ...more,
});
/** Members of an object that is off. */
export const off = (more: JsonObject = {}): JsonObject => ({
  isEnabled: false,
  description: "Made by feature-console verify.",
  ...more,
});
