import { catalog } from "../../catalog/index";
import { knownPermissions } from "../../catalog/role";
import { isObject } from "../../core/json";
import type { Behaviour } from "../behaviour";
import { byName } from "../named-paths";
import { create, get, list, patch, remove } from "../verbs";

const none = Object.fromEntries(knownPermissions.map((name) => [name, false]));

/** How the console treats roles. What a body leaves out is not allowed (assumption). */
export const role: Behaviour = {
  definition: catalog.role,
  texts: { missing: "Role not found.", taken: "Name is already in use" },
  operations: { list: list(), create, get: byName(get), patch: byName(patch), delete: byName(remove) },
  settle({ sent, after }) {
    if (!isObject(sent.permissions)) return after;
    return { ...after, permissions: { ...none, ...sent.permissions } };
  },
};
