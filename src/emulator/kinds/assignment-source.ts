import { catalog } from "../../catalog/index";
import type { Behaviour } from "../behaviour";
import { create, list, patch, remove } from "../verbs";

/** How the console treats assignment sources. An update that leaves optional fields out keeps them (section 13, row 23). */
export const assignmentSource: Behaviour = {
  definition: catalog.assignmentSource,
  texts: { missing: "No assignment source was found with the given name", taken: "Name is already in use" },
  operations: { list: list(), create, update: patch, patch, delete: remove },
};
