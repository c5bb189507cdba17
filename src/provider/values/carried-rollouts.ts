import type { ResourceDefinition } from "../schema/define";
import { equalJson, type JsonObject, membersOf } from "../schema/json";
import { type Node, treeOf } from "../schema/tree";
import { sameUnder } from "./compare";
import { hasSteps, holdsRollout, isScheduled, rolloutNames } from "./rollout";
import { pairedByKey, pairedOnce, type Values, type Visitor, walk, walkField } from "./walk";

/** Which shares are carried, and where to. */
interface Carrying {
  readonly into: Visitor["into"];
  /** All of them; left out: those that a schedule is moving, unless the program changes that very share. */
  readonly all?: boolean;
}

/**
 * Shares that are left to the console, carried from one side to the other, as members to put there: "live" gives the live
 * object the program's shares, so that they do not count as drift, "program" gives the program's values the live ones, which a
 * write has to carry. Elements stand for each other by name, then by content.
 */
export function carriedRollouts(
  definition: ResourceDefinition,
  { program = {}, live = {}, lastProgram = {} }: Values<JsonObject>,
  { into, all = false }: Carrying,
): [string, unknown][] {
  const tree = treeOf(definition);
  return rolloutNames(definition).flatMap((name): [string, unknown][] => {
    const values = { program: program[name], live: live[name], lastProgram: lastProgram[name] };
    if (values.program === undefined || values.live === undefined) return [];
    if (!all && !isScheduled(tree[name]?.node ?? {}, values.live)) return [];
    return [[name, walkField(definition, name, shareCarrier(definition, into, all), values)]];
  });
}

function shareCarrier(definition: ResourceDefinition, into: Visitor["into"], all: boolean): Visitor {
  return {
    into,
    enters: holdsRollout,
    pair: pairedOnce(into, ({ node, pattern }, one, other) =>
      sameUnder(node, apartFromShares(node, one), apartFromShares(node, other), { definition, pattern }),
    ),
    members({ properties }, values, inside) {
      const { program, live } = values;
      const [target = {}, source] = into === "program" ? [program, live] : [live, program];
      if (source === undefined) return target;
      const result = { ...target };
      for (const [member, node] of Object.entries(properties)) {
        if (node.rollout === undefined) {
          if (target[member] !== undefined && holdsRollout(node)) result[member] = inside(member);
        } else if (all || isMovedBySchedule(node, member, values)) {
          if (source[member] === undefined) delete result[member];
          else result[member] = source[member];
        }
      }
      return result;
    },
  };
}

/** True for a share that a schedule moves and that the program says as it did before. */
function isMovedBySchedule(
  { rollout }: Node,
  member: string,
  { program, live, lastProgram }: Values<JsonObject>,
): boolean {
  if (!hasSteps(live, rollout?.scheduledBy)) return false;
  return lastProgram === undefined || equalJson(lastProgram[member], program?.[member]);
}

/** An element without its name and its shares. */
function apartFromShares(node: Node, element: JsonObject): unknown {
  return walk(withoutShares, { node, pattern: "" }, { program: element });
}

const withoutShares: Visitor = {
  into: "program",
  enters: holdsRollout,
  pair: pairedByKey("program"),
  members({ properties }, { program = {} }, inside) {
    const members = Object.keys(program).filter(
      (member) => member !== "name" && properties[member]?.rollout === undefined,
    );
    return membersOf(members, inside);
  },
};
