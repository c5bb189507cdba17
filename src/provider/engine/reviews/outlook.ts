import { type ResourceDefinition, routeOf, wireName } from "../../schema/define";
import { isConsoleError } from "../../schema/errors";
import { textOf } from "../../schema/json";
import { machineOf } from "../../values/machine";
import { stateNames } from "../../values/states";
import type { EngineContext } from "../context";
import type { Target } from "../edits/unannounced";
import type { OwnReview } from "./marks";
import { reviewMode } from "./mode";
import { reviewsIn } from "./object-reviews";
import { requirementOf } from "./requirement";

/** The lines of a preview about the reviews of an object. `names`: the fields that an update would change. */
export async function reviewOutlook(
  context: EngineContext,
  definition: ResourceDefinition,
  target: Target,
  names: readonly string[],
): Promise<string[]> {
  const { state, wants } = target;
  const opens = reviewMode(context, wants) === "open";
  const noted = reviewsIn(state);
  const lines: string[] = [];
  for (const review of noted)
    lines.push(await lineOf(context, definition, target, review, names.length > 0 && opens));
  const reviewed = names.filter((name) => needsReview(definition, state, name));
  if (!opens || noted.length > 0 || reviewed.length === 0) return lines;
  const isRulesAlone = reviewed.every((name) => name === "rules");
  const rules = isRulesAlone ? wants.rules : undefined;
  const requirement = await requirementOf(context, definition, state, rules);
  if (requirement === "not-required") return lines;
  const why =
    requirement === "unknown" ? "may need a review (the key cannot read the settings)" : "needs a review";
  return [`a change of ${reviewed.join(", ")} ${why}: "pulumi up" opens one and does not apply the change.`];
}

async function lineOf(
  { client }: EngineContext,
  definition: ResourceDefinition,
  { id }: Target,
  { id: reviewID, slot }: OwnReview,
  isWanted: boolean,
): Promise<string> {
  const title = `review ${reviewID} of ${slot}`;
  try {
    const { status } = await client.item(routeOf(definition, "getReview"), { params: { id, reviewID } });
    const is = `${title} is ${textOf(status).replaceAll("_", " ")}`;
    if (status === "committed" || status === "rejected") return `${is}.`;
    if (!isWanted) return `${is}: "pulumi up" takes it back, because the program no longer has its change.`;
    return status === "accepted"
      ? `${is}: "pulumi up" commits it, unless the program has changed since.`
      : `${is}: "pulumi up" does not apply its change.`;
  } catch (error) {
    if (isConsoleError(error, "not-found")) return `${title} is no longer there.`;
    throw error;
  }
}

/** True for a field whose change reviews take, or refuse for want of one. */
function needsReview(definition: ResourceDefinition, state: Target["state"], name: string): boolean {
  const { reviews } = definition.lifecycle;
  if (reviews === undefined) return false;
  const isFree = reviews.freeWhile !== undefined && state[reviews.freeWhile.field] === reviews.freeWhile.is;
  if (stateNames(definition).includes(name) || machineOf(definition)?.field === name) return true;
  if (isFree) return false;
  const member = wireName(definition, name);
  if (reviews.free !== undefined)
    return !reviews.free.includes(member) && definition.fields[name] !== undefined;
  return reviews.members.some((part) => member in part) || reviews.barred?.includes(member) === true;
}
