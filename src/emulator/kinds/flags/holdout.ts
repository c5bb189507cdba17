import { catalog } from "../../../provider/definitions/index";
import { defineBehaviour } from "../../console/default-operations";
import { addedMembers, gateAsShown, withKnownMembers } from "../../console/experiments/holdout-links";
import { list, patch, replace } from "../../console/item-operations";
import { unitOverrides } from "../../console/overrides";

/** Behaviour of holdouts. */
export const holdout = defineBehaviour({
  definition: catalog.holdout,
  operations: {
    // Its list declares 20000 items, other lists 100 (console-api, section 4).
    list: list({ size: 20_000, most: 20_000, beyond: "cap" }),
    ...{ replace: withKnownMembers(replace), patch: withKnownMembers(addedMembers(patch)) },
    ...unitOverrides,
  },
  // Null leaves the gate as it is, "" takes it away (console-api/corrections.md, section 3).
  settle: ({ before, sent, after }) =>
    sent.targetingGateID === null ? { ...after, targetingGateID: before?.targetingGateID ?? null } : after,
  shows: gateAsShown,
});
