import { nameOf, reviewOutlook } from "../../engine";
import type { ResourceDefinition } from "../../schema/define";
import { isConsoleError } from "../../schema/errors";
import { resourceMember } from "../../schema/internal";
import type { JsonObject } from "../../schema/json";
import type { ProviderProcess } from "../process";
import { willFail } from "./preview-notice";

/** Says in a preview which changes wait for people: those with open reviews, and those for which an update opens one. */
export async function announceReviews(
  definition: ResourceDefinition,
  process: ProviderProcess,
  id: string,
  olds: JsonObject,
  news: JsonObject,
): Promise<void> {
  if (process.isPreview !== true || definition.lifecycle.reviews === undefined) return;
  const say = (line: string) =>
    process.reportOnce(`${nameOf(definition, id)}: ${line}`, news[resourceMember]);
  try {
    const target = { id, program: news, state: olds };
    const { lines, refusal } = await reviewOutlook(process.context(), definition, target);
    for (const line of lines) say(line);
    if (refusal !== undefined) process.reportOnce(willFail(refusal), news[resourceMember]);
  } catch (error) {
    if (!isConsoleError(error)) throw error;
    say(`not known whether its changes wait for reviews: ${error.message}`);
  }
}
