import type * as ts from "typescript";
import { isObject, type JsonObject } from "../../../provider/schema/json";
import { itemsOf, type Node, propertiesOf } from "../../../provider/schema/tree";
import { isNothing, sameUnder } from "../../../provider/values/compare";
import { keysOf, matchedPlaces } from "../../../provider/values/matching";
import { type Entry, interiorOf, marginOf, rearranged } from "../sequence";
import type { Compiler } from "./compiler";
import { Computed, type Edit, edited, type Job } from "./edits";
import { expressible, isNotOurs, literalText, memberText, stringText, Unusual } from "./literal-text";
import { bare, computedIn, insideOf, literalValue, type Meant, memberName } from "./literals";

/** A place in a program and in the definition, and what it is to mean. */
export interface Spot {
  readonly expression: ts.Expression;
  readonly schema: Node;
  /** Such as `rules[].conditions[]`. */
  readonly pattern: string;
  /** Value of the expression in the program, in canonical form. */
  readonly wanted: unknown;
  readonly live: unknown;
  /** Of an object: the only members that may be changed; left out: all. */
  readonly only?: ReadonlySet<string>;
  /** Of an object: the member in whose place another one is to be said, by the name of the other. */
  readonly instead?: ReadonlyMap<string, string>;
  /** Of an object: members that it is to set, even where silence means the same value. */
  readonly explicit?: ReadonlySet<string>;
}

/**
 * The edits that make an expression mean what the console has: literals that differ and nothing else.
 * @throws Computed where what differs is no literal.
 */
export function rewritten(job: Job, spot: Spot): Edit[] {
  const { compiler, file } = job;
  const node = bare(compiler, spot.expression);
  const now = literalValue(compiler, node, meantBy(job, spot), spot.wanted);
  const isExplicit = (spot.explicit?.size ?? 0) > 0;
  if (!isExplicit && isSame(job, spot, now, spot.live)) return [];
  if (compiler.isObjectLiteralExpression(node) && isObject(spot.live))
    return aside(job, spot, node, inObject(job, spot, node, spot.live));
  if (compiler.isArrayLiteralExpression(node) && Array.isArray(spot.live))
    return inList(job, spot, node, spot.live);
  const hole = computedIn(compiler, node);
  if (hole !== undefined)
    throw new Computed(hole, literalText(expressible(spot.schema, spot.live), job.style));
  return [{ start: node.getStart(file), end: node.end, text: textFor(job, spot, node) }];
}

function meantBy({ definition }: Job, { schema, pattern }: Pick<Spot, "schema" | "pattern">): Meant {
  return { definition, pattern, schema };
}

function isSame({ definition }: Job, { schema, pattern }: Spot, one: unknown, other: unknown): boolean {
  const filled = (value: unknown) => (isNothing(value) ? (schema.serverDefault ?? value) : value);
  return sameUnder(schema, filled(one), filled(other), { definition, pattern });
}

/** The edits of an object, and around it what says an unusual one, where it becomes such. */
function aside(job: Job, { schema, live }: Spot, node: ts.Expression, edits: Edit[]): Edit[] {
  const { compiler, file, style } = job;
  if (edits.length === 0 || isAside(compiler, node) || !(expressible(schema, live) instanceof Unusual))
    return edits;
  const [open = "", close = ""] = style.unusual("\n").split("\n");
  const start = node.getStart(file);
  return [{ start, end: start, text: open }, ...edits, { start: node.end, end: node.end, text: close }];
}

/** True inside of what takes its value out of the compiler's sight. */
function isAside(compiler: Compiler, { parent }: ts.Node): boolean {
  return compiler.isCallExpression(parent) || compiler.isAsExpression(parent);
}

/** The text of the live value in place of a literal, in the same sort of quotes. */
function textFor(job: Job, spot: Spot, node: ts.Expression): string {
  const { compiler, file, style } = job;
  const { live } = spot;
  // A list of one that is written without brackets stays so.
  const isAlone =
    !compiler.isArrayLiteralExpression(node) &&
    Array.isArray(live) &&
    live.length === 1 &&
    isSame(job, spot, live, live[0]);
  const value = isAlone ? live[0] : expressible(spot.schema, live);
  const first = file.text[node.getStart(file)];
  if (value instanceof Unusual && isAside(compiler, node)) return literalText(value.value, style);
  if (typeof value === "string" && (first === '"' || first === "'" || first === "`"))
    return stringText(value, first, style.newline);
  const { character } = file.getLineAndCharacterOfPosition(node.getStart(file));
  return literalText(value, style, marginOf({ file, node }), character);
}

