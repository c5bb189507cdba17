import type { ResourceDefinition } from "../../schema/define";
import type { JsonObject } from "../../schema/json";
import type { EngineContext } from "../context";
import { isClosed, type OwnReview, reviewsIn } from "./marks";
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

function openLine(review: OwnReview): string {
  const { id, slot, status } = review;
  const was = `review ${id} of ${slot} was ${status.replaceAll("_", " ")} after the last update`;
  return isClosed(review)
    ? `${was}: "pulumi up" fails, unless the program has changed since.`
    : `${was}: "pulumi up" commits it if a person has accepted it, and takes it back if the program no longer has its change.`;
}
