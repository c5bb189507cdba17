import { catalog } from "../../catalog/index";
import type { Behaviour } from "../behaviour";
import { byName } from "../named-paths";
import { create, get, list, patch, remove } from "../verbs";

/** How the console treats unit id types. No text is published for them (assumption: those of the other kinds). */
export const unitIdType: Behaviour = {
  definition: catalog.unitIdType,
  texts: { missing: "Unit ID type not found.", taken: "Name is already in use" },
  operations: { list: list(), create, get: byName(get), patch: byName(patch), delete: byName(remove) },
};
