import { type ResourceDefinition, routeOf } from "../../schema/define";
import { isConsoleError } from "../../schema/errors";
import { type JsonObject, textOf } from "../../schema/json";
import { type EngineContext, routeTo } from "../context";
import { isAccepted, type OwnReview, reviewsIn } from "./marks";

/**
 * The reviews that a state notes, as the console has them now; one that is gone is left out. `commits`: accepted ones are committed
 * in their order, up to the first that is not accepted. @throws ConsoleError
 */
export async function settleAccepted(
  context: EngineContext,
  definition: ResourceDefinition,
  id: string,
  state: JsonObject,
  commits: boolean,
): Promise<readonly OwnReview[]> {
  const { client } = context;
  const found: OwnReview[] = [];
  for (const review of reviewsIn(state)) {
    const params = { ...routeTo(definition, "getReview", id).params, reviewID: review.id };
    try {
      const status = textOf((await client.item(routeOf(definition, "getReview"), { params })).status);
      const isNext = found.every((one) => one.status === "committed");
      const isCommitted = commits && isNext && isAccepted(status);
      if (isCommitted) await client.maybeItem(routeOf(definition, "commitReview"), { params });
      found.push({ ...review, status: isCommitted ? "committed" : status });
    } catch (error) {
      if (!isConsoleError(error, "not-found")) throw error;
    }
  }
  return found;
}
