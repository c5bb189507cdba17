import type { ResourceDefinition } from "../schema/define";
import { isObject, type JsonObject, stableText } from "../schema/json";
import { holdsNode, itemsOf, type Node, propertiesOf, treeOf } from "../schema/tree";
import { UNKNOWN } from "../schema/unknown";
import { sameMeaning, sameUnder } from "./compare";
import { keysOf, placesByKey } from "./matching";

/**
 * Arguments, completed by the live object where the program leaves something to the console: members of sparse objects (fact
 * `sparse`), element by element. `previous`: the arguments of last time. A member that was given then and no longer is goes, if
 * the live one is still as it was given.
 */
export function completeFromLive(
  definition: ResourceDefinition,
  name: string,
  wanted: unknown,
  live: unknown,
  previous?: unknown,
): unknown {
  const node = treeOf(definition)[name]?.node;
  return node === undefined || !holdsSparse(node) ? wanted : complete(node, wanted, live, previous);
}

/**
 * A live value without what a program leaves to the console: as much of it as arguments would give. `previous`: the arguments
 * of last time; what they gave, and those of now do not, is not left to the console.
 */
export function restrictToArgs(
  definition: ResourceDefinition,
  name: string,
  live: unknown,
  wanted: unknown,
  previous?: unknown,
): unknown {
  const node = treeOf(definition)[name]?.node;
  return node === undefined || !holdsSparse(node) ? live : restrict(node, live, wanted, previous);
}

/** True where a live value is what the arguments say, as far as they say it. `previous`: the arguments of last time. */
export function matchesArgs(
  definition: ResourceDefinition,
  name: string,
  wanted: unknown,
  live: unknown,
  previous?: unknown,
): boolean {
  // Mostly a program gives all that there is, and that is known without a copy of a part.
  if (sameMeaning(definition, name, wanted, live)) return true;
  const comparable = restrictToArgs(definition, name, live, wanted, previous);
  return comparable !== live && sameMeaning(definition, name, wanted, comparable);
}

const holdsSparse = holdsNode((node) => node.sparse === true);

function complete(node: Node, wanted: unknown, live: unknown, previous: unknown): unknown {
  if (wanted === UNKNOWN || node.sameAs === "opaque") return wanted;
  if (Array.isArray(wanted)) {
    const items = itemsOf(node);
    if (items === undefined || !holdsSparse(items)) return wanted;
    const lives = counterparts(items, node.keyedBy, wanted, live);
    const previousElements = counterparts(items, node.keyedBy, wanted, previous);
    return wanted.map((one: unknown, index) => complete(items, one, lives[index], previousElements[index]));
  }
  const properties = propertiesOf(node);
  if (!isObject(wanted) || !isObject(live) || properties === undefined) return wanted;
  const last = isObject(previous) ? previous : {};
  const own = Object.entries(wanted).map(([member, value]) => [
    member,
    complete(properties[member] ?? {}, value, live[member], last[member]),
  ]);
  return { ...omittedMembers(node, wanted, live, last), ...Object.fromEntries(own) };
}

/** Members of the live object that a sparse one leaves out, but for those that only the console sets. */
function omittedMembers(node: Node, wanted: JsonObject, live: JsonObject, previous: JsonObject): JsonObject {
  const properties = propertiesOf(node);
  if (!isSparse(node) || properties === undefined) return {};
  const other = otherForms(node, wanted);
  const members = Object.entries(live).filter(([member, value]) => {
    const inside = properties[member];
    if (inside === undefined || inside.serverSet !== undefined || other.includes(member)) return false;
    if (!isGiven(value) || isGiven(wanted[member]) || isEmptyForm(inside, value)) return false;
    // Of two forms of one value the program gives one.
    if (givenAlias(properties, member, wanted) !== undefined) return false;
    return !isLeftover(inside, previous[member], value);
  });
  return Object.fromEntries(members);
}

/** True for an empty text that nobody could write: reads may show one where nothing is set. */
function isEmptyForm(node: Node, value: unknown): boolean {
  return value === "" && [node, ...(node.anyOf ?? [])].some(({ minLength = 0 }) => minLength > 0);
}

/** The member that has the value of another in another form, where the program gives it. */
function givenAlias(
  properties: Record<string, Node>,
  member: string,
  wanted: JsonObject,
): string | undefined {
  return Object.keys(wanted).find(
    (other) =>
      isGiven(wanted[other]) &&
      (properties[member]?.aliasOf === other || properties[other]?.aliasOf === member),
  );
}

/** True for what the program gave last time and not now, while it is still as it was given. */
function isLeftover(node: Node, previous: unknown, value: unknown): boolean {
  return node.lasting !== true && isGiven(previous) && sameUnder(node, previous, value);
}

/** Where the program gives a value in one of several forms, the members of the other forms. */
function otherForms(node: Node, wanted: JsonObject): readonly string[] {
  const forms = [node, ...(node.anyOf ?? [])].find((one) => one.formsOfOne !== undefined)?.formsOfOne ?? [];
  const used = forms.filter((form) => form.some((member) => isGiven(wanted[member])));
  return used.length === 0 ? [] : forms.filter((form) => !used.includes(form)).flat();
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isSparse(node: Node): boolean {
  return [node, ...(node.anyOf ?? [])].some((one) => one.sparse === true);
}

function restrict(node: Node, live: unknown, wanted: unknown, previous: unknown): unknown {
  if (node.sameAs === "opaque") return live;
  if (Array.isArray(live)) {
    const items = itemsOf(node);
    if (items === undefined || !holdsSparse(items)) return live;
    const wants = counterparts(items, node.keyedBy, live, wanted);
    const previousElements = counterparts(items, node.keyedBy, live, previous);
    return live.map((one: unknown, index) => restrict(items, one, wants[index], previousElements[index]));
  }
  const properties = propertiesOf(node);
  if (!isObject(live) || !isObject(wanted) || properties === undefined) return live;
  const last = isObject(previous) ? previous : {};
  const other = otherForms(node, wanted);
  const entries = Object.entries(live).filter(([member, value]) => {
    const inside = properties[member];
    if (!isSparse(node) || isGiven(wanted[member]) || inside?.serverSet !== undefined) return true;
    if (givenAlias(properties, member, wanted) !== undefined) return true;
    return !other.includes(member) && isLeftover(inside ?? {}, last[member], value);
  });
  return Object.fromEntries(
    entries.map(([member, value]) => [
      member,
      restrict(properties[member] ?? {}, value, wanted[member], last[member]),
    ]),
  );
}

/**
 * For each element of a list, the one of another list that it stands for: of the same key, or where there are no keys, at the same
 * place. No matching of `matching.ts`: several may ask for one, and where two have its key nobody guesses whose members those are.
 */
function counterparts(
  items: Node,
  keyedBy: string | undefined,
  list: readonly unknown[],
  others: unknown,
): (JsonObject | undefined)[] {
  if (!Array.isArray(others)) return [];
  const keys = keysOf(items, keyedBy);
  const objectIn = (one: unknown) => (isObject(one) ? one : undefined);
  if (keys.length === 0) return list.map((one, at) => (isObject(one) ? objectIn(others[at]) : undefined));
  const keyOf = (one: unknown) =>
    isObject(one) && keys.every((key) => typeof one[key] === "string" && one[key] !== UNKNOWN)
      ? stableText(keys.map((key) => one[key]))
      : undefined;
  const places = placesByKey(others, keyOf);
  return list.map((one) => {
    const [place, another] = places.get(keyOf(one) ?? "") ?? [];
    return place === undefined || another !== undefined ? undefined : objectIn(others[place]);
  });
}
