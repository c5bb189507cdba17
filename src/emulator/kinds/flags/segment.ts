import { catalog } from "../../../provider/definitions/index";
import { isObject } from "../../../provider/schema/json";
import type { Call, Operation } from "../../console/behaviour";
import { defineBehaviour } from "../../console/default-operations";
import {
  addIds,
  addUserStoreIds,
  applyDue,
  forgetIds,
  getIdList,
  getIdListMetadata,
  removeIds,
  removeUserStoreIds,
  resetIds,
  seedIds,
} from "../../console/id-lists";
import { answerItem } from "../../console/item-operations";
import { invalidMember, Refusal } from "../../console/rules/outcomes";
import { settledRules } from "../../console/rules/rules";
import { usersOf } from "../../console/rules/states";
import { changeItem, findItem, findWritable, isArchived } from "../../store/items";

/** The body is the bare rules; an object that holds them is seen too (console-api/segments.md, section 3). */
const setRules: Operation = (call) => {
  const { id, item } = findWritable(call);
  if (item.type !== "rule_based")
    throw new Refusal(400, "Segment must be of type 'rule_based' to be modified on this endpoint");
  const rules = isObject(call.body) ? call.body.rules : call.body;
  return answerItem(call, changeItem(call, id, item, { rules }), "updated");
};

/** Archiving shows nowhere on a segment, asks for no force and cannot be undone (console-api/segments.md, section 5). */
const archiveForGood: Operation = (call: Call) => {
  const { id, item } = findItem(call);
  if (isArchived(call.behaviour, item)) return answerItem(call, item, "archived");
  return answerItem(call, changeItem(call, id, item, {}, { ...item, $archived: true }), "archived");
};

/** Behaviour of segments. */
export const segment = defineBehaviour({
  definition: catalog.segment,
  operations: {
    ...{ archive: archiveForGood, setRules },
    ...{ getIdList, addIds, removeIds, resetIds, getIdListMetadata, addUserStoreIds, removeUserStoreIds },
  },
  settle(change) {
    const { sent, after } = change;
    if (sent.rules === undefined) return after;
    const rules = settledRules(change);
    if (rules.length > 0 && after.type !== "rule_based")
      throw invalidMember("rules", "Rules can only be set on a segment of type 'rule_based'");
    return { ...after, rules };
  },
  refuseRemoval(call, id) {
    // An assumption (console-api, section 13, row 22); the text is ours.
    const users = usersOf(call, id, ["gate", "dynamicConfig", "segment"]);
    if (call.switches.deleteSegmentInUse === "refuse" && users.length > 0)
      throw new Refusal(400, `The segment is in use by ${users.join(", ")}`);
  },
  catchUp: applyDue,
  onRemove: ({ world }, id) => forgetIds(world, id),
  onSeed: seedIds,
});