interface Member {
  readonly name: string;
  readonly schema: Node;
  readonly wanted: unknown;
  readonly live: unknown;
}

function inObject(job: Job, spot: Spot, node: ts.ObjectLiteralExpression, live: JsonObject): Edit[] {
  const { compiler } = job;
  const said = new Map<string, number>();
  node.properties.forEach((property, index) => {
    const name = memberName(compiler, property);
    if (name !== undefined) said.set(name, index);
  });
  const wanted = isObject(spot.wanted) ? spot.wanted : {};
  const changes = membersIn(spot, said, live, wanted).flatMap((member) =>
    memberChange(job, spot, { node, index: said.get(member.name) }, member),
  );
  const edits = changes.flatMap((change) => ("edits" in change ? change.edits : []));
  const removed = new Set(changes.flatMap((change) => ("remove" in change ? [change.remove] : [])));
  const added = changes.flatMap((change) => ("add" in change ? [change.add] : []));
  if (removed.size + added.length === 0) return edits;
  const kept = node.properties.flatMap((property, index): Entry[] =>
    removed.has(index) ? [] : [{ from: index, body: bodyOf(job, property, edits) }],
  );
  return [arranged(job, node, [...kept, ...added])];
}

/** The members that matter, in the order of the definition where it has one. */
function membersIn(
  { schema, only }: Spot,
  said: ReadonlyMap<string, number>,
  live: JsonObject,
  wanted: JsonObject,
): Member[] {
  const properties = propertiesOf(schema);
  const names = new Set([...said.keys(), ...Object.keys(properties ?? {}), ...Object.keys(live)]);
  return [...names].flatMap((name): Member[] => {
    if (only?.has(name) === false) return [];
    const own = properties?.[name];
    const isStrange =
      properties !== undefined && own === undefined && schema.additionalProperties === undefined;
    if ((isStrange && !said.has(name)) || own?.serverSet !== undefined) return [];
    const inner = insideOf(schema, own ?? (properties === undefined ? restOf(schema) : undefined));
    const isTwin = [...said.keys()].some((other) => properties?.[other]?.aliasOf === name);
    if (!said.has(name) && (isTwin || isNotOurs(inner, live))) return [];
    return [{ name, schema: inner, wanted: wanted[name], live: liveMember(inner, name, live) }];
  });
}

