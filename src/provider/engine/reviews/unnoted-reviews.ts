import { type ResourceDefinition, routeOf } from "../../schema/define";
import { isConsoleError } from "../../schema/errors";
import { stackMember } from "../../schema/internal";
import { type JsonObject, textOf } from "../../schema/json";
import { type EngineContext, stackOf } from "../context";
import { isClosed, markIn, type OwnReview } from "./marks";
import { reviewsIn } from "./object-reviews";

/**
 * Open reviews of a stack that its state does not note, by their marks: those of a destroy that waits, and of an update that was
 * killed. None for an object that is gone. @throws ConsoleError
 */
export async function unnotedReviews(
  context: EngineContext,
  definition: ResourceDefinition,
  id: string,
  state: JsonObject,
): Promise<readonly OwnReview[]> {
  // The backend of a tool may be called otherwise than that of the run.
  const stacks = [stackOf(context, state) ?? "", textOf(state[stackMember])];
  const noted = new Set(reviewsIn(state).map((review) => review.id));
  const found: OwnReview[] = [];
  try {
    for await (const one of context.client.items(routeOf(definition, "listReviews"), { params: { id } })) {
      const mark = stacks.map((stack) => markIn(stack, one.description)).find((own) => own !== undefined);
      const review = { id: textOf(one.review_id), status: textOf(one.status) };
      if (mark !== undefined && !noted.has(review.id) && !isClosed(review))
        found.push({ ...mark, ...review });
    }
  } catch (error) {
    if (!isConsoleError(error, "not-found")) throw error;
  }
  return found;
}
