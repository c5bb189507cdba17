import type { JsonObject } from "../../provider/schema/json";
import { acceptedOr, type Undecided } from "./question";
import type { MadeKind, Reply, Workshop } from "./workshop";

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

/** Answers about what the console may refuse, with the consequence of each. */
export const acceptance = (accept: string, refuse: string) => ({ accept, refuse });

/** Whether the console refuses a second object of one name, as a create recognises it. */
export async function duplicated(workshop: Workshop, kind: MadeKind, body: JsonObject): Promise<string> {
  const { id, name } = await workshop.made(kind, body);
  const reply = await workshop.write(kind, "create", "", { name: name ?? id, ...body });
  if (reply.isRefused) return reply.category === "exists" ? "refused" : "reworded";
  const other = reply.item.id;
  if (typeof other === "string" && other !== id) workshop.remember(kind, other);
  return "accepted";
}

/** Changes a gate that nothing protects. */
export async function changeOrdinary(workshop: Workshop): Promise<Reply> {
  const { id } = await workshop.made("gate", off());
  return workshop.write("gate", "patch", id, { description: "Changed." });
}

/** A gate that is off, with one rule of one condition. */
export const withCondition = (condition: JsonObject): JsonObject =>
  off({ rules: [rule({ conditions: [condition] })] });

/** Whether the console accepts a gate that it may refuse; the control has the usual rule. */
export async function gateWith(workshop: Workshop, body: JsonObject): Promise<string | Undecided> {
  const reply = await workshop.make("gate", body);
  return acceptedOr("refuse", reply, () => workshop.make("gate", off({ rules: [rule()] })));
}
