import { catalog } from "../../catalog/index";
import { defineBehaviour } from "../default-operations";
import { list } from "../item-operations";
import { refuseProblems } from "../validation";

const definition = catalog.paramStore;

/**
 * How the console treats param stores. The texts of its 400s for parameters that do not fit together are not published:
 * these are ours.
 */
export const paramStore = defineBehaviour({
  definition,
  operations: { list: { ...list(), specified: { pagination: false } } },
  settle({ before, sent, after, ports }) {
    refuseProblems(definition, sent);
    return { ...after, id: before?.id ?? ports.makeId() };
  },
});
