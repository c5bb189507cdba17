import { catalog } from "../../catalog/index";
import { isObject, type JsonObject } from "../../core/json";
import { defineBehaviour } from "../default-operations";

/** Lists that are written as addresses and read as people. */
const lists = ["members", "admins"];

/** How the console treats teams. */
export const team = defineBehaviour({
  definition: catalog.team,
  settle: ({ after }) => ({ ...after, ...mapped(after, (one) => addressOf(one).toLowerCase()) }),
  follows: (_world, item) => mapped(item, personOf),
});

function mapped(item: JsonObject, change: (one: unknown) => unknown): JsonObject {
  return Object.fromEntries(
    lists.map((name) => {
      const list: unknown = item[name];
      return [name, Array.isArray(list) ? list.map(change) : []];
    }),
  );
}

/** A seed may show people as a read does. */
function addressOf(one: unknown): string {
  return String(isObject(one) ? one.email : one);
}

/** Nobody here has told a name, and everybody has the role of a new member. */
function personOf(one: unknown): JsonObject {
  return { email: addressOf(one), firstName: "", lastName: "", role: "Member" };
}
