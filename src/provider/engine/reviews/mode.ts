import { ownWords, textsIn } from "../../client/console-words";
import { type ConsoleError, reworded } from "../../schema/errors";
import type { JsonObject } from "../../schema/json";
import { type ReviewMode, reviewModes } from "../../schema/reviews";
import { reviewsOption } from "../../values/options";
import { type EngineContext, withInput } from "../context";

/** Treatment of reviews by the writes of a resource: its own option counts before the setting of its provider. */
export function reviewMode(
  { reviews }: Pick<EngineContext, "reviews">,
  { [reviewsOption]: own }: JsonObject,
): ReviewMode {
  return reviewModes.find((mode) => mode === own) ?? reviews.mode ?? reviewModes[0];
}

/** A context whose writes ask the console to hold them to its review settings, where the mode says so. */
export function respecting(context: EngineContext, args: JsonObject): EngineContext {
  if (reviewMode(context, args) === "bypass") return context;
  const client = withInput(context.client, (_, input) => ({ ...input, respectsReviews: true }));
  return { ...context, client };
}

/** An object whose change was refused: none of its texts may pass for words of the console. */
interface RefusedObject {
  readonly live: JsonObject;
  readonly program: JsonObject;
}

/**
 * True for a refusal for want of a review. How a console words it is not published: a sentence of its own about reviews is one, and where
 * the object has that word for a text, only a sentence that asks for a review.
 */
export function isForReview({ status, words }: ConsoleError, { live, program }: RefusedObject): boolean {
  if ((status !== 400 && status !== 403) || !mentioning.test(words)) return false;
  const own = ownWords(words, live, program);
  const isText = [...textsIn([live, program])].some((text) => /^\W*reviews?\W*$/i.test(text));
  return (isText ? asking : mentioning).test(own);
}

const mentioning = /\breview(?:s|ed|ers?|ing)?\b|^review[-_]|[-_]review[a-z]*$/im;

const asking =
  /\b(?:needs?|requires?|required|must|want(?:s|ed)?|without|awaits?|through|missing|lacks?|pending)\b.{0,40}\breview|\breviews?\b.{0,20}\b(?:required|needed|mandatory|missing|pending|first)\b/i;

/** Says what to do about a refusal for want of a review. */
export function withReviewAdvice(
  { context, live, program }: RefusedObject & { readonly context: EngineContext },
  error: ConsoleError,
): ConsoleError {
  if (!isForReview(error, { live, program }) || reviewMode(context, program) === "open") return error;
  return reworded(
    error,
    `${error.message} To have "pulumi up" open a review of such changes, set reviews: "open" on the resource or the provider.`,
  );
}
