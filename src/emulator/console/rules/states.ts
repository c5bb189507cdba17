import type { JsonObject } from "../../../provider/schema/json";
import { idsOfUsers } from "../../http/marks";
import { changeItem, findItem, findWritable, isArchived } from "../../store/items";
import type { Behaviour, Call, Operation, States } from "../behaviour";
import { answerItem, bodyOf } from "../item-operations";
import { Refusal } from "./outcomes";

type Goal = Readonly<{ status: string; isEnabled: boolean }>;

/** Brings an object to a state; one that is there already stays as it is (console-api/gates-configs.md, 1.4). */
export function move(goalOf: (states: States) => Goal): Operation {
  return (call) => {
    const { id, item } = findWritable(call);
    const goal = goalOf(statesOf(call.behaviour));
    if (item.status === goal.status) return answerItem(call, item, "updated");
    return answerItem(call, changeItem(call, id, item, {}, { ...item, ...goal }), "updated");
  };
}

/** Switches an object on. */
export const enable = move(({ on }) => ({ status: on, isEnabled: true }));

/** Switches an object off. */
export const disable = move(({ off }) => ({ status: off, isEnabled: false }));

/** Members about the archiving, shown on request. */
const archiveMembers = ["archivedAt", "archivedByID", "archivedByName", "archivedByEmail", "archiveReason"];

/** Reads of gates and configs: the archiving on request, and the type of templates by the switch `templateTypes`. */
export const flagReads: Pick<Behaviour, "onRequest" | "ownValues" | "shows"> = {
  onRequest: { includeArchiveMetadata: archiveMembers },
  // A nightly job calls temporary ones stale.
  ownValues: { type: ["STALE", "TEMPLATE"] },
  shows: ({ switches }, item) =>
    item.isTemplate === true && switches.templateTypes === "template" ? { ...item, type: "TEMPLATE" } : item,
};

/**
 * Takes an object out of use. While an object of the given collections refers to it, that is a 400 unless the body
 * says `forceArchive` (console-api, section 13, row 14; the text is ours).
 */
export function archive(referringCollections: readonly string[]): Operation {
  return (call) => {
    const { id, item } = findItem(call);
    if (isArchived(call.behaviour, item)) return answerItem(call, item, "archived");
    const { forceArchive, archiveReason } = bodyOf(call);
    if (forceArchive !== true) refuseInUse(call, id, referringCollections);
    const archived = {
      ...{ ...item, status: statesOf(call.behaviour).archived },
      ...{ archivedAt: call.ports.clock(), archivedByName: "CONSOLE API" },
      ...(typeof archiveReason === "string" ? { archiveReason } : {}),
    };
    return answerItem(call, changeItem(call, id, item, {}, archived), "archived");
  };
}

/** Brings an object back into use, on or off as it was. */
export const unarchive: Operation = (call) => {
  const { id, item } = findItem(call);
  const states = statesOf(call.behaviour);
  if (!isArchived(call.behaviour, item)) return answerItem(call, item, "unarchived");
  const base: JsonObject = { ...item, status: item.isEnabled === false ? states.off : states.on };
  for (const member of archiveMembers) delete base[member];
  return answerItem(call, changeItem(call, id, item, {}, base), "unarchived");
};

function statesOf(behaviour: Behaviour): States {
  if (behaviour.states === undefined) throw new TypeError(`${behaviour.definition.kind} has no states`);
  return behaviour.states;
}

function refuseInUse(call: Call, id: string, collections: readonly string[]): void {
  const users = usersOf(call, id, collections);
  const { title } = call.behaviour.definition;
  if (users.length > 0)
    throw new Refusal(400, `The ${title} is in use by ${users.join(", ")}: archive it with forceArchive`);
}

/** The objects of the given collections that refer to an object, apart from itself, such as `gate checkout`. */
export function usersOf({ world, behaviour }: Call, id: string, collections: readonly string[]): string[] {
  const { name } = behaviour.definition;
  return collections.flatMap((collection) =>
    idsOfUsers(world, name, id, collection)
      .filter((user) => collection !== name || user !== id)
      .map((user) => `${collection} ${user}`),
  );
}
