import { type JsonObject, listIn, membersOf, objectsIn } from "../../provider/schema/json";
import { findItem, findWritable } from "../store/items";
import type { World } from "../store/store";
import type { Call, Operation } from "./behaviour";
import { groupById } from "./experiments/experiment-groups";
import { bodyOf } from "./item-operations";
import { Refusal } from "./rules/outcomes";

/** Units of a kind's object that always get an answer: the operations of its overrides, by the names of their routes. */
type Overrides = Readonly<
  Record<"getOverrides" | "setOverrides" | "addOverrides" | "removeOverrides", Operation>
>;

/** Makes the next overrides of the present ones and those of a body. */
type Change = (held: JsonObject, given: JsonObject) => JsonObject;

interface Form {
  /** The overrides of an object that never had any. */
  readonly none: JsonObject;
  readonly set: Change;
  readonly add: Change;
  readonly remove: Change;
  /** Refuses a body that does not fit the object. */
  readonly check?: (item: JsonObject, given: JsonObject) => void;
}

/** The overrides of an object; undefined when nobody ever gave it any. */
export function overridesOf(world: World, kind: string, id: string): JsonObject | undefined {
  return world.get(`${kind} overrides`, id);
}

function overrides({ none, set, add, remove, check }: Form): Overrides {
  const read = ({ world, behaviour }: Call, id: string): JsonObject =>
    overridesOf(world, behaviour.definition.name, id) ?? none;
  const answer = (data: JsonObject) => ({ message: "Overrides read successfully.", data });
  const write =
    (change: Change): Operation =>
    (call) => {
      const { id, item } = findWritable(call);
      check?.(item, bodyOf(call));
      const next = change(read(call, id), bodyOf(call));
      call.world.put(`${call.behaviour.definition.name} overrides`, id, next);
      return answer(next);
    };
  return {
    getOverrides: (call) => answer(read(call, findItem(call).id)),
    ...{ setOverrides: write(set), addOverrides: write(add), removeOverrides: write(remove) },
  };
}

/** Makes one list of ids of two. */
type Merge = (held: readonly unknown[], given: readonly unknown[]) => unknown[];

const union: Merge = (held, given) => [...new Set([...held, ...given])];
const difference: Merge = (held, given) => held.filter((id) => !given.includes(id));

/** Members by which two entries are the same one. */
const keyBy =
  (...names: readonly string[]) =>
  (one: JsonObject): string =>
    JSON.stringify(names.map((name) => one[name] ?? null));

/** Merges the lists of entries of one key. An entry without ids is none. */
function merged(keyOf: (one: JsonObject) => string, lists: readonly string[], how: Merge) {
  return (held: unknown, given: unknown): JsonObject[] => {
    const found = new Map(objectsIn(held).map((one) => [keyOf(one), one]));
    for (const one of objectsIn(given)) {
      const former = found.get(keyOf(one));
      const ids = membersOf(lists, (name) => how(listIn(former?.[name]), listIn(one[name])));
      found.set(keyOf(one), { ...one, ...ids });
    }
    return [...found.values()].filter((one) => lists.some((name) => listIn(one[name]).length > 0));
  };
}

/** Entries of two lists, the last one of each key. */
const distinct = (keyOf: (one: JsonObject) => string, held: unknown, given: unknown): JsonObject[] => [
  ...new Map([...objectsIn(held), ...objectsIn(given)].map((one) => [keyOf(one), one])).values(),
];

const unitLists = ["passingUserIDs", "failingUserIDs", "passingCustomIDs", "failingCustomIDs"];
const noUnits = { ...membersOf(unitLists, () => []), environmentOverrides: [] };

function mergedUnits(how: Merge): Change {
  const byEnvironment = merged(keyBy("environment", "unitID"), ["passingIDs", "failingIDs"], how);
  return (held, given) => ({
    ...membersOf(unitLists, (name) => how(listIn(held[name]), listIn(given[name]))),
    environmentOverrides: byEnvironment(held.environmentOverrides, given.environmentOverrides).map(
      ({ environment = null, unitID = null, ...lists }) => ({ environment, unitID, ...lists }),
    ),
  });
}

const units = overrides({
  none: noUnits,
  // Members that the body leaves out are empty afterwards.
  set: (_held, given) => mergedUnits(union)(noUnits, given),
  ...{ add: mergedUnits(union), remove: mergedUnits(difference) },
});

/** Units that always pass or fail a gate or holdout. */
export const unitOverrides: Overrides = {
  ...units,
  getOverrides(call) {
    const answer = units.getOverrides(call);
    const isNone = Object.values(answer.data as JsonObject).every((list) => listIn(list).length === 0);
    if (isNone && call.switches.absentOverrides === "missing") throw new Refusal(404, "Overrides not found.");
    return answer;
  },
};

const targetOf = keyBy("type", "id", "environment");
const unitsOf = keyBy("groupID", "environment", "unitType");

/** Units, gates and segments that always get a group of an experiment, by the id of the group. */
export const experimentOverrides = overrides({
  none: { overrides: [], userIDOverrides: [] },
  set: (_held, given) => given,
  add: (held, given) => ({
    overrides: distinct(targetOf, held.overrides, given.overrides),
    userIDOverrides: merged(unitsOf, ["ids"], union)(held.userIDOverrides, given.userIDOverrides),
  }),
  remove(held, given) {
    const gone = new Set(objectsIn(given.overrides).map(targetOf));
    return {
      overrides: objectsIn(held.overrides).filter((one) => !gone.has(targetOf(one))),
      userIDOverrides: merged(unitsOf, ["ids"], difference)(held.userIDOverrides, given.userIDOverrides),
    };
  },
  check(item, given) {
    for (const list of ["overrides", "userIDOverrides"])
      objectsIn(given[list]).forEach((one, index) => {
        groupById(item, one.groupID, `${list}.${index}.groupID`);
      });
  },
});

const noneOfLayer = { conditionalOverrides: [], idOverrides: [] };
const ofGroup = ["groupName", "environment", "experimentName"];
const ofTarget = keyBy("type", "name", ...ofGroup);
const ofUnits = keyBy("idType", ...ofGroup);

/** The same in a layer, by the names of group and experiment. */
export const layerOverrides = overrides({
  none: noneOfLayer,
  set: (_held, { op: _op, ...given }) => given,
  add: (held, given) => ({
    conditionalOverrides: distinct(ofTarget, held.conditionalOverrides, given.conditionalOverrides),
    idOverrides: merged(ofUnits, ["ids"], union)(held.idOverrides, given.idOverrides),
  }),
  // This route declares no body that could name some (console-api/experiments.md, 2.1).
  remove: () => noneOfLayer,
});
