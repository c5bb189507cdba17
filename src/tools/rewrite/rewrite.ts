import type * as ts from "typescript";
import { isObject, type JsonObject } from "../../provider/schema/json";
import { itemsOf, type Node, propertiesOf } from "../../provider/schema/tree";
import { isNothing, sameUnder } from "../../provider/values/compare";
import { keysOf, matchedPlaces } from "../../provider/values/matching";
import type { Compiler } from "./compiler";
import { type Advice, Computed, type Edit, edited, type Job } from "./edits";
import { expressible, isNotOurs, literalText, memberText, restOf, stringText, Unusual } from "./literal-text";
import { computedIn, type Literal, literalValue, type Meant, type Member, placeIn } from "./literals";
import { type Container, type Entry, interiorOf, marginOf, rearranged } from "./sequence";
import type { NewValue } from "./wish";

/** A literal of a program, its place in the definition, and what it is to mean. */
export interface Spot extends Meant {
  readonly literal: Literal;
  /** Value of the literal in the program, in canonical form. */
  readonly wanted: unknown;
  readonly live: unknown;
  /** Of the arguments as a whole: those that may be changed, by name. */
  readonly only?: ReadonlyMap<string, NewValue>;
}

/**
 * The edits that make a literal mean what the console has: literals that differ and nothing else.
 * @throws Computed where what differs is no literal.
 */
export function rewritten(job: Job, spot: Spot): Edit[] {
  const { literal, schema, wanted, live, only } = spot;
  const { node } = literal;
  const isExplicit = [...(only?.values() ?? [])].some((one) => one.isExplicit);
  if (!isExplicit && isSame(spot, literalValue(literal, spot, wanted), live)) return [];
  if (literal.how === "object" && isObject(live))
    return aside(job, spot, inObject(job, spot, literal.members, live));
  if (literal.how === "list" && Array.isArray(live)) return inList(job, spot, literal.elements, live);
  const hole = computedIn(literal);
  if (hole !== undefined) throw new Computed(hole, literalText(expressible(schema, live), job.style));
  return [{ start: node.getStart(job.file), end: node.end, text: textFor(job, spot) }];
}

function isSame(meant: Meant, one: unknown, other: unknown): boolean {
  const filled = (value: unknown) => (isNothing(value) ? (meant.schema.serverDefault ?? value) : value);
  return sameUnder(meant.schema, filled(one), filled(other), meant);
}

/** The edits of an object, and around it what says an unusual one, where it becomes such. */
function aside({ file, style }: Job, { literal, schema, live }: Spot, edits: Edit[]): Edit[] {
  if (edits.length === 0 || literal.isAside || !(expressible(schema, live) instanceof Unusual)) return edits;
  const [open = "", close = ""] = style.unusual("\n").split("\n");
  const { end } = literal.node;
  const start = literal.node.getStart(file);
  return [{ start, end: start, text: open }, ...edits, { start: end, end, text: close }];
}

/** The text of the live value in place of a literal, in the same sort of quotes. */
function textFor({ file, style }: Job, spot: Spot): string {
  const { live, schema, literal } = spot;
  const { node } = literal;
  // A list of one that is written without brackets stays so.
  const isAlone =
    literal.how !== "list" && Array.isArray(live) && live.length === 1 && isSame(spot, live, live[0]);
  const value = isAlone ? live[0] : expressible(schema, live);
  const first = file.text[node.getStart(file)];
  if (value instanceof Unusual && literal.isAside) return literalText(value.value, style);
  if (typeof value === "string" && (first === '"' || first === "'" || first === "`"))
    return stringText(value, first, style.newline);
  const { character } = file.getLineAndCharacterOfPosition(node.getStart(file));
  return literalText(value, style, marginOf({ file, node }), character);
}

/** A member of an object: what the program has of it, and what it is to mean. */
type Part = ReturnType<typeof partsOf>[number];

