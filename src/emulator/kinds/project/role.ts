import { catalog } from "../../../provider/definitions/index";
import { knownPermissions } from "../../../provider/definitions/project/role";
import { isObject } from "../../../provider/schema/json";
import { defineBehaviour } from "../../console/default-operations";

const none = Object.fromEntries(knownPermissions.map((name) => [name, false]));

/** Behaviour of roles. A permission that a body leaves out is not given (assumption). */
export const role = defineBehaviour({
  definition: catalog.role,
  settle({ sent, after }) {
    if (!isObject(sent.permissions)) return after;
    return { ...after, permissions: { ...none, ...sent.permissions } };
  },
});
