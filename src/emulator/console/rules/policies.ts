import { catalog } from "../../../provider/definitions/index";
import type { JsonObject } from "../../../provider/schema/json";
import type { World } from "../../store/store";
import type { Call, Change } from "../behaviour";
import { Refusal } from "./outcomes";
import { rulesOf } from "./rules";

/** Refuses a write to an object that a policy holds, as far as the console is told to (switches.ts). The texts are ours. */
export function refuseHeld({ behaviour, world, switches }: Call, item: JsonObject): void {
  const { title, routes } = behaviour.definition;
  if (switches.templateWrites === "refuse" && item.isTemplate === true)
    throw new Refusal(400, `This ${title} is a template, which cannot be changed through the API`);
  // What has no reviews to commit needs none.
  if (switches.requiredReviews !== "refuse" || routes.commitReview === undefined) return;
  if (needsReview(world, item))
    throw new Refusal(400, `A change of this ${title} requires a review: open one in the console`);
}

/** By the object's own setting, that of its team, or that of the project. */
function needsReview(world: World, item: JsonObject): boolean {
  const own = item.reviewSettings as JsonObject | null | undefined;
  const [project] = world.list(catalog.reviewSettings.name, true);
  const team = world
    .list(catalog.team.name, true)
    .find(({ id, name }) => (item.teamID ?? undefined) === id || (item.team ?? undefined) === name);
  return (
    own?.requiredReview === true ||
    project?.is_config_review_required === true ||
    team?.requireReviews === true
  );
}

/**
 * Refuses rules that let more pass than before, new ones too, unless the body says how the rise is staged, where the console is
 * told to. How steep a rise may be is not published, and the text is ours; it names the member as the service's does
 * (console-api, section 5).
 */
export function refuseSuddenRise({ before, sent, switches }: Change, rules: readonly JsonObject[]): void {
  const isStaged = sent.gradual_rollout_strategy !== undefined;
  if (switches.suddenRises !== "refuse" || sent.rules === undefined || isStaged) return;
  const former = new Map(rulesOf(before).map((rule) => [rule.baseID, Number(rule.passPercentage)]));
  const risen = rules.find(
    ({ baseID, passPercentage }) => Number(passPercentage) > (former.get(baseID) ?? 0),
  );
  if (risen !== undefined)
    throw new Refusal(
      400,
      `The pass percentage of rule "${String(risen.name)}" rises at once: set gradual_rollout_strategy`,
    );
}
