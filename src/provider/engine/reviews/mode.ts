import type { CallInput } from "../../client/call";
import { type ConsoleError, reworded } from "../../schema/errors";
import type { JsonObject } from "../../schema/json";
import { type ReviewMode, reviewModes } from "../../schema/reviews";
import type { Route } from "../../schema/verbs";
import { reviewsOption } from "../../values/options";
import type { EngineContext } from "../context";

/** How writes of a resource treat reviews: its own option counts before the setting of its provider. */
export function reviewMode({ reviews }: EngineContext, { [reviewsOption]: own }: JsonObject): ReviewMode {
  return reviewModes.find((mode) => mode === own) ?? reviews?.mode ?? reviewModes[0];
}

/** A context whose writes ask the console to hold them to its review settings, where the mode says so. */
export function respecting(context: EngineContext, args: JsonObject): EngineContext {
  if (reviewMode(context, args) === "bypass") return context;
  const { client } = context;
  const asking = (input: CallInput): CallInput => ({ ...input, respectsReviews: true });
  return {
    ...context,
    client: {
      ...client,
      item: (route: Route, input: CallInput) => client.item(route, asking(input)),
      maybeItem: (route: Route, input: CallInput) => client.maybeItem(route, asking(input)),
    },
  };
}

/** True for a refusal for want of a review. How a console words it is not published. */
export function isForReview({ status, message }: ConsoleError): boolean {
  return (status === 400 || status === 403) && /\breview/i.test(message);
}

/** Says what to do about a refusal for want of a review. */
export function withReviewAdvice(
  context: EngineContext,
  args: JsonObject,
  error: ConsoleError,
): ConsoleError {
  if (!isForReview(error) || reviewMode(context, args) === "open") return error;
  return reworded(
    error,
    `${error.message} To have "pulumi up" open a review of such changes, set reviews: "open" on the resource or the provider.`,
  );
}
