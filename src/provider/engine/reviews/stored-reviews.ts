import { inputNames, type ResourceDefinition, routeOf } from "../../schema/define";
import { isConsoleError } from "../../schema/errors";
import { type JsonObject, textOf } from "../../schema/json";
import { type EngineContext, routeTo } from "../context";
import type { StoredObject } from "../subject";
import { isAccepted, isClosed, type OwnReview, reviewsIn } from "./marks";
import { reviewMode } from "./mode";
import { slotOfField } from "./reviewed-parts";

/**
 * Lines of a preview about the reviews of an object: those in state, and those that an update may open. `changed`: the fields that it
 * changes. Asks nothing of the console.
 */
export function reviewLines(
  context: Pick<EngineContext, "reviews">,
  definition: ResourceDefinition,
  state: JsonObject,
  program: JsonObject,
  changed: readonly string[],
): readonly string[] {
  const { reviews } = definition.lifecycle;
  if (reviews === undefined) return [];
  const noted = reviewsIn(state);
  const lines = noted.map(openLine);
  if (reviewMode(context, program) !== "open") return lines;
  const slots = new Set(changed.map((name) => slotOfField(definition, reviews, name)));
  const others = [...slots].filter((slot) => slot !== undefined && !noted.some((one) => one.slot === slot));
  if (others.length === 0) return lines;
  const change = `a change of ${others.join(", ")} may need a review`;
  return [...lines, `${change}: "pulumi up" then opens one and does not apply the change.`];
}

/** Arguments whose change waits for a review that the last update left open. */
export function namesInReview(definition: ResourceDefinition, state: JsonObject): readonly string[] {
  const { reviews } = definition.lifecycle;
  const slots = reviewsIn(state).filter((review) => !isClosed(review));
  if (reviews === undefined || slots.length === 0) return [];
  return inputNames(definition).filter((name) =>
    slots.some(({ slot }) => slot === slotOfField(definition, reviews, name)),
  );
}

function openLine(review: OwnReview): string {
  const { id, slot, status } = review;
  const was = `review ${id} of ${slot} was ${status.replaceAll("_", " ")} after the last update`;
  return isClosed(review)
    ? `${was}: "pulumi up" fails, unless the program has changed since.`
    : `${was}: "pulumi up" commits it if a person has accepted it, and takes it back if the program no longer has its change.`;
}

/**
 * The reviews that a state notes, as the console has them now; one that is gone is left out. `commits`: accepted ones are committed
 * in their order, up to the first that is not accepted. @throws ConsoleError
 */
export async function settleAccepted(
  { context, definition, id, state }: StoredObject,
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
