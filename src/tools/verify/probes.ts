import { isConsoleError } from "../../provider/schema/errors";
import { type JsonObject, objectsIn } from "../../provider/schema/json";
import type { MadeKind, ProbeSession, Reply } from "./probe-session";
import { acceptedOr } from "./question";

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

/** A holdout that is off, and small. */
export const small: JsonObject = { isEnabled: false, passPercentage: 1 };

/** A gate that is off, with one rule of one condition. */
export const withCondition = (condition: JsonObject): JsonObject =>
  off({ rules: [rule({ conditions: [condition] })] });

/** The first rule that a read shows. */
export const firstRule = ({ rules }: JsonObject): JsonObject => objectsIn(rules)[0] ?? {};

/** Changes a gate that nothing protects. */
export async function changeOrdinary(session: ProbeSession): Promise<Reply> {
  const { id } = await session.made("gate", off());
  return session.write("gate", "patch", id, { description: "Changed." });
}

/** A gate that the console may refuse; the control has the usual rule. */
export async function gateWith(session: ProbeSession, body: JsonObject): Promise<string> {
  const reply = await session.make("gate", body);
  return acceptedOr("refuse", reply, () => session.make("gate", off({ rules: [rule()] })));
}

/** A change of a gate that the console may refuse; the control changes an ordinary gate. */
export async function changeOf(session: ProbeSession, gate: JsonObject, change: JsonObject): Promise<string> {
  const { id } = await session.made("gate", gate);
  const reply = await session.write("gate", "patch", id, change);
  return acceptedOr("refuse", reply, () => changeOrdinary(session));
}

/** The answer of a read: 404 stands for `missing`. */
export async function unlessMissing(answer: string, read: () => Promise<unknown>): Promise<string> {
  try {
    await read();
    return answer;
  } catch (error) {
    if (isConsoleError(error, "not-found")) return "missing";
    throw error;
  }
}

/** A new object as a read shows it. */
export async function readNew(session: ProbeSession, kind: MadeKind, body: JsonObject): Promise<JsonObject> {
  const { id } = await session.made(kind, body);
  return session.read(kind, id);
}
