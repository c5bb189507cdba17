import type { ResourceDefinition } from "../schema/define";
import { equalJson, isObject, type JsonObject } from "../schema/json";
import { itemsOf, type Node, type Place, propertiesOf, treeOf } from "../schema/tree";
import { sameUnder } from "./compare";
import { consoleOwns } from "./console-owned";
import { byKeysThenContent, matchedElements, matchedPlaces } from "./matching";
import { hasSteps, holdsRollout, isScheduled, rolloutNames } from "./rollout";

/** A value as the program says it, as it is, and as the program said it last time. */
interface Sides<Value> {
  readonly wanted: Value;
  readonly live: Value;
  readonly previous: Value | undefined;
}

/** Whole objects, with the arguments that tell who owns what. */
export interface RolloutSides {
  readonly wants: JsonObject;
  readonly live: JsonObject;
  readonly previousArgs: JsonObject;
  readonly owners: JsonObject;
}

/**
 * Shares that are left to the console, carried from one side to the other, as members to put there: "live" gives the live
 * object the program's shares, so that they do not count as drift, "wanted" gives what the program wants the live ones, which a
 * write has to carry. Left are all of them where the console owns the rollout, and those that a schedule is moving, unless
 * the program changes that very share. Elements stand for each other by name, then by content.
 */
export function carriedRollouts(
  definition: ResourceDefinition,
  { wants, live, previousArgs, owners }: RolloutSides,
  into: "wanted" | "live",
): [string, unknown][] {
  const all = consoleOwns(owners, "rollout");
  const tree = treeOf(definition);
  return rolloutNames(definition).flatMap((name): [string, unknown][] => {
    const three = { wanted: wants[name], live: live[name], previous: previousArgs[name] };
    if (three.wanted === undefined || three.live === undefined) return [];
    const node = tree[name]?.node ?? {};
    if (!all && !isScheduled(node, three.live)) return [];
    return [[name, carry({ definition, all, into }, { node, pattern: name }, three)]];
  });
}

interface Carrying {
  readonly definition: ResourceDefinition;
  readonly all: boolean;
  readonly into: "wanted" | "live";
}

function carry(carrying: Carrying, place: Place, { wanted, live, previous }: Sides<unknown>): unknown {
  const { node, pattern } = place;
  const { into } = carrying;
  const target = into === "wanted" ? wanted : live;
  if (!holdsRollout(node)) return target;
  if (Array.isArray(wanted) && Array.isArray(live)) {
    const list = Array.isArray(previous) ? previous : undefined;
    return carriedElements(carrying, place, { wanted, live, previous: list });
  }
  const properties = propertiesOf(node);
  if (!isObject(wanted) || !isObject(live) || properties === undefined) return target;
  const members = isObject(previous) ? previous : undefined;
  return carriedMembers(carrying, { properties, pattern }, { wanted, live, previous: members });
}

function carriedElements(
  carrying: Carrying,
  { node, pattern }: Place,
  { wanted, live, previous = [] }: Sides<readonly unknown[]>,
): unknown[] {
  const items = itemsOf(node) ?? {};
  const inside = { node: items, pattern: `${pattern}[]` };
  const at = { definition: carrying.definition, pattern: inside.pattern };
  const ways = byKeysThenContent(items, node.keyedBy, (one, other) =>
    sameUnder(items, apartFromShares(items, one), apartFromShares(items, other), at),
  );
  const previousElements = matchedElements(wanted, previous, ways);
  const result = carrying.into === "wanted" ? [...wanted] : [...live];
  matchedPlaces(wanted, live, ways).forEach((place, index) => {
    if (place === undefined) return;
    const three = { wanted: wanted[index], live: live[place], previous: previousElements[index] };
    result[carrying.into === "wanted" ? index : place] = carry(carrying, inside, three);
  });
  return result;
}

function carriedMembers(
  carrying: Carrying,
  { properties, pattern }: { properties: Record<string, Node>; pattern: string },
  { wanted, live, previous }: Sides<JsonObject>,
): JsonObject {
  const [target, source] = carrying.into === "wanted" ? [wanted, live] : [live, wanted];
  const result = { ...target };
  for (const [member, node] of Object.entries(properties)) {
    if (node.rollout === undefined) {
      if (wanted[member] === undefined || live[member] === undefined || !holdsRollout(node)) continue;
      const three = { wanted: wanted[member], live: live[member], previous: previous?.[member] };
      result[member] = carry(carrying, { node, pattern: `${pattern}.${member}` }, three);
    } else if (carrying.all || isMovedBySchedule(node, member, { wanted, live, previous })) {
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
  { wanted, live, previous }: Sides<JsonObject>,
): boolean {
  if (!hasSteps(live, rollout?.scheduledBy)) return false;
  return previous === undefined || equalJson(previous[member], wanted[member]);
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
