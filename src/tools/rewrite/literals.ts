import type * as ts from "typescript";
import type { ResourceDefinition } from "../../provider/schema/define";
import { isObject, type JsonObject } from "../../provider/schema/json";
import { itemsOf, type Node, propertiesOf } from "../../provider/schema/tree";
import { holdsUnknown, UNKNOWN } from "../../provider/schema/unknown";
import { sameUnder } from "../../provider/values/compare";
import { matchedPlaces } from "../../provider/values/matching";
import type { Compiler } from "./compiler";

/** An expression without what only says its type, or holds it together. */
function bare(compiler: Compiler, expression: ts.Expression): ts.Expression {
  const isWrapped =
    compiler.isParenthesizedExpression(expression) ||
    compiler.isAsExpression(expression) ||
    compiler.isNonNullExpression(expression) ||
    expression.kind === compiler.SyntaxKind.TypeAssertionExpression ||
    compiler.isSatisfiesExpression?.(expression);
  if (isWrapped) return bare(compiler, (expression as ts.ParenthesizedExpression).expression);
  const [inner, ...more] =
    compiler.isCallExpression(expression) && isUnusual(compiler, expression) ? expression.arguments : [];
  return inner === undefined || more.length > 0 ? expression : bare(compiler, inner);
}

/** True for `fc.unusual(...)`, which gives back what it takes. */
function isUnusual(compiler: Compiler, { expression }: ts.CallExpression): boolean {
  if (compiler.isIdentifier(expression)) return expression.text === "unusual";
  return compiler.isPropertyAccessExpression(expression) && expression.name.text === "unusual";
}

/** An expression of a program, as far as it is a literal. */
export type Literal = {
  readonly whole: ts.Node;
  /** The same without what only says its type, or holds it together. */
  readonly node: ts.Node;
  /** Inside of what takes its value out of the compiler's sight. */
  readonly isAside: boolean;
} & (
  | { readonly how: "object"; readonly members: readonly Member[] }
  | { readonly how: "list"; readonly elements: readonly Literal[] }
  | { readonly how: "scalar"; readonly value: unknown }
  | { readonly how: "computed" | "spread" }
);

/** A member of an object literal; one that is no assignment has a computed value. */
export interface Member {
  readonly node: ts.Node;
  /** Undefined where it is computed, and for a spread. */
  readonly name: string | undefined;
  readonly value: Literal;
}

/** The literal of an expression. */
export function literalIn(compiler: Compiler, expression: ts.Expression): Literal {
  const node = bare(compiler, expression);
  const { parent } = node;
  const isAside = compiler.isCallExpression(parent) || compiler.isAsExpression(parent);
  const at = { whole: expression, node, isAside };
  if (compiler.isSpreadElement(node)) return { ...at, how: "spread" };
  if (compiler.isArrayLiteralExpression(node))
    return { ...at, how: "list", elements: node.elements.map((one) => literalIn(compiler, one)) };
  if (compiler.isObjectLiteralExpression(node))
    return { ...at, how: "object", members: node.properties.map((one) => memberIn(compiler, one)) };
  const scalar = scalarIn(compiler, node);
  return scalar === undefined ? { ...at, how: "computed" } : { ...at, how: "scalar", ...scalar };
}

function memberIn(compiler: Compiler, node: ts.ObjectLiteralElementLike): Member {
  const value: Literal = compiler.isPropertyAssignment(node)
    ? literalIn(compiler, node.initializer)
    : { whole: node, node, isAside: false, how: "computed" };
  return { node, name: memberName(compiler, node), value };
}

/** The value of a scalar literal; undefined for everything else. */
function scalarIn(compiler: Compiler, node: ts.Expression): { readonly value: unknown } | undefined {
  const { SyntaxKind } = compiler;
  if (compiler.isStringLiteral(node) || compiler.isNoSubstitutionTemplateLiteral(node))
    return { value: node.text };
  if (compiler.isNumericLiteral(node)) return { value: Number(node.text) };
  if (node.kind === SyntaxKind.TrueKeyword) return { value: true };
  if (node.kind === SyntaxKind.FalseKeyword) return { value: false };
  if (node.kind === SyntaxKind.NullKeyword) return { value: null };
  if (compiler.isIdentifier(node) && node.text === "undefined") return { value: undefined };
  if (!compiler.isPrefixUnaryExpression(node)) return undefined;
  const { MinusToken, PlusToken } = SyntaxKind;
  const { value } = scalarIn(compiler, bare(compiler, node.operand)) ?? {};
  if (typeof value !== "number") return undefined;
  if (node.operator === MinusToken) return { value: -value };
  return node.operator === PlusToken ? { value } : undefined;
}

