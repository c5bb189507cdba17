import { catalog } from "../../catalog/index";
import { knownPermissions } from "../../catalog/role";
import { isObject } from "../../core/json";
import { defineBehaviour } from "../default-operations";

const none = Object.fromEntries(knownPermissions.map((name) => [name, false]));

/** How the console treats roles. What a body leaves out is not allowed (assumption). */
export const role = defineBehaviour({
  definition: catalog.role,
  settle({ sent, after }) {
    if (!isObject(sent.permissions)) return after;
    return { ...after, permissions: { ...none, ...sent.permissions } };
  },
});
