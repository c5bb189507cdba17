import { catalog } from "../../../provider/definitions/index";
import { isObject, type JsonObject } from "../../../provider/schema/json";
import type { World } from "../../store/store";
import type { Call, Change } from "../behaviour";
import { Held, Refusal } from "./outcomes";
import { areAll, teamOf } from "./project-rules";
import { rulesOf, touchedEnvironments } from "./rules";

/** Applies the policies of the switches to a write of an object. The texts are ours. @throws Refusal, or Held for a write that waits for a review. */
export function refuseHeld(call: Call, item: JsonObject): void {
  const { behaviour, switches } = call;
  const { title, routes } = behaviour.definition;
  if (switches.templateWrites === "refuse" && item.isTemplate === true)
    throw new Refusal(400, `This ${title} is a template, which cannot be changed through the API`);
  if (switches.requiredReviews === "apply" || call.approved === true || call.planting === true) return;
  if (switches.requiredReviews === "asked" && call.respectsReviews !== true) return;
  // A kind without reviews to commit needs none.
  if (routes.commitReview === undefined || !needsReview(call.world, item) || isOutsideReviews(call, item))
    return;
  if (switches.requiredReviews === "hold" && routes.createReview !== undefined) throw new Held();
  const status = switches.requiredReviews === "forbid" ? 403 : 400;
  throw new Refusal(status, `A change of this ${title} requires a review: open one in the console`);
}

/** True for a change of rules alone that touches environments without reviews alone. Production has them always. */
function isOutsideReviews({ world, body, route }: Call, item: JsonObject): boolean {
  const sent = isObject(body) ? body : {};
  const isRule = route.path.includes("/rule");
  if (!isRule && (Object.keys(sent).length !== 1 || !Array.isArray(sent.rules))) return false;
  // Of a route of one rule every rule counts as touched.
  const touched = isRule
    ? touchedEnvironments([], [...rulesOf(item), sent])
    : touchedEnvironments(rulesOf(item), rulesOf(sent));
  return areAll(
    world,
    touched,
    ({ requiresReview, isProduction }) => requiresReview !== true && isProduction !== true,
  );
}

/** By the object's own setting, that of its team, or that of the project. */
function needsReview(world: World, item: JsonObject): boolean {
  const own = item.reviewSettings as JsonObject | null | undefined;
  const [project] = world.list(catalog.reviewSettings.name, true);
  return (
    own?.requiredReview === true ||
    project?.is_config_review_required === true ||
    teamOf(world, item)?.requireReviews === true
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
