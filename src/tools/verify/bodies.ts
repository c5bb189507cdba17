import type { JsonObject } from "../../provider/schema/json";
import type { Reply, Workshop } from "./workshop";

/** A rule for two users that do not exist, of whom none passes: a policy about percentages refuses other rules. */
export const rule = (more: JsonObject = {}): JsonObject => ({
  name: "Verify",
  passPercentage: 0,
  conditions: [{ type: "user_id", operator: "any", targetValue: ["fcverify-a", "fcverify-b"] }],
  ...more,
});
/** Members of an object that is off. */
export const off = (more: JsonObject = {}): JsonObject => ({
  isEnabled: false,
  description: "Made by feature-console verify.",
  ...more,
});

/** Changes a gate that nothing protects. */
export async function changeOrdinary(workshop: Workshop): Promise<Reply> {
  const { id } = await workshop.made("gate", off());
  return workshop.write("gate", "patch", id, { description: "Changed." });
}
