import { sameMeaning, sameUnder } from "./compare";
import type { ResourceDefinition } from "./define";
import { isObject, type JsonObject, stableText } from "./json";
import { holdsNode, itemsOf, type Node, propertiesOf, treeOf } from "./tree";
import { UNKNOWN } from "./unknown";

/**
 * What a program says, with what it leaves to the console as the live object has it: members of sparse objects (fact
 * `sparse`), element by element. `known`: what it said before. A member that it said then and no longer says goes, if it is
 * still as it was said.
 */
export function completed(
  definition: ResourceDefinition,
  name: string,
  said: unknown,
  live: unknown,
  known?: unknown,
): unknown {
  const node = treeOf(definition)[name]?.node;
  return node === undefined || !holdsSparse(node) ? said : complete(node, said, live, known);
}

/**
 * A live value without what a program leaves to the console: as much of it as the program would say. `known`: what it said
 * before; what it says no more and is still there is not left to the console.
 */
export function asFarAsSaid(
  definition: ResourceDefinition,
  name: string,
  live: unknown,
  said: unknown,
  known?: unknown,
): unknown {
  const node = treeOf(definition)[name]?.node;
  return node === undefined || !holdsSparse(node) ? live : restrict(node, live, said, known);
}

/** True where a live value is what a program says, as far as it says it. `known`: what it said before. */
export function agrees(
  definition: ResourceDefinition,
  name: string,
  said: unknown,
  live: unknown,
  known?: unknown,
): boolean {
  // Mostly a program says all that there is, and that is known without a copy of a part.
  if (sameMeaning(definition, name, said, live)) return true;
  const comparable = asFarAsSaid(definition, name, live, said, known);
  return comparable !== live && sameMeaning(definition, name, said, comparable);
}

const holdsSparse = holdsNode((node) => node.sparse === true);

function complete(node: Node, said: unknown, live: unknown, known: unknown): unknown {
  if (said === UNKNOWN || node.sameAs === "opaque") return said;
  if (Array.isArray(said)) {
    const items = itemsOf(node);
    if (items === undefined || !holdsSparse(items)) return said;
    const lives = elementsFor(items, node.keyedBy, said, live);
    const knowns = elementsFor(items, node.keyedBy, said, known);
    return said.map((one: unknown, index) => complete(items, one, lives.get(index), knowns.get(index)));
  }
  const properties = propertiesOf(node);
  if (!isObject(said) || !isObject(live) || properties === undefined) return said;
  const before = isObject(known) ? known : {};
  const own = Object.entries(said).map(([member, value]) => [
    member,
    complete(properties[member] ?? {}, value, live[member], before[member]),
  ]);
  return { ...unsaidMembers(node, said, live, before), ...Object.fromEntries(own) };
}

/** Members of the live object that a sparse one does not say, but for those that only the console sets. */
function unsaidMembers(node: Node, said: JsonObject, live: JsonObject, before: JsonObject): JsonObject {
  const properties = propertiesOf(node);
  if (!isSparse(node) || properties === undefined) return {};
  const other = otherForms(node, said);
  const members = Object.entries(live).filter(([member, value]) => {
    const inside = properties[member];
    if (inside === undefined || inside.serverSet !== undefined || other.includes(member)) return false;
    if (!isSaid(value) || isSaid(said[member]) || isEmptyForm(inside, value)) return false;
    // Of two views of one thing the program says one.
    if (twinOf(properties, member, said) !== undefined) return false;
    return !isLeftover(inside, before[member], value);
  });
  return Object.fromEntries(members);
}

/** True for an empty text that nobody could write: reads may show one where nothing is set. */
function isEmptyForm(node: Node, value: unknown): boolean {
  return value === "" && [node, ...(node.anyOf ?? [])].some(({ minLength = 0 }) => minLength > 0);
}

/** The member that says the same as another in another form, where the program says it. */
function twinOf(properties: Record<string, Node>, member: string, said: JsonObject): string | undefined {
  return Object.keys(said).find(
    (other) =>
      isSaid(said[other]) && (properties[member]?.aliasOf === other || properties[other]?.aliasOf === member),
  );
}

/** True for what the program said before and does not say now, while it is still as it was said. */
function isLeftover(node: Node, before: unknown, value: unknown): boolean {
  return node.lasting !== true && isSaid(before) && sameUnder(node, before, value);
}

/** Where the program says a thing in one of several forms, the members of the other forms. */
function otherForms(node: Node, said: JsonObject): readonly string[] {
  const forms = [node, ...(node.anyOf ?? [])].find((one) => one.formsOfOne !== undefined)?.formsOfOne ?? [];
  const used = forms.filter((form) => form.some((member) => isSaid(said[member])));
  return used.length === 0 ? [] : forms.filter((form) => !used.includes(form)).flat();
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isSparse(node: Node): boolean {
  return [node, ...(node.anyOf ?? [])].some((one) => one.sparse === true);
}

function restrict(node: Node, live: unknown, said: unknown, known: unknown): unknown {
  if (node.sameAs === "opaque") return live;
  if (Array.isArray(live)) {
    const items = itemsOf(node);
    if (items === undefined || !holdsSparse(items)) return live;
    const saids = elementsFor(items, node.keyedBy, live, said);
    const knowns = elementsFor(items, node.keyedBy, live, known);
    return live.map((one: unknown, index) => restrict(items, one, saids.get(index), knowns.get(index)));
  }
  const properties = propertiesOf(node);
  if (!isObject(live) || !isObject(said) || properties === undefined) return live;
  const before = isObject(known) ? known : {};
  const other = otherForms(node, said);
  const entries = Object.entries(live).filter(([member, value]) => {
    const inside = properties[member];
    if (!isSparse(node) || isSaid(said[member]) || inside?.serverSet !== undefined) return true;
    if (twinOf(properties, member, said) !== undefined) return true;
    return !other.includes(member) && isLeftover(inside ?? {}, before[member], value);
  });
  return Object.fromEntries(
    entries.map(([member, value]) => [
      member,
      restrict(properties[member] ?? {}, value, said[member], before[member]),
    ]),
  );
}

/** Index in a list -> the element of another list that it stands for: of the same key, or where there is none, at the same place. */
function elementsFor(
  items: Node,
  keyedBy: string | undefined,
  list: readonly unknown[],
  others: unknown,
): ReadonlyMap<number, JsonObject> {
  const found = new Map<number, JsonObject>();
  if (!Array.isArray(others)) return found;
  const keys = keysOf(items, keyedBy);
  const keyOf = (one: unknown) =>
    isObject(one) && keys.every((key) => typeof one[key] === "string" && one[key] !== UNKNOWN)
      ? stableText(keys.map((key) => one[key]))
      : undefined;
  list.forEach((one, index) => {
    const key = keyOf(one);
    if (key === undefined) return;
    const same = others.filter((other: unknown) => keyOf(other) === key);
    const other: unknown = keys.length === 0 ? others[index] : same.length === 1 ? same[0] : undefined;
    if (isObject(other)) found.set(index, other);
  });
  return found;
}

/** The members by which elements of a list are told apart. */
export function keysOf(items: Node, keyedBy: string | undefined): readonly string[] {
  if (keyedBy !== undefined) return [keyedBy];
  const properties = propertiesOf(items) ?? {};
  const texts = (items.required ?? []).filter((member) => {
    const { type, enum: choices } = properties[member] ?? {};
    return type === "string" && choices === undefined;
  });
  return texts.length === 0 && properties.name !== undefined ? ["name"] : texts;
}