function inObject(job: Job, spot: Spot, members: readonly Member[], live: JsonObject): Edit[] {
  const changes = partsOf(spot, members, live).flatMap((part) => partChange(job, spot, members, part));
  const edits = changes.flatMap((change) => ("edits" in change ? change.edits : []));
  const removed = new Set(changes.flatMap((change) => ("remove" in change ? [change.remove] : [])));
  const added = changes.flatMap((change) => ("add" in change ? [change.add] : []));
  if (removed.size + added.length === 0) return edits;
  const kept = members.flatMap(({ node }, index): Entry[] =>
    removed.has(index) ? [] : [{ from: index, body: bodyOf(job, node, edits) }],
  );
  return [arranged(job, spot.literal, [...kept, ...added])];
}

/** The members that matter, in the order of the definition where it has one. */
function partsOf(spot: Spot, members: readonly Member[], live: JsonObject) {
  const { schema, only } = spot;
  const said = new Set(members.flatMap(({ name }) => name ?? []));
  const properties = propertiesOf(schema);
  const wanted = isObject(spot.wanted) ? spot.wanted : {};
  const names = new Set([...said, ...Object.keys(properties ?? {}), ...Object.keys(live)]);
  return [...names].flatMap((name) => {
    if (only?.has(name) === false) return [];
    const own = properties?.[name];
    const isStrange =
      properties !== undefined && own === undefined && schema.additionalProperties === undefined;
    if ((isStrange && !said.has(name)) || own?.serverSet !== undefined) return [];
    const place = placeIn(spot, name, own ?? restOf(schema));
    const isTwin = [...said].some((other) => properties?.[other]?.aliasOf === name);
    if (!said.has(name) && (isTwin || isNotOurs(place.schema, live))) return [];
    return [{ ...place, name, wanted: wanted[name], live: liveMember(place.schema, name, live) }];
  });
}

/** Of two views of one thing the live object has the first: the text of the second is made of it. */
function liveMember({ aliasOf }: Node, name: string, live: JsonObject): unknown {
  const first = aliasOf === undefined ? undefined : live[aliasOf];
  return live[name] ?? (isNothing(first) ? live[name] : JSON.stringify(first));
}

type PartChange = { readonly edits: readonly Edit[] } | { readonly remove: number } | { readonly add: Entry };

function partChange(job: Job, { only }: Spot, members: readonly Member[], part: Part): PartChange[] {
  const { name, schema, wanted, live } = part;
  const index = members.findLastIndex((one) => one.name === name);
  const isGone = live === undefined || (live === null && schema.sameAs !== "opaque");
  const toType = () =>
    isGone
      ? { todo: `remove ${name}` }
      : `${memberText(name, job.style)}: ${literalText(expressible(schema, live), job.style)}`;
  const covering = members.find((one, at) => at > index && one.name === undefined)?.node;
  const isCovered = () => new Computed(covering as ts.Node, toType(), "it is put together of others");
  const member = members[index];
  if (member === undefined) {
    const asked = only?.get(name);
    if (!asked?.isExplicit && isSame(part, covering === undefined ? undefined : wanted, live)) return [];
    if (covering !== undefined) throw isCovered();
    const other = members.find((one) => one.name !== undefined && one.name === asked?.instead);
    if (other === undefined) return [{ add: addition(job, name, schema, live) }];
    return [inPlaceOf(job, other, toType())];
  }
  const literal = member.value;
  if (isSame(part, literalValue(literal, part, wanted), live)) return [];
  if (covering !== undefined) throw isCovered();
  const isAssigned = literal.whole !== member.node;
  if (!isGone && isAssigned) return [{ edits: rewritten(job, { ...part, literal }) }];
  const hole = computedIn(literal);
  if (hole !== undefined) throw new Computed(hole, toType());
  return [{ remove: index }];
}

/** Says something else in place of a member. */
function inPlaceOf({ file }: Job, { node, value }: Member, text: string | Advice): PartChange {
  if (typeof text !== "string") throw new Computed(node, text);
  const hole = computedIn(value);
  if (hole !== undefined) throw new Computed(hole, text);
  return { edits: [{ start: node.getStart(file), end: node.end, text }] };
}

/** A new member. */
export function addition({ style }: Job, name: string, schema: Node, live: unknown) {
  const start = `${memberText(name, style)}: `;
  return {
    textAt: (margin: string) =>
      start + literalText(expressible(schema, live), style, margin, margin.length + start.length),
  };
}

