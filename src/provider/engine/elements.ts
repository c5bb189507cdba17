import { pathParameters } from "../client/route-path";
import type { Changes } from "../decisions/plan";
import { type ResourceDefinition, routeOf } from "../schema/define";
import { equalJson, isObject, type JsonObject } from "../schema/json";
import { itemsOf, propertiesOf, treeOf } from "../schema/tree";
import type { ElementsStrategy } from "../schema/verbs";
import { canonical, canonicalLive, sameMeaning } from "../values/compare";
import { textFormOf } from "../values/exact-numbers";
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

/** A change of a list that concerns one element, so that the others need not be sent. */
type ElementChange =
  | { readonly how: "remove"; readonly live: JsonObject }
  | { readonly how: "patch"; readonly live: JsonObject; readonly members: JsonObject }
  | { readonly how: "append"; readonly element: JsonObject };

/** The one element that a change of a list concerns; undefined when it concerns several, or their order. */
function elementChange(
  definition: ResourceDefinition,
  field: string,
  live: unknown,
  wanted: unknown,
): ElementChange | undefined {
  const lives = objectsOf(live);
  const program = objectsOf(wanted);
  if (lives === undefined || program === undefined) return undefined;
  const same = (left: JsonObject | undefined, right: JsonObject | undefined) =>
    sameMeaning(definition, field, [left], [right]);
  const first = program.findIndex((element, index) => !same(lives[index], element));
  const at = first < 0 ? program.length : first;
  const rest = (list: JsonObject[], skip: number) => list.slice(at + skip);
  const restIsSame = (skipLive: number, skipWanted: number) => {
    const [left, right] = [rest(lives, skipLive), rest(program, skipWanted)];
    return left.length === right.length && left.every((element, index) => same(element, right[index]));
  };
  const [old, next] = [lives[at], program[at]];
  if (old !== undefined && restIsSame(1, 0)) return { how: "remove", live: old };
  if (old === undefined && next !== undefined && restIsSame(0, 1)) return { how: "append", element: next };
  if (old === undefined || next === undefined || !restIsSame(1, 1)) return undefined;
  const members = changedMembers(definition, field, old, next);
  return members === undefined ? undefined : { how: "patch", live: old, members };
}

function objectsOf(list: unknown): JsonObject[] | undefined {
  return Array.isArray(list) && list.every(isObject) ? list : undefined;
}

/** Members to send so that the live element becomes the wanted one; undefined when one would have to be emptied. */
function changedMembers(
  definition: ResourceDefinition,
  field: string,
  live: JsonObject,
  wanted: JsonObject,
): JsonObject | undefined {
  const [old] = canonicalLive(definition, field, [live]) as [JsonObject];
  const [next] = canonical(definition, field, [wanted]) as [JsonObject];
  const gone = Object.keys(old).filter((member) => next[member] === undefined);
  const differs = gone.filter((member) => {
    const { [member]: _, ...without } = old;
    return !sameMeaning(definition, field, [old], [without]);
  });
  if (differs.length > 0) return undefined;
  const changed = Object.entries(next).filter(([member, value]) => !equalJson(old[member], value));
  return Object.fromEntries(changed);
}
