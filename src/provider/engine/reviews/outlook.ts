import { type Changes, changesOf, wantsArchived } from "../../decisions/plan";
import { type ResourceDefinition, routeOf } from "../../schema/define";
import { bug, isConsoleError } from "../../schema/errors";
import { textOf } from "../../schema/json";
import type { ReviewMode, Reviews } from "../../schema/reviews";
import { holdsUnknown } from "../../schema/unknown";
import type { Route } from "../../schema/verbs";
import { objectValues } from "../../values/managed";
import { reviewsOption } from "../../values/options";
import { isArchived } from "../../values/states";
import { type EngineContext, nameOf } from "../context";
import type { Target } from "../edits/unannounced";
import { type Subject, send } from "../send";
import { sendChanges } from "../update-strategies";
import { isAccepted, isClosed, type OwnReview } from "./marks";
import { reviewMode } from "./mode";
import { ObjectReviews, ReviewRequired, reviewsIn } from "./object-reviews";
import { requirementOf } from "./requirement";

/** A preview's view of the reviews of an object. */
export interface ReviewOutlook {
  readonly lines: readonly string[];
  /** The refusal that the update will meet, because the API has no review for a change. */
  readonly refusal?: string;
}

/** The reviews of an object as a preview shows them, and those that an update opens. Writes nothing. @throws ConsoleError */
export async function reviewOutlook(
  context: EngineContext,
  definition: ResourceDefinition,
  target: Target,
): Promise<ReviewOutlook> {
  const { reviews } = definition.lifecycle;
  const { id, state, program } = target;
  const mode = reviewMode(context, program);
  const opens = mode === "open";
  const noted = reviewsIn(state);
  if (reviews !== undefined && !opens && isStopped(context, mode) && !holdsUnknown(program))
    return stoppedOutlook(context, definition, reviews, target);
  if (reviews === undefined || (!opens && noted.length === 0)) return { lines: [] };
  const lines: string[] = [];
  // Another resource gives a value that only the update knows.
  if (opens && holdsUnknown(program)) {
    for (const review of noted) lines.push(await notedLine(context, definition, id, review, undefined));
    const unsure =
      "not known before the update whether its changes need a review: values come from other resources.";
    return { lines: Object.keys(changesTo(definition, target)).length > 0 ? [...lines, unsure] : lines };
  }
  const { slots, refusal } = opens ? await rehearsed(context, definition, reviews, target) : { slots: [] };
  if (refusal !== undefined) return { lines, refusal };
  for (const review of noted)
    lines.push(await notedLine(context, definition, id, review, slots.includes(review.slot)));
  const others = slots.filter((slot) => !noted.some((review) => review.slot === slot));
  if (others.length > 0) {
    const isKnown = (await requirementOf(context, definition, state)) !== "unknown";
    const why = isKnown ? "needs a review" : "may need a review (the key cannot read the settings)";
    lines.push(
      `a change of ${others.join(", ")} ${why}: "pulumi up" opens one and does not apply the change.`,
    );
  }
  return { lines };
}

/** Whether this console, by its own answers, does not apply a change that needs a review. */
function isStopped({ answers = {} }: EngineContext, mode: ReviewMode): boolean {
  const answer = answers.requiredReviews;
  return answer !== undefined && (answer !== "asked" || mode === "respect");
}

/** What such a console does to an update that opens no review. */
async function stoppedOutlook(
  context: EngineContext,
  definition: ResourceDefinition,
  reviews: Reviews,
  target: Target,
): Promise<ReviewOutlook> {
  const opening = { ...target, program: { ...target.program, [reviewsOption]: "open" } };
  const { slots } = await rehearsed(context, definition, reviews, opening);
  const requirement =
    slots.length === 0 ? "not-required" : await requirementOf(context, definition, target.state);
  if (requirement === "not-required") return { lines: [] };
  const what = `a change of ${slots.join(", ")}`;
  const advice = 'set reviews: "open", or have it committed in the console';
  if (requirement === "unknown")
    return {
      lines: [`${what} fails if it needs a review, and the key cannot read the settings: ${advice}.`],
    };
  return {
    lines: [],
    refusal: `${nameOf(definition, target.id)}: ${what} needs a review, and the console does not apply it without one (requiredReviews): ${advice}.`,
  };
}

function changesTo(definition: ResourceDefinition, { state, program }: Target): Changes {
  return changesOf(definition, objectValues(program, state));
}

/** Has an update run to the point at which it would send, and collects the reviews that it would open instead. */
async function rehearsed(
  context: EngineContext,
  definition: ResourceDefinition,
  reviews: Reviews,
  target: Target,
): Promise<{ readonly slots: readonly string[]; readonly refusal?: string }> {
  const { id, program, state } = target;
  const subject: Subject = { context: readingOnly(context), definition, id, program, live: state };
  const rehearsal = ObjectReviews.rehearsing(subject, reviews);
  subject.reviews = rehearsal;
  const changes = changesTo(definition, target);
  const { archived } = definition.lifecycle;
  const isRevived = isArchived(definition, state) && !wantsArchived(definition, program);
  try {
    if (archived !== undefined && isRevived) await send(subject, archived.undo, {});
    else await sendChanges(subject, changes);
  } catch (error) {
    if (isConsoleError(error, "refused")) return { slots: [], refusal: error.message };
    if (!(error instanceof ReviewRequired)) throw error;
  }
  return { slots: rehearsal.slots };
}

/** A context that sends no write, whatever asks it to. */
function readingOnly(context: EngineContext): EngineContext {
  const { client } = context;
  const reading = <T>(call: (route: Route, input: object) => Promise<T>) => {
    return async (route: Route, input: object): Promise<T> => {
      if (route.method !== "GET") throw bug(`A preview was to send ${route.method} ${route.path}.`);
      return call(route, input);
    };
  };
  return {
    ...context,
    client: { ...client, item: reading(client.item), maybeItem: reading(client.maybeItem) },
  };
}

async function notedLine(
  { client }: EngineContext,
  definition: ResourceDefinition,
  id: string,
  { id: reviewID, slot }: OwnReview,
  isWanted: boolean | undefined,
): Promise<string> {
  const title = `review ${reviewID} of ${slot}`;
  try {
    const item = await client.item(routeOf(definition, "getReview"), { params: { id, reviewID } });
    const status = textOf(item.status);
    const is = `${title} is ${status.replaceAll("_", " ")}`;
    if (isClosed({ status }) || isWanted === undefined) return `${is}.`;
    if (!isWanted) return `${is}: "pulumi up" takes it back, because the program no longer has its change.`;
    return isAccepted(status)
      ? `${is}: "pulumi up" commits it, unless the program has changed since.`
      : `${is}: "pulumi up" does not apply its change.`;
  } catch (error) {
    if (isConsoleError(error, "not-found")) return `${title} is no longer there.`;
    throw error;
  }
}
