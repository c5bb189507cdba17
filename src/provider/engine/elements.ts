import { pathParameters } from "../client/route-path";
import type { Changes } from "../decisions/plan";
import { routeOf } from "../schema/define";
import type { JsonObject } from "../schema/json";
import { itemsOf, propertiesOf, treeOf } from "../schema/tree";
import type { ElementsStrategy } from "../schema/verbs";
import { textFormOf } from "../values/exact-numbers";
import { elementChange } from "./element-change";
import { encoded, type Sent, sendRequest, step, type WriteTarget } from "./send";

/**
 * Changes one element of a list by a route of its own, where that is all there is to do: the other elements are not
 * sent, so a change that somebody else makes to them meanwhile is not undone. Returns the names that it took care of.
 */
export async function sendElement(
  target: WriteTarget,
  part: ElementsStrategy,
  changes: Changes,
): Promise<Sent> {
  const { definition, live } = target;
  const none = { target, names: [] };
  if (Object.keys(changes).length !== 1 || !(part.field in changes)) return none;
  const change = elementChange(definition, part.field, live[part.field], changes[part.field]);
  if (change === undefined) return none;
  const names = [part.field];
  if (change.how === "append") {
    if (part.add === undefined) return none;
    return { target: await sendTo(target, part.add, bodyOf(target, part, change.element)), names };
  }
  const id = change.live[part.id];
  if (typeof id !== "string" || id === "") return none;
  if (change.how === "remove") return { target: await sendTo(target, part.remove, undefined, id), names };
  const body = bodyOf(target, part, change.members, change.live);
  return { target: await sendTo(target, part.patch, body, id), names };
}

/** Members of an element as its own route takes them: what is inside keeps its ids, its own stands in the path. */
function bodyOf(
  { definition }: WriteTarget,
  { field }: ElementsStrategy,
  members: JsonObject,
  live: JsonObject = {},
): JsonObject {
  const key = definition.fields[field]?.traits.keyedBy ?? "name";
  const encode = (element: JsonObject, from: JsonObject[]) =>
    (Object.values(encoded(definition, { [field]: [element] }, { [field]: from }))[0] as JsonObject[])[0] ??
    {};
  const plain = encode(members, []);
  // By its former key the element is found again, whatever else of it changes.
  const marked = encode({ ...members, [key]: live[key] ?? members[key] }, [live]);
  const properties = propertiesOf(itemsOf(treeOf(definition)[field]?.node ?? {}) ?? {}) ?? {};
  return Object.fromEntries(
    Object.entries(plain).map(([name, value]) => {
      const text = textFormOf(properties, name);
      if (name === key) return [name, value];
      return name in marked || text === undefined ? [name, marked[name]] : [text, marked[text]];
    }),
  );
}

function sendTo(
  target: WriteTarget,
  routeName: string,
  body: JsonObject | undefined,
  elementId?: string,
): Promise<WriteTarget> {
  const route = routeOf(target.definition, routeName);
  const [own = "", element = ""] = pathParameters(route.path);
  const params = { [own]: target.id, ...(elementId === undefined ? {} : { [element]: elementId }) };
  return step(target, () => sendRequest(target, { route, params }, body));
}