function inList(job: Job, spot: Spot, elements: readonly Literal[], live: readonly unknown[]): Edit[] {
  const { schema, wanted, literal } = spot;
  const { style } = job;
  const items = placeIn(spot, "[]", itemsOf(schema));
  const whole = () => literalText(expressible(schema, live), style);
  const spread = elements.find(({ how }) => how === "spread");
  if (spread !== undefined) throw new Computed(spread.node, whole(), "the list is put together of others");
  const literals = literalValue(literal, spot, wanted) as unknown[];
  const [key] = keysOf(items.schema, schema.keyedBy);
  const same = (one: unknown, other: unknown) => isSame(items, one, other);
  const matches = literalPlaces(live, literals, { key, same });
  refuseComputed(job, elements, new Set(matches), whole);
  const edits = matches.flatMap((from, index) => {
    const element = elements[from ?? -1];
    if (element === undefined) return [];
    return rewritten(job, { ...items, literal: element, wanted: literals[from ?? -1], live: live[index] });
  });
  const hasOrder = !schema.unordered && schema.valueType === undefined && schema.keyedBy === undefined;
  const order = matches.map((from, index) => ({ from, index }));
  // In a list without an order each element stays at its place.
  if (!hasOrder) order.sort((one, other) => (one.from ?? literals.length) - (other.from ?? literals.length));
  const isArranged = order.length === literals.length && order.every(({ from }, index) => from === index);
  if (isArranged) return edits;
  const entries = order.map(({ from, index }): Entry => {
    const element = elements[from ?? -1];
    if (from !== undefined && element !== undefined) return { from, body: bodyOf(job, element.whole, edits) };
    const text = expressible(items.schema, live[index]);
    return { textAt: (margin) => literalText(text, style, margin, margin.length) };
  });
  return [arranged(job, literal, entries)];
}

/** An element that is computed cannot be taken out: whoever wrote it must. */
function refuseComputed(
  { compiler }: Job,
  elements: readonly Literal[],
  kept: ReadonlySet<number | undefined>,
  type: () => string,
): void {
  elements.forEach((element, index) => {
    if (kept.has(index)) return;
    if (element.how === "computed") throw new Computed(element.node, type());
    const made = madeIn(compiler, element.node);
    if (made !== undefined) throw new Computed(made, type(), "a resource is made inside of what is to go");
  });
}

/** The first constructor call inside of something. */
function madeIn(compiler: Compiler, node: ts.Node): ts.Node | undefined {
  if (compiler.isNewExpression(node)) return node;
  return compiler.forEachChild(node, (inner) => madeIn(compiler, inner));
}

function bodyOf({ file }: Job, node: ts.Node, edits: readonly Edit[]): string {
  const start = node.getStart(file);
  const inside = edits.filter((edit) => edit.start >= start && edit.end <= node.end);
  return edited(file.text.slice(start, node.end), inside, start);
}

/** The edit that gives a list or an object other elements. */
function arranged(job: Job, literal: Literal, entries: readonly Entry[]): Edit {
  const container = { ...job, node: literal.node as Container["node"] };
  return { ...interiorOf(container), text: rearranged(container, entries) };
}

/** Rule that tells elements of a list apart. */
interface MatchRule {
  /** The member that names an element; undefined where there is none. */
  readonly key: string | undefined;
  readonly same: (one: unknown, other: unknown) => boolean;
}

/**
 * The place in the program's list of what stands for each live element, undefined where nothing does: that of the same name, else
 * one that means the same, also but for its name, and where neither has a name the next one that is left.
 */
function literalPlaces(
  live: readonly unknown[],
  literals: readonly unknown[],
  { key, same }: MatchRule,
): (number | undefined)[] {
  const name = (element: unknown) => {
    const value = isObject(element) && key !== undefined ? element[key] : undefined;
    return typeof value === "string" ? value : undefined;
  };
  const without = (element: unknown) =>
    isObject(element) && key !== undefined ? { ...element, [key]: undefined } : element;
  return matchedPlaces(live, literals, [
    { key: name },
    { same },
    { same: (one, other) => isObject(one) && isObject(other) && same(without(one), without(other)) },
    {
      same: (one, other) =>
        name(one) === undefined && name(other) === undefined && isObject(one) === isObject(other),
    },
  ]);
}
