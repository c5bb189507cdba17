import { catalog } from "../../catalog/index";
import type { Behaviour } from "../behaviour";
import { heldMembers, withKnownMembers } from "../holdout-links";
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
    ...{ replace: withKnownMembers(replace), patch: withKnownMembers(patch) },
    ...{ getOverrides: getUnitOverrides, setOverrides: setUnitOverrides },
    ...{ addOverrides: addUnitOverrides, removeOverrides: removeUnitOverrides },
  },
  refersTo: heldMembers,
  onRemove: forgetUnitOverrides(catalog.holdout.name),
};
