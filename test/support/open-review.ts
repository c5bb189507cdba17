import type { ConsoleClient } from "../../src/provider/client";
import type { JsonObject } from "../../src/provider/schema/json";

/** The kinds whose changes pass reviews. */
export const reviewedKinds = ["gate", "dynamicConfig", "experiment"] as const;

/** One of them. */
export type ReviewedKind = (typeof reviewedKinds)[number];

type Raw = Pick<ConsoleClient, ReviewedKind>;

/** Makes an object, and returns a change of it that passes a review. */
const changes: Readonly<Record<ReviewedKind, (raw: Raw) => Promise<JsonObject>>> = {
  gate: async (raw) => {
    await raw.gate.create({ body: { id: "one", name: "one" } });
    return { is_enabled: false };
  },
  dynamicConfig: async (raw) => {
    await raw.dynamicConfig.create({ body: { name: "one" } });
    return { is_enabled: false };
  },
  experiment: async (raw) => {
    const groups = ["a", "b"].map((name) => ({ name, size: 50, parameterValues: {} }));
    const body = { name: "one", idType: "userID", hypothesis: "x", groups };
    await raw.experiment.create({ body: body as never });
    return { type: "archive" };
  },
};

/** Makes the object "one" and opens a review of a change of it, by the key of `raw`. */
export async function openReview(raw: Raw, kind: ReviewedKind): Promise<{ id: string; review: string }> {
  const change = await changes[kind](raw);
  const body = { description: "Please", change };
  const { review_id: review } = await raw[kind].createReview({ id: "one", body: body as never });
  return { id: "one", review: String(review) };
}
