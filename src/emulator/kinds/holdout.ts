import { catalog } from "../../catalog/index";
import type { Behaviour } from "../behaviour";
import { addedMembers, gateAsShown, withKnownMembers } from "../holdout-links";
import {
  addUnitOverrides,
  forgetUnitOverrides,
  getUnitOverrides,
  removeUnitOverrides,
  setUnitOverrides,
} from "../unit-overrides";
import { create, get, list, patch, remove, replace } from "../verbs";

/** How the console treats holdouts. */
export const holdout: Behaviour = {
  definition: catalog.holdout,
  texts: { missing: "Holdout not found.", taken: "Name is already in use" },
  operations: {
    ...{ list: list(), create, get, delete: remove },
    ...{ replace: withKnownMembers(replace), patch: withKnownMembers(addedMembers(patch)) },
    ...{ getOverrides: getUnitOverrides, setOverrides: setUnitOverrides },
    ...{ addOverrides: addUnitOverrides, removeOverrides: removeUnitOverrides },
  },
  // Null leaves the gate as it is, "" takes it away (console-api/corrections.md, section 3).
  settle: ({ before, sent, after }) =>
    sent.targetingGateID === null ? { ...after, targetingGateID: before?.targetingGateID ?? null } : after,
  shows: gateAsShown,
  onRemove: forgetUnitOverrides(catalog.holdout.name),
};
