import { catalog } from "../../../provider/definitions/index";
import { defineBehaviour } from "../../console/default-operations";
import { refuseProblems } from "../../console/rules/validation";

const definition = catalog.paramStore;

/**
 * Behaviour of param stores. The texts of its 400s for parameters that do not fit together are not published:
 * these are ours.
 */
export const paramStore = defineBehaviour({
  definition,
  settle({ before, sent, after, ports }) {
    refuseProblems(definition, sent);
    return { ...after, id: before?.id ?? ports.makeId() };
  },
});
