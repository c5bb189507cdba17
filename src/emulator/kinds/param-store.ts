import { catalog } from "../../catalog/index";
import type { Behaviour } from "../behaviour";
import { refuseProblems } from "../validation";
import { create, get, list, patch, remove } from "../verbs";

const definition = catalog.paramStore;

/**
 * How the console treats param stores. The texts of its 400s for parameters that do not fit together are not published:
 * these are ours.
 */
export const paramStore: Behaviour = {
  definition,
  texts: { missing: "Param store not found.", taken: "Name is already in use" },
  operations: {
    list: { ...list(), specified: { pagination: false } },
    ...{ create, get, update: patch, delete: remove },
  },
  settle({ before, sent, after, ports }) {
    refuseProblems(definition, sent);
    return { ...after, id: before?.id ?? ports.makeId() };
  },
};
