import type { ResourceDefinition } from "../schema/define";
import { type JsonObject, mapped, picked } from "../schema/json";
import { UNKNOWN } from "../schema/unknown";
import { carriedRollouts } from "./carried-rollouts";
import { consoleOwns, ownsOption } from "./console-owned";
import { holdsRollout, rolloutNames } from "./rollout";
import { isArchived, stateNames } from "./states";
import { pairedByKey, type Visitor, walkField } from "./walk";

/**
 * Arguments with those of last time wherever the console owns what they say: what the program says there counts for what is new,
 * and for what comes back from the archive. So a preview shows no change that an update would not make.
 */
export function withConsoleOwned(
  definition: ResourceDefinition,
  olds: JsonObject,
  news: JsonObject,
): JsonObject {
  if (news[ownsOption] === undefined) return news;
  const kept = { ...news };
  const keepsState =
    consoleOwns(news, "status") && !isArchived(definition, olds) && !isArchived(definition, news);
  for (const name of keepsState ? stateNames(definition) : []) {
    if (news[name] !== undefined && olds[name] !== undefined) kept[name] = olds[name];
  }
  if (!consoleOwns(news, "rollout")) return kept;
  const shares = carriedRollouts(definition, { program: news, live: olds }, { into: "program", all: true });
  return { ...kept, ...Object.fromEntries(shares) };
}

/** Arguments in which the shares that the console owns are not known: those of an object that exists, before it was read. */
export function withUnknownRollout(definition: ResourceDefinition, args: JsonObject): JsonObject {
  if (!consoleOwns(args, "rollout")) return args;
  const shared = picked(args, rolloutNames(definition));
  return {
    ...args,
    ...mapped(shared, (program, name) => walkField(definition, name, forgetting, { program })),
  };
}

const forgetting: Visitor = {
  into: "program",
  enters: holdsRollout,
  pair: pairedByKey("program"),
  members: ({ properties }, { program = {} }, inside) =>
    mapped(program, (_, member) => (properties[member]?.rollout === undefined ? inside(member) : UNKNOWN)),
};
