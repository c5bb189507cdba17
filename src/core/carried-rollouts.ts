import { sameUnder } from "./compare";
import { consoleOwns } from "./console-owned";
import type { ResourceDefinition } from "./define";
import { equalJson, isObject, type JsonObject } from "./json";
import { byKeysThenContent, matchedElements, matchedPlaces } from "./matching";
import { hasSteps, holdsRollout, isScheduled, rolloutNames } from "./rollout";
import { itemsOf, type Node, type Place, propertiesOf, treeOf } from "./tree";

/** The elements of a field, as the program says them, as they are, and as the program said them last time. */
interface Three {
  readonly own: unknown;
  readonly live: unknown;
  readonly previous: unknown;
}

/** Whole objects, with the arguments that tell who owns what. */
export interface RolloutSides {
  readonly own: JsonObject;
  readonly live: JsonObject;
  readonly previous: JsonObject;
  readonly owners: JsonObject;
}

/**
 * Shares that are left to the console, carried from one side to the other, as members to put there: "live" gives the live
 * object the program's shares, so that they do not count as drift, "own" gives what the program wants the live ones, which a
 * write has to carry. Left are all of them where the console owns the rollout, and those that a schedule is moving, unless
 * the program changes that very share. Elements stand for each other by name, then by content.
 */
export function carriedRollouts(
  definition: ResourceDefinition,
  { own, live, previous, owners }: RolloutSides,
  into: "own" | "live",
): [string, unknown][] {
  const all = consoleOwns(owners, "rollout");
  const tree = treeOf(definition);
  return rolloutNames(definition).flatMap((name): [string, unknown][] => {
    const three = { own: own[name], live: live[name], previous: previous[name] };
    if (three.own === undefined || three.live === undefined) return [];
    const node = tree[name]?.node ?? {};
    if (!all && !isScheduled(node, three.live)) return [];
    return [[name, carry({ definition, all, into }, { node, pattern: name }, three)]];
  });
}

interface Carrying {
  readonly definition: ResourceDefinition;
  readonly all: boolean;
  readonly into: "own" | "live";
}

function carry(carrying: Carrying, place: Place, { own, live, previous }: Three): unknown {
  const { node, pattern } = place;
  const { into } = carrying;
  const target = into === "own" ? own : live;
  if (!holdsRollout(node)) return target;
  if (Array.isArray(own) && Array.isArray(live)) {
    const before = Array.isArray(previous) ? previous : [];
    return carriedElements(carrying, place, { own, live, previous: before });
  }
  const properties = propertiesOf(node);
  if (!isObject(own) || !isObject(live) || properties === undefined) return target;
  const before = isObject(previous) ? previous : undefined;
  return carriedMembers(carrying, { properties, pattern }, { own, live, previous: before });
}

function carriedElements(
  carrying: Carrying,
  { node, pattern }: Place,
  {
    own,
    live,
    previous,
  }: { own: readonly unknown[]; live: readonly unknown[]; previous: readonly unknown[] },
): unknown[] {
  const items = itemsOf(node) ?? {};
  const inside = { node: items, pattern: `${pattern}[]` };
  const at = { definition: carrying.definition, pattern: inside.pattern };
  const ways = byKeysThenContent(items, node.keyedBy, (one, other) =>
    sameUnder(items, apartFromShares(items, one), apartFromShares(items, other), at),
  );
  const before = matchedElements(own, previous, ways);
  const result = carrying.into === "own" ? [...own] : [...live];
  matchedPlaces(own, live, ways).forEach((place, index) => {
    if (place === undefined) return;
    const three = { own: own[index], live: live[place], previous: before[index] };
    result[carrying.into === "own" ? index : place] = carry(carrying, inside, three);
  });
  return result;
}

function carriedMembers(
  carrying: Carrying,
  { properties, pattern }: { properties: Record<string, Node>; pattern: string },
  { own, live, previous }: { own: JsonObject; live: JsonObject; previous: JsonObject | undefined },
): JsonObject {
  const [target, source] = carrying.into === "own" ? [own, live] : [live, own];
  const result = { ...target };
  for (const [member, node] of Object.entries(properties)) {
    if (node.rollout === undefined) {
      if (own[member] === undefined || live[member] === undefined || !holdsRollout(node)) continue;
      const three = { own: own[member], live: live[member], previous: previous?.[member] };
      result[member] = carry(carrying, { node, pattern: `${pattern}.${member}` }, three);
    } else if (carrying.all || isMovedBySchedule(node, member, { own, live, previous })) {
      if (source[member] === undefined) delete result[member];
      else result[member] = source[member];
    }
  }
  return result;
}

/** True for a share that a schedule moves and that the program says as it did before. */
function isMovedBySchedule(
  { rollout }: Node,
  member: string,
  { own, live, previous }: { own: JsonObject; live: JsonObject; previous: JsonObject | undefined },
): boolean {
  if (!hasSteps(live, rollout?.scheduledBy)) return false;
  return previous === undefined || equalJson(previous[member], own[member]);
}

/** An element without its name and its shares. */
function apartFromShares(node: Node, value: unknown): unknown {
  if (!isObject(value)) return value;
  const { name: _, ...rest } = value;
  const properties = propertiesOf(node) ?? {};
  const members = Object.entries(rest).filter(([member]) => properties[member]?.rollout === undefined);
  return Object.fromEntries(
    members.map(([member, inner]) => {
      const items = itemsOf(properties[member] ?? {});
      if (items === undefined || !holdsRollout(items) || !Array.isArray(inner)) return [member, inner];
      return [member, inner.map((one: unknown) => apartFromShares(items, one))];
    }),
  );
}
