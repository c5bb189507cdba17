import { sameUnder } from "./compare";
import type { ResourceDefinition } from "./define";
import { equalJson, isObject, type JsonObject } from "./json";
import { memoized } from "./memoized";
import { matchedElements, type Place } from "./server-set-members";
import { isArchived, stateNames } from "./states";
import { holdsNode, itemsOf, type Node, propertiesOf, treeOf } from "./tree";
import { UNKNOWN } from "./unknown";

/** The option by which a program leaves to the console what people set there. */
export const ownsOption = "owns";

/** What can be left to the console: shares (fact `rollout`), and whether the object is on. */
export const concerns = ["rollout", "status"] as const;

type Concern = (typeof concerns)[number];

/** True where arguments, or a state, say that the console owns that. */
export function consoleOwns({ [ownsOption]: owns }: JsonObject, concern: Concern): boolean {
  return isObject(owns) && owns[concern] === "console";
}

/** What programs can leave to the console of a kind. */
export function ownableConcerns(definition: ResourceDefinition): readonly Concern[] {
  return rolloutNames(definition).length === 0
    ? []
    : concerns.filter((concern) => concern === "rollout" || stateNames(definition).length > 0);
}

/**
 * True for a field that says whether the object is on, where the console owns that. To be archived is no such state: by the
 * console it is drift, and by the program it is meant.
 */
export function isStatusOfConsole(
  definition: ResourceDefinition,
  name: string,
  args: JsonObject,
  live: JsonObject,
): boolean {
  return (
    consoleOwns(args, "status") &&
    stateNames(definition).includes(name) &&
    !isArchived(definition, live) &&
    !isArchived(definition, args)
  );
}

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
  const sides = { own: news, live: olds, previous: {}, owners: news };
  return { ...kept, ...Object.fromEntries(carriedRollouts(definition, sides, "own")) };
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

/** True for an object that others change while nobody edits it: people in what the console owns, or a schedule. */
export function movesByItself(definition: ResourceDefinition, args: JsonObject, live: JsonObject): boolean {
  if (concerns.some((concern) => consoleOwns(args, concern))) return true;
  const tree = treeOf(definition);
  return rolloutNames(definition).some((name) => isScheduled(tree[name]?.node ?? {}, live[name]));
}

/** Fields with shares. Few kinds have any, and every comparison asks. */
export const rolloutNames = memoized((definition: ResourceDefinition): readonly string[] =>
  Object.entries(treeOf(definition)).flatMap(([name, { node, mode }]) =>
    mode !== "output" && holdsRollout(node) ? [name] : [],
  ),
);

const holdsRollout = holdsNode((node) => node.rollout !== undefined);

/** True for a list with an element that a schedule moves. */
function isScheduled(node: Node, live: unknown): boolean {
  if (!Array.isArray(live)) return false;
  const schedules = schedulesIn(node);
  return live.some((one) => schedules.some((name) => hasSteps(one, name)));
}

/** Members of the elements of a list that tell which steps are to come. */
const schedulesIn = memoized((node: Node): readonly string[] =>
  Object.values(propertiesOf(itemsOf(node) ?? {}) ?? {}).flatMap(({ rollout }) => rollout?.scheduledBy ?? []),
);

function hasSteps(element: unknown, schedule: string | undefined): boolean {
  const steps = schedule !== undefined && isObject(element) ? element[schedule] : undefined;
  return Array.isArray(steps) && steps.length > 0;
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
    const items = itemsOf(node) ?? {};
    const inside = { node: items, pattern: `${pattern}[]` };
    const lives = standing(carrying, inside, own, live, node.keyedBy);
    const before = standing(carrying, inside, own, previous, node.keyedBy);
    const carried = (one: unknown, other: unknown) =>
      carry(carrying, inside, { own: one, live: other, previous: before.get(one) });
    if (into === "own") return own.map((one) => (lives.has(one) ? carried(one, lives.get(one)) : one));
    const owns = new Map([...lives].map(([one, other]) => [other, one]));
    return live.map((other) => (owns.has(other) ? carried(owns.get(other), other) : other));
  }
  const properties = propertiesOf(node);
  if (!isObject(own) || !isObject(live) || properties === undefined) return target;
  return carriedMembers(
    carrying,
    { properties, pattern },
    {
      own,
      live,
      previous: isObject(previous) ? previous : undefined,
    },
  );
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

/** An element that the program says -> the one of another list that it stands for, whatever the shares of the two. */
function standing(
  { definition }: Carrying,
  place: Place,
  own: readonly unknown[],
  others: unknown,
  keyedBy: string | undefined,
): ReadonlyMap<unknown, JsonObject> {
  const list = Array.isArray(others) ? others.filter(isObject) : [];
  const at = { definition, pattern: place.pattern };
  const matches = matchedElements(place, own, list, keyedBy, (one, other) =>
    sameUnder(place.node, apartFromShares(place.node, one), apartFromShares(place.node, other), at),
  );
  return new Map([...matches].map(([index, other]) => [own[index], other]));
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
