import type { JsonObject } from "./json";

/** Treatment of reviews by writes. The first is the default. */
export const reviewModes = ["bypass", "respect", "open"] as const;
export type ReviewMode = (typeof reviewModes)[number];

/** A change of the API's review routes that stands for a request of its own. */
export interface ReviewedRequest {
  readonly says: JsonObject;
  /** Members of the body of the request, with their names in the change. */
  readonly takes?: Readonly<Record<string, string>>;
}

/** A member of a body as a change has it. */
export interface ReviewedMember {
  readonly as: string;
  /** The value in the change; undefined for one that needs no review. */
  readonly of?: (value: unknown) => unknown;
  /** The kind whose names the body has, and whose ids the change. */
  readonly idsOf?: string;
}

/** Passage of changes through reviews: the route `createReview` takes one change, which `commitReview` applies. */
export interface Reviews<R extends string = string> {
  /** Members of the body of the route `patch`; those of one record make one change. In the order in which they are to be applied. */
  readonly members: readonly Readonly<Record<string, ReviewedMember>>[];
  readonly requests: { readonly [Route in R]?: ReviewedRequest };
  /** Members that need no review. Left out: all others. */
  readonly free?: readonly string[];
  /** Members that no change takes, although they need a review. */
  readonly barred?: readonly string[];
  /** A state in which no change of members needs a review. */
  readonly freeWhile?: { readonly field: string; readonly is: string };
  /** Route that takes an open review back. Left out: it is rejected instead. */
  readonly cancel?: R;
}
