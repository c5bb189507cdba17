import { pathParameters } from "../client/route-path";
import type { Changes } from "../decisions/plan";
import { routeOf } from "../schema/define";
import type { JsonObject } from "../schema/json";
import { itemsOf, propertiesOf, treeOf } from "../schema/tree";
import type { ElementsStrategy } from "../schema/verbs";
import { fromWire } from "../schema/wire-names";
import { textFormOf } from "../values/exact-numbers";
import { namesOtherObject } from "./claims/answered-object";
import { elementChange } from "./element-change";
import { dryRun, encoded, type Subject } from "./send";

/**
 * Changes one element of a list by a route of its own, where that is all there is to do: the other elements are not
 * sent, so a change that somebody else makes to them meanwhile is not undone. Returns the names that it took care of.
 */
export async function sendElement(
  subject: Subject,
  part: ElementsStrategy,
  changes: Changes,
): Promise<string[]> {
  if (Object.keys(changes).length !== 1 || !(part.field in changes)) return [];
  const change = elementChange(subject.definition, part.field, subject.live[part.field], changes[part.field]);
  if (change === undefined) return [];
  if (change.how === "append")
    return part.add === undefined ? [] : send(subject, part, part.add, bodyOf(subject, part, change.element));
  const id = change.live[part.id];
  if (typeof id !== "string" || id === "") return [];
  return change.how === "remove"
    ? send(subject, part, part.remove, undefined, id)
    : send(subject, part, part.patch, bodyOf(subject, part, change.members, change.live), id);
}

/** Members of an element as its own route takes them: what is inside keeps its ids, its own stands in the path. */
function bodyOf(
  { definition }: Subject,
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

async function send(
  subject: Subject,
  part: ElementsStrategy,
  routeName: string,
  body: JsonObject | undefined,
  elementId?: string,
): Promise<string[]> {
  const { context, definition, id } = subject;
  const route = routeOf(definition, routeName);
  const [own = "", element = ""] = pathParameters(route.path);
  const params = { [own]: id, ...(elementId === undefined ? {} : { [element]: elementId }) };
  if (subject.program.validate === true && route.dryRun) await dryRun(context, route, params, body);
  const answer = await context.client.maybeItem(route, { params, ...(body === undefined ? {} : { body }) });
  if (answer !== undefined && !namesOtherObject(definition, id, answer))
    subject.live = { ...subject.live, ...fromWire(definition, answer) };
  return [part.field];
}