/** The name of a member; undefined where it is computed. */
function memberName(compiler: Compiler, member: ts.ObjectLiteralElementLike): string | undefined {
  const { name } = member;
  if (name === undefined) return undefined;
  if (compiler.isIdentifier(name) || compiler.isStringLiteral(name) || compiler.isNumericLiteral(name))
    return name.text;
  const isText = compiler.isComputedPropertyName(name) && compiler.isStringLiteral(name.expression);
  return isText ? name.expression.text : undefined;
}

/** A place of the definition. */
export interface Meant {
  readonly definition: ResourceDefinition;
  /** Such as `rules[].conditions[]`. */
  readonly pattern: string;
  readonly schema: Node;
}

/** The place of a member, or with `[]` that of the elements. */
export function placeIn(
  { definition, pattern, schema }: Meant,
  step: string,
  inner: Node | undefined,
): Meant {
  const isFirst = pattern === "" || step === "[]";
  return {
    ...{ definition, pattern: isFirst ? `${pattern}${step}` : `${pattern}.${step}` },
    // Inside a value that is any JSON, all of it is.
    schema: schema.sameAs === "opaque" ? { sameAs: "opaque" } : (inner ?? {}),
  };
}

/**
 * The value of a literal. What is computed in it counts as what stands at the same place in `known`, or as not known
 * where no place can be told.
 */
export function literalValue(literal: Literal, meant: Meant, known: unknown): unknown {
  if (literal.how === "object") return objectValue(literal.members, meant, known);
  if (literal.how === "list") return listValue(literal.elements, meant, known);
  if (literal.how === "scalar") return literal.value;
  return known === undefined ? UNKNOWN : known;
}

function objectValue(members: readonly Member[], meant: Meant, known: unknown): JsonObject {
  const before = isObject(known) ? known : {};
  const properties = propertiesOf(meant.schema) ?? {};
  const value: JsonObject = {};
  for (const { name, value: inner } of members) {
    if (name === undefined) Object.assign(value, before);
    else value[name] = literalValue(inner, placeIn(meant, name, properties[name]), before[name]);
  }
  return value;
}

function listValue(elements: readonly Literal[], meant: Meant, known: unknown): unknown[] {
  const items = placeIn(meant, "[]", itemsOf(meant.schema));
  const before = Array.isArray(known) ? known : known === undefined ? [] : [known];
  if (elements.some(({ how }) => how === "spread")) return known === undefined ? [UNKNOWN] : before;
  const valueAt = (one: Literal, there: unknown) => literalValue(one, items, there);
  if (meant.schema.unordered === true) return valuesOfSet(elements, valueAt, meant, before);
  const aligned = before.length === elements.length;
  return elements.map((one, index) => valueAt(one, aligned ? before[index] : undefined));
}

/**
 * A set stands in another order in `known` than in the program: an element with something computed in it counts as one of those
 * that are left for it and say the same wherever it is not computed.
 */
function valuesOfSet(
  elements: readonly Literal[],
  valueAt: (one: Literal, there: unknown) => unknown,
  { schema, ...at }: Meant,
  known: readonly unknown[],
): unknown[] {
  const plain = elements.map((one) => valueAt(one, undefined));
  if (!holdsUnknown(plain)) return plain;
  const isSame = (one: unknown, other: unknown) => sameUnder(schema, [one], [other], at);
  const left = known.filter((there) => !plain.some((one) => isSame(one, there)));
  const holed = elements.map((one, index) => (holdsUnknown(plain[index]) ? one : undefined));
  const places = matchedPlaces(holed, left, [
    { same: (one, there) => one !== undefined && isSame(valueAt(one, there), there) },
  ]);
  return plain.map((value, index) => {
    const place = places[index];
    return place === undefined ? value : left[place];
  });
}

/** The first expression inside that is computed; undefined in a literal. */
export function computedIn(literal: Literal): ts.Node | undefined {
  if (literal.how === "list") return literal.elements.map(computedIn).find(Boolean);
  if (literal.how === "object")
    return literal.members
      .map(({ node, name, value }) => (name === undefined ? node : computedIn(value)))
      .find(Boolean);
  return literal.how === "scalar" ? undefined : literal.node;
}
