import type { ResourceDefinition } from "../schema/define";
import { isObject, type JsonObject } from "../schema/json";
import { itemsOf, type Node, propertiesOf, treeOf } from "../schema/tree";
import { UNKNOWN } from "../schema/unknown";
import { carriedRollouts } from "./carried-rollouts";
import { consoleOwns, ownsOption } from "./console-owned";
import { holdsRollout, rolloutNames } from "./rollout";
import { isArchived, stateNames } from "./states";

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
  const sides = { wants: news, live: olds, previousArgs: {}, owners: news };
  return { ...kept, ...Object.fromEntries(carriedRollouts(definition, sides, "wanted")) };
}

/** Arguments in which the shares that the console owns are not known: those of an object that exists, before it was read. */
export function withUnknownRollout(definition: ResourceDefinition, args: JsonObject): JsonObject {
  if (!consoleOwns(args, "rollout")) return args;
  const tree = treeOf(definition);
  const names = rolloutNames(definition).filter((name) => args[name] !== undefined);
  return {
    ...args,
    ...Object.fromEntries(names.map((name) => [name, unknownShares(tree[name]?.node ?? {}, args[name])])),
  };
}

function unknownShares(node: Node, value: unknown): unknown {
  if (node.rollout !== undefined) return UNKNOWN;
  if (!holdsRollout(node)) return value;
  if (Array.isArray(value)) return value.map((one) => unknownShares(itemsOf(node) ?? {}, one));
  if (!isObject(value)) return value;
  const properties = propertiesOf(node) ?? {};
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, unknownShares(properties[name] ?? {}, member)]),
  );
}
