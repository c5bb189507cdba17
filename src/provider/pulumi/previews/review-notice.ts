import type { Plan } from "../../decisions/plan";
import { nameOf, reviewMode, reviewOutlook, reviewsIn } from "../../engine";
import type { ResourceDefinition } from "../../schema/define";
import { isConsoleError } from "../../schema/errors";
import { resourceMember } from "../../schema/internal";
import type { JsonObject } from "../../schema/json";
import type { ProviderProcess } from "../process";

/** Says in a preview which changes wait for people: those with open reviews, and those for which an update opens one. */
export async function announceReviews(
  definition: ResourceDefinition,
  process: ProviderProcess,
  { id, planned }: { readonly id: string; readonly planned: Plan },
  olds: JsonObject,
  news: JsonObject,
): Promise<void> {
  if (process.isPreview !== true || definition.lifecycle.reviews === undefined) return;
  const context = process.context();
  if (reviewMode(context, news) !== "open" && reviewsIn(olds).length === 0) return;
  const names = planned.how === "update" ? planned.names : [];
  const say = (line: string) =>
    process.reportOnce(`${nameOf(definition, id)}: ${line}`, news[resourceMember]);
  try {
    for (const line of await reviewOutlook(context, definition, { id, wants: news, state: olds }, names))
      say(line);
  } catch (error) {
    if (!isConsoleError(error)) throw error;
    say(`not known whether its changes wait for reviews: ${error.message}`);
  }
}
