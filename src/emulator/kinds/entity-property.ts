import { catalog } from "../../catalog/index";
import type { Behaviour } from "../behaviour";
import { create, get, list, patch, remove } from "../verbs";

/** How the console treats entity properties: as assignment sources, and one can be read. */
export const entityProperty: Behaviour = {
  definition: catalog.entityProperty,
  texts: {
    missing: "Not Found. The requested resource could not be found.",
    taken: "Name is already in use",
  },
  operations: { list: list(), create, get, update: patch, patch, delete: remove },
};