function restOf({ additionalProperties }: Node): Node | undefined {
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

/** Of two views of one thing the live object has the first: the text of the second is made of it. */
function liveMember({ aliasOf }: Node, name: string, live: JsonObject): unknown {
  const duplicateDeclaration = aliasOf === undefined ? undefined : live[aliasOf];
  return live[name] ?? (isNothing(duplicateDeclaration) ? live[name] : JSON.stringify(duplicateDeclaration));
}

type MemberChange =
  | { readonly edits: readonly Edit[] }
  | { readonly remove: number }
  | { readonly add: Entry };

interface MemberPlace {
  readonly node: ts.ObjectLiteralExpression;
  /** Undefined where the program does not say the member. */
  readonly index: number | undefined;
}

function memberChange(job: Job, spot: Spot, { node, index }: MemberPlace, member: Member): MemberChange[] {
  const { compiler, style } = job;
  const { name, schema, wanted, live } = member;
  const pattern = spot.pattern === "" ? name : `${spot.pattern}.${name}`;
  const inner = { schema, pattern, wanted, live };
  const isGone = live === undefined || (live === null && schema.sameAs !== "opaque");
  const toType = () =>
    isGone
      ? { todo: `remove ${name}` }
      : `${memberText(name, style)}: ${literalText(expressible(schema, live), style)}`;
  const property = index === undefined ? undefined : node.properties[index];
  const covering = node.properties.find(
    (one, at) => at > (index ?? -1) && memberName(compiler, one) === undefined,
  );
  if (property === undefined) {
    const hidden = covering === undefined ? undefined : wanted;
    const isExplicit = spot.explicit?.has(name) === true;
    if (!isExplicit && isSame(job, { ...inner, expression: node }, hidden, live)) return [];
    if (covering !== undefined) throw new Computed(covering, toType(), "it is put together of others");
    const other = node.properties.find((one) => memberName(compiler, one) === spot.instead?.get(name));
    if (other === undefined) return [{ add: addition(job, name, schema, live) }];
    const text = toType();
    if (typeof text === "string") return [inPlaceOf(job, other, text)];
    throw new Computed(other, text);
  }
  if (!compiler.isPropertyAssignment(property)) {
    if (isSame(job, { ...inner, expression: node }, wanted, live)) return [];
    throw new Computed(property, toType());
  }
  const expression = property.initializer;
  const now = literalValue(compiler, expression, meantBy(job, inner), wanted);
  if (isSame(job, { ...inner, expression }, now, live)) return [];
  if (covering !== undefined) throw new Computed(covering, toType(), "it is put together of others");
  if (!isGone) return [{ edits: rewritten(job, { ...inner, expression }) }];
  const hole = computedIn(compiler, expression);
  if (hole !== undefined) throw new Computed(hole, toType());
  return [{ remove: index as number }];
}

/** Says something else in place of a member. */
function inPlaceOf({ compiler, file }: Job, member: ts.ObjectLiteralElementLike, text: string): MemberChange {
  const hole = compiler.isPropertyAssignment(member) ? computedIn(compiler, member.initializer) : member;
  if (hole !== undefined) throw new Computed(hole, text);
  return { edits: [{ start: member.getStart(file), end: member.end, text }] };
}

/** A new member. */
export function addition({ style }: Pick<Job, "style">, name: string, schema: Node, live: unknown): Entry {
  const start = `${memberText(name, style)}: `;
  return {
    textAt: (margin) =>
      start + literalText(expressible(schema, live), style, margin, margin.length + start.length),
  };
}

function inList(job: Job, spot: Spot, node: ts.ArrayLiteralExpression, live: readonly unknown[]): Edit[] {
  const { compiler, style } = job;
  const { schema, wanted } = spot;
  const items = insideOf(schema, itemsOf(schema));
  const spread = node.elements.find((one) => compiler.isSpreadElement(one));
  if (spread !== undefined)
    throw new Computed(
      spread,
      literalText(expressible(schema, live), style),
      "the list is put together of others",
    );
  const literals = literalValue(compiler, node, meantBy(job, spot), wanted) as unknown[];
  const inner: Omit<Spot, "expression" | "live"> = {
    schema: items,
    pattern: `${spot.pattern}[]`,
    wanted: undefined,
  };
  const [key] = keysOf(items, schema.keyedBy);
  const same = (one: unknown, other: unknown) =>
    isSame(job, { ...inner, expression: node, live: undefined }, one, other);
  const matches = literalPlaces(live, literals, { key, same });
  refuseComputed(job, node, matches, spot);
  const edits = matches.flatMap((from, index) => {
    const expression = from === undefined ? undefined : node.elements[from];
    if (expression === undefined) return [];
    return rewritten(job, { ...inner, expression, wanted: literals[from as number], live: live[index] });
  });
  const hasOrder = !schema.unordered && schema.valueType === undefined && schema.keyedBy === undefined;
  const order = matches.map((from, index) => ({ from, index }));
  // In a list without an order each element stays at its place.
  if (!hasOrder) order.sort((one, other) => (one.from ?? literals.length) - (other.from ?? literals.length));
  const isArranged = order.length === literals.length && order.every(({ from }, index) => from === index);
  if (isArranged) return edits;
  const entries = order.map(({ from, index }): Entry => {
    const element = from === undefined ? undefined : node.elements[from];
    if (from !== undefined && element !== undefined) return { from, body: bodyOf(job, element, edits) };
    return { textAt: (margin) => literalText(expressible(items, live[index]), style, margin, margin.length) };
  });
  return [arranged(job, node, entries)];
}

/** An element that is computed cannot be taken out: whoever wrote it must. */
function refuseComputed(
  job: Job,
  node: ts.ArrayLiteralExpression,
  matches: readonly (number | undefined)[],
  { schema, live }: Spot,
): void {
  const kept = new Set(matches);
  node.elements.forEach((element, index) => {
    if (kept.has(index)) return;
    const hole = computedIn(job.compiler, element);
    const type = () => literalText(expressible(schema, live), job.style);
    if (hole !== undefined && hole === bare(job.compiler, element)) throw new Computed(hole, type());
    const made = madeIn(job.compiler, element);
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
function arranged(
  { compiler, file, style }: Pick<Job, "compiler" | "file" | "style">,
  node: ts.ArrayLiteralExpression | ts.ObjectLiteralExpression,
  entries: readonly Entry[],
): Edit {
  const container = { compiler, text: file.text, file, node, style };
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
