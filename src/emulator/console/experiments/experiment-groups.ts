import { fillsAll } from "../../../provider/definitions/parts/experiments/experiment-groups";
import { type JsonObject, objectsIn } from "../../../provider/schema/json";
import { elementBy } from "../../../provider/schema/wire-names";
import { changeItem, findWritable } from "../../store/items";
import type { Operation, Ports } from "../behaviour";
import { answerItem, bodyOf } from "../item-operations";
import { invalidMember, refuseDuplicates } from "../rules/outcomes";
import { refuseEnded } from "./experiment-states";

/** The groups of an experiment; empty when it has none. */
export function groupsOf(item: JsonObject | undefined): JsonObject[] {
  return objectsIn(item?.groups);
}

/** The group of that id. Throws a 400 that names the member of the body. */
export function groupById(item: JsonObject, id: unknown, property: string): JsonObject {
  const found = elementBy("id", id, item.groups);
  // The text is ours: none is published.
  if (found === undefined) throw invalidMember(property, `There is no group with the ID '${String(id)}'`);
  return found;
}

/**
 * The stored form of a list of groups: one sent with the id of a group of `before` stays that group, any other is new, also one with
 * an empty id.
 * At creation ids are taken as they come. Throws a 400 for names given twice, unknown ids, and sizes that do not make
 * 100 (the texts are ours).
 */
export function takeGroups(
  before: JsonObject | undefined,
  sent: readonly JsonObject[],
  ports: Ports,
): JsonObject[] {
  const names = sent.map(({ name }) => name);
  refuseDuplicates("groups", names, "Duplicate group name(s) given");
  if (!fillsAll(sent.map(({ size }) => Number(size))))
    throw invalidMember("groups", "Group sizes must add up to 100");
  return sent.map((group, index) => {
    const { id, disabled = false, description = "", ...rest } = group;
    const isKnown = typeof id === "string" && id !== "";
    if (isKnown && before !== undefined) groupById(before, id, `groups.${index}.id`);
    return { ...rest, id: isKnown ? id : ports.makeId(), description, disabled };
  });
}

/** Switches groups off or on, by name (specified operation 1 and its reverse). */
export function switchGroups(disabled: boolean): Operation {
  return (call) => {
    const { id, item } = findWritable(call);
    refuseEnded(item);
    const { group_names: names } = bodyOf(call) as { group_names: readonly string[] };
    const groups = groupsOf(item);
    const unknown = names.filter((name) => groups.every((group) => group.name !== name));
    if (unknown.length > 0)
      throw invalidMember("group_names", `There is no group with the name '${unknown.join("', '")}'`);
    const switched = groups.map((group) =>
      names.includes(String(group.name)) ? { ...group, disabled } : group,
    );
    return answerItem(call, changeItem(call, id, item, {}, { ...item, groups: switched }), "updated");
  };
}
