import { reviewsMember } from "../../schema/internal";
import { type JsonObject, stableText } from "../../schema/json";
import { textDigest } from "../../texts/secret-texts";

/** A review that a stack has opened. `slot`: the member or type of its change, of which it has one review. */
export interface OwnReview {
  readonly id: string;
  readonly slot: string;
  /** Digest of its change. */
  readonly digest: string;
  /** As of the last look. */
  readonly status: string;
}

/** Reviews of an object in state. */
export function reviewsIn(state: JsonObject): readonly OwnReview[] {
  const reviews = state[reviewsMember];
  return Array.isArray(reviews) ? (reviews as OwnReview[]) : [];
}

/** True for a review that can be committed. */
export function isAccepted(status: string): boolean {
  return status === "accepted" || status === "approved_webhook_validation";
}

/** True for a review that nothing changes any more. */
export function isClosed({ status }: Pick<OwnReview, "status">): boolean {
  return status === "committed" || status === "rejected";
}

/** Longest description that the API takes, characters. */
const longestDescription = 2000;

const mark = /\[pulumi ([\w-]{12}) (\w+) ([\w-]{12})\]$/;

/** The description of a review, for people, with a mark by which any machine of the stack finds it again. */
export function describedReview(
  stack: string,
  message: string,
  { slot, digest }: Pick<OwnReview, "slot" | "digest">,
): string {
  const end = `\n\n[pulumi ${textDigest(stack)} ${slot} ${digest}]`;
  return message.slice(0, longestDescription - end.length) + end;
}

/** The slot and the digest in the description of a review of this stack; undefined for that of another. */
export function markIn(stack: string, description: unknown): Pick<OwnReview, "slot" | "digest"> | undefined {
  if (typeof description !== "string") return undefined;
  const [, owner, slot = "", digest = ""] = mark.exec(description.trim()) ?? [];
  return owner === textDigest(stack) ? { slot, digest } : undefined;
}

/** Digest of a change. */
export function changeDigest(change: JsonObject): string {
  return textDigest(stableText(change));
}
