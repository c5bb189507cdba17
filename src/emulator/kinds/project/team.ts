import { catalog } from "../../../provider/definitions/index";
import { knownPermissions } from "../../../provider/definitions/project/role";
import { isObject, type JsonObject, listIn, membersOf } from "../../../provider/schema/json";
import { defineBehaviour } from "../../console/default-operations";
import type { World } from "../../store/store";
import { userWith } from "./user";

/** Lists that are written as addresses and read as people. */
const lists = ["members", "admins"];

/** Behaviour of teams. */
export const team = defineBehaviour({
  definition: catalog.team,
  settle: ({ after }) => ({ ...after, ...mapped(after, (one) => addressOf(one).toLowerCase()) }),
  follows: ({ world }, item) => mapped(item, (one) => personOf(world, addressOf(one))),
});

function mapped(item: JsonObject, change: (one: unknown) => unknown): JsonObject {
  return membersOf(lists, (name) => listIn(item[name]).map(change));
}

/** A seed may show people as a read does. */
function addressOf(one: unknown): string {
  return String(isObject(one) ? one.email : one);
}

/** The user with an address; an unknown one has no name and the role of a new member. */
function personOf(world: World, email: string): JsonObject {
  return userWith(world, email) ?? { email, firstName: "", lastName: "", role: "Member" };
}

const none = Object.fromEntries(knownPermissions.map((name) => [name, false]));

/** Behaviour of roles. A permission that a body leaves out is not given (assumption). */
export const role = defineBehaviour({
  definition: catalog.role,
  settle({ sent, after }) {
    if (!isObject(sent.permissions)) return after;
    return { ...after, permissions: { ...none, ...sent.permissions } };
  },
});
