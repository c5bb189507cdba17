import type { ResourceDefinition } from "../schema/define";
import { isObject, type JsonObject } from "../schema/json";
import { holdsNode, itemsOf, type Node, type Place, propertiesOf, treeOf } from "../schema/tree";
import { sameUnder } from "./compare";
import { byKeysThenContent, matchedElements } from "./matching";

/** Which members that only the console sets are carried over: ids that are sent back, or everything for the state. */
type CarriedMembers = "identity" | "all";

/**
 * A wanted value with the console's ids of the live elements that its elements stand for, so that a rule keeps its
 * history when another is inserted above it, and with members that this version does not know: what is replaced whole would
 * lose them. Elements are matched by name, then, for a renamed one, by content.
 */
export function withElementIds(
  definition: ResourceDefinition,
  name: string,
  wanted: unknown,
  live: unknown,
): unknown {
  return withLiveMembers({ definition, carried: "identity" }, name, wanted, live);
}

/** A wanted value with all that the console adds inside it: what the state shows of a value that is as wanted. */
export function withServerSetMembers(
  definition: ResourceDefinition,
  name: string,
  wanted: unknown,
  live: unknown,
): unknown {
  return withLiveMembers({ definition, carried: "all" }, name, wanted, live);
}

function withLiveMembers(scope: Scope, name: string, wanted: unknown, live: unknown): unknown {
  const node = treeOf(scope.definition)[name]?.node ?? {};
  return carry(scope, { node, pattern: name }, wanted, live);
}

interface Scope {
  readonly definition: ResourceDefinition;
  readonly carried: CarriedMembers;
}

const holdsServerSet = holdsNode((node) => node.serverSet !== undefined);

function carry(scope: Scope, { node, pattern }: Place, wanted: unknown, live: unknown): unknown {
  if (node.sameAs === "opaque" || (scope.carried === "all" && !holdsServerSet(node))) return wanted;
  if (Array.isArray(wanted)) {
    const items = itemsOf(node);
    if (items === undefined || propertiesOf(items) === undefined) return wanted;
    const place = { node: items, pattern: `${pattern}[]` };
    const at = { definition: scope.definition, pattern: place.pattern };
    const ways = byKeysThenContent(items, node.keyedBy, (one, other) => sameUnder(items, one, other, at));
    const lives = matchedElements(wanted, Array.isArray(live) ? live : [], ways);
    return wanted.map((element: unknown, index) => carry(scope, place, element, lives[index]));
  }
  const properties = propertiesOf(node);
  if (!isObject(wanted) || properties === undefined) return wanted;
  const from = isObject(live) ? live : {};
  const carried = carriedMembersOf(properties, scope.carried).flatMap((name) =>
    isPresent(from[name]) ? [[name, from[name]]] : [],
  );
  const inner = Object.entries(wanted).map(([member, value]) => [
    member,
    carry(scope, { node: properties[member] ?? {}, pattern: `${pattern}.${member}` }, value, from[member]),
  ]);
  return Object.fromEntries([
    ...unknownMembers(scope, pattern, properties, from),
    ...carried,
    ...inner,
  ]) as JsonObject;
}

/** Members of a live object that the definition does not know, which a write leaves as they are. */
function unknownMembers(
  { definition, carried }: Scope,
  pattern: string,
  properties: Record<string, Node>,
  live: JsonObject,
): [string, unknown][] {
  if (carried !== "identity") return [];
  // A form may know a member by a former name.
  const formed = definition.forms?.[pattern]?.(live) ?? live;
  return Object.entries(isObject(formed) ? formed : {}).filter(
    ([member, value]) => !Object.hasOwn(properties, member) && value !== undefined && value !== null,
  );
}

/** An empty id is refused by the console: it is left out. */
function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

function carriedMembersOf(properties: Record<string, Node>, carried: CarriedMembers): string[] {
  return Object.keys(properties).filter((member) => {
    const set = properties[member]?.serverSet;
    return carried === "all" ? set !== undefined : set === "identity";
  });
}
