import { catalog } from "../../definitions";
import { type ResourceDefinition, routeOf } from "../../schema/define";
import { isConsoleError } from "../../schema/errors";
import { isObject, type JsonObject, objectsIn } from "../../schema/json";
import { keptIn } from "../../schema/memoized";
import { sameMeaning } from "../../values/compare";
import type { EngineContext } from "../context";
import type { LiveObject } from "../subject";

interface ReviewRules {
  readonly project: boolean;
  readonly teams: readonly JsonObject[];
  /** Names of the environments whose changes need none. */
  readonly free: readonly string[];
}

/** Answers of a console that does not let this key read the settings. */
const withholding: ReadonlySet<string> = new Set(["forbidden", "refused", "not-found"]);

/** The settings of a console are read once for a run. */
const known = new WeakMap<object, Promise<ReviewRules | undefined>>();

async function readRules({ client }: EngineContext): Promise<ReviewRules | undefined> {
  try {
    const settings = await client.item(routeOf(catalog.reviewSettings, "get"), {});
    const teams = await Array.fromAsync(client.items(routeOf(catalog.team, "list"), {}));
    const { environments } = await client.item(routeOf(catalog.environments, "get"), {});
    const free = objectsIn(environments).filter(
      (one) => one.requiresReview === false && one.isProduction !== true,
    );
    return {
      project: settings.is_config_review_required === true,
      teams,
      free: free.map(({ name }) => String(name)),
    };
  } catch (error) {
    if (!isConsoleError(error) || !withholding.has(error.category)) throw error;
    return undefined;
  }
}

/**
 * False for a change of an object that needs no review, by its own setting, that of its team and of the project; true also where the key
 * may not read them. `rules`: those after the change, where nothing but they changes: where each touches only environments without
 * reviews, it needs none.
 */
export async function mayNeedReview(
  { context, definition, live }: LiveObject,
  rules?: unknown,
): Promise<boolean> {
  const settings = await keptIn(known, context.ownership, () => readRules(context));
  const isOwn = isObject(live.reviewSettings) && live.reviewSettings.requiredReview === true;
  if (settings === undefined && !isOwn) return true;
  const team = settings?.teams.find(({ id, name }) => live.teamID === id || live.team === name);
  if (!isOwn && team?.requireReviews !== true && settings?.project !== true) return false;
  const touched = rules === undefined ? undefined : touchedEnvironments(definition, live.rules, rules);
  return touched?.every((name) => settings?.free.includes(name)) !== true;
}

/** The environments of all rules that a change adds, changes or removes; undefined where one of them holds everywhere. */
function touchedEnvironments(
  definition: ResourceDefinition,
  before: unknown,
  after: unknown,
): readonly string[] | undefined {
  const [old = [], now = []] = [before, after].map((rules) => objectsIn(rules));
  const isIn = (rules: readonly JsonObject[], rule: JsonObject) =>
    rules.some((other) => sameMeaning(definition, "rules", [other], [rule]));
  const changed = [...old.filter((rule) => !isIn(now, rule)), ...now.filter((rule) => !isIn(old, rule))];
  const places = changed.map(({ environments }) => environments);
  const isLimited = (place: unknown): place is string[] => Array.isArray(place) && place.length > 0;
  // A change of the order touches every rule.
  return places.length > 0 && places.every(isLimited) ? places.flat() : undefined;
}
