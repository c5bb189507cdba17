import type { ResourceDefinition } from "../schema/define";
import { equalJson, isGiven, isObject, type JsonObject, kept, mapped, picked } from "../schema/json";
import { holdsNode } from "../schema/tree";
import { UNKNOWN } from "../schema/unknown";
import { isNothing, sameUnder } from "./compare";
import { formsOf } from "./sparse-values";
import { type ObjectPlace, pairedOnce, type Visitor, walkField } from "./walk";

/** Which members that only the console sets are carried over: ids that are sent back, or everything for the state. */
type CarriedMembers = "identity" | "all";

/** Parts of a list with the ids that they keep; the id of a new part is unknown until the update. */
export function withKnownIds(
  definition: ResourceDefinition,
  name: string,
  program: unknown,
  seen: unknown,
): unknown {
  if (!Array.isArray(program)) return program;
  const known = withLiveMembers(definition, "identity", name, program, seen) as readonly unknown[];
  return program.map((part: unknown, at) => {
    const found = known[at];
    return isObject(part) ? { id: (isObject(found) && found.id) || UNKNOWN, ...part } : part;
  });
}

const holdsServerSet = holdsNode((node) => node.serverSet !== undefined);

/**
 * A value of the program with members that only the console sets, of the live elements that its elements stand for; matched by name,
 * then, for a renamed one, by content. Ids let a rule keep its history when another is inserted above it, and come with the members that
 * this version does not know: what is replaced whole would lose them. "all": what the state shows of a value that is as the program
 * sets it.
 */
export function withLiveMembers(
  definition: ResourceDefinition,
  carried: CarriedMembers,
  name: string,
  program: unknown,
  live: unknown,
): unknown {
  const visitor: Visitor = {
    into: "program",
    enters: (node) => carried === "identity" || holdsServerSet(node),
    pair: pairedOnce("program", ({ node, pattern }, one, other) =>
      sameUnder(node, one, other, { definition, pattern }),
    ),
    members: (place, { program = {}, live = {} }, inside) => ({
      ...(carried === "identity"
        ? { ...unknownMembers(definition, place, live), ...standardMembers(place, program, live) }
        : {}),
      ...serverSetMembers(place, live, carried),
      ...mapped(program, (_, member) => inside(member)),
    }),
  };
  return walkField(definition, name, visitor, { program, live });
}

/** Members of a live object that the definition does not know, which a write leaves as they are. */
function unknownMembers(
  definition: ResourceDefinition,
  { pattern, properties }: ObjectPlace,
  live: JsonObject,
): JsonObject {
  // A form may know a member by a former name.
  const formed = definition.forms?.[pattern]?.(live) ?? live;
  if (!isObject(formed)) return {};
  return kept(formed, (member, value) => !Object.hasOwn(properties, member) && isGiven(value));
}

/**
 * The defaults of members that the program no longer gives: the API may take a member that a known element leaves out for one that
 * stays (console-api/gates-configs.md: `passPercentage` of a rule is optional in a PATCH).
 */
function standardMembers({ properties }: ObjectPlace, program: JsonObject, live: JsonObject): JsonObject {
  const left = Object.entries(properties).flatMap(([member, node]): [string, unknown][] => {
    const { serverDefault = null } = node;
    const isGiven = formsOf(properties, member).some((form) => !isNothing(program[form]));
    if (isGiven || serverDefault === null || isNothing(live[member])) return [];
    return equalJson(live[member], serverDefault) ? [] : [[member, serverDefault]];
  });
  return Object.fromEntries(left);
}

/** The console refuses an empty id: it is left out. */
function serverSetMembers(
  { properties }: ObjectPlace,
  live: JsonObject,
  carried: CarriedMembers,
): JsonObject {
  return picked(
    live,
    Object.keys(properties).filter((member) => {
      const set = properties[member]?.serverSet;
      return (carried === "all" ? set !== undefined : set === "identity") && !isNothing(live[member]);
    }),
  );
}
