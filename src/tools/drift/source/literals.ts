import type * as ts from "typescript";
import type { ResourceDefinition } from "../../../provider/schema/define";
import { isObject, type JsonObject } from "../../../provider/schema/json";
import { itemsOf, type Node, propertiesOf } from "../../../provider/schema/tree";
import { holdsUnknown, UNKNOWN } from "../../../provider/schema/unknown";
import { sameUnder } from "../../../provider/values/compare";
import { matchedPlaces } from "../../../provider/values/matching";
import type { Compiler } from "./compiler";

/** An expression without what only says its type, or holds it together. */
export function bare(compiler: Compiler, expression: ts.Expression): ts.Expression {
  let inner = expression;
  for (;;) {
    const [unusual, ...more] =
      compiler.isCallExpression(inner) && isUnusual(compiler, inner) ? inner.arguments : [];
    if (unusual !== undefined && more.length === 0) {
      inner = unusual;
      continue;
    }
    const isWrapped =
      compiler.isParenthesizedExpression(inner) ||
      compiler.isAsExpression(inner) ||
      compiler.isNonNullExpression(inner) ||
      inner.kind === compiler.SyntaxKind.TypeAssertionExpression ||
      compiler.isSatisfiesExpression?.(inner);
    if (!isWrapped) return inner;
    inner = (inner as ts.ParenthesizedExpression).expression;
  }
}

/** True for `fc.unusual(...)`, which gives back what it takes. */
function isUnusual(compiler: Compiler, { expression }: ts.CallExpression): boolean {
  if (compiler.isIdentifier(expression)) return expression.text === "unusual";
  return compiler.isPropertyAccessExpression(expression) && expression.name.text === "unusual";
}

/** True for the word `undefined`. */
export function isUndefined(compiler: Compiler, node: ts.Node): boolean {
  return compiler.isIdentifier(node) && node.text === "undefined";
}

/** Placeholder of a computed value. */
const computed: unique symbol = Symbol("computed");

/** The value of a scalar literal; `computed` for everything else. */
export function scalarValue(compiler: Compiler, expression: ts.Expression): unknown {
  const node = bare(compiler, expression);
  const { SyntaxKind } = compiler;
  if (compiler.isStringLiteral(node) || compiler.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (compiler.isNumericLiteral(node)) return Number(node.text);
  if (node.kind === SyntaxKind.TrueKeyword) return true;
  if (node.kind === SyntaxKind.FalseKeyword) return false;
  if (node.kind === SyntaxKind.NullKeyword) return null;
  if (isUndefined(compiler, node)) return undefined;
  if (compiler.isPrefixUnaryExpression(node)) {
    const { MinusToken, PlusToken } = SyntaxKind;
    const sign = node.operator === MinusToken ? -1 : node.operator === PlusToken ? 1 : undefined;
    const value = scalarValue(compiler, node.operand);
    return typeof value === "number" && sign !== undefined ? sign * value : computed;
  }
  return computed;
}

/** The name of a member; undefined where it is computed. */
export function memberName(compiler: Compiler, member: ts.ObjectLiteralElementLike): string | undefined {
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

/**
 * The value of an expression. What is computed in it counts as what stands at the same place in `known`, or as not known
 * where no place can be told.
 */
export function literalValue(
  compiler: Compiler,
  expression: ts.Expression,
  meant: Meant,
  known: unknown,
): unknown {
  const node = bare(compiler, expression);
  if (compiler.isObjectLiteralExpression(node)) return objectValue(compiler, node, meant, known);
  if (compiler.isArrayLiteralExpression(node)) return listValue(compiler, node, meant, known);
  const value = scalarValue(compiler, node);
  if (value !== computed) return value;
  return known === undefined ? UNKNOWN : known;
}

function objectValue(
  compiler: Compiler,
  node: ts.ObjectLiteralExpression,
  { definition, pattern, schema }: Meant,
  known: unknown,
): JsonObject {
  const before = isObject(known) ? known : {};
  const properties = propertiesOf(schema) ?? {};
  const value: JsonObject = {};
  for (const member of node.properties) {
    const name = memberName(compiler, member);
    if (name === undefined) Object.assign(value, before);
    else if (compiler.isPropertyAssignment(member)) {
      const inner = {
        definition,
        pattern: `${pattern}.${name}`,
        schema: insideOf(schema, properties[name]),
      };
      value[name] = literalValue(compiler, member.initializer, inner, before[name]);
    } else value[name] = before[name] ?? UNKNOWN;
  }
  return value;
}

function listValue(
  compiler: Compiler,
  { elements }: ts.ArrayLiteralExpression,
  meant: Meant,
  known: unknown,
): unknown[] {
  const { definition, pattern, schema } = meant;
  const items = { definition, pattern: `${pattern}[]`, schema: insideOf(schema, itemsOf(schema)) };
  const before = Array.isArray(known) ? known : known === undefined ? [] : [known];
  if (elements.some((one) => compiler.isSpreadElement(one))) return known === undefined ? [UNKNOWN] : before;
  const valueAt = (one: ts.Expression, there: unknown) => literalValue(compiler, one, items, there);
  if (schema.unordered === true) return valuesOfSet(elements, valueAt, meant, before);
  const aligned = before.length === elements.length;
  return elements.map((one, index) => valueAt(one, aligned ? before[index] : undefined));
}

/**
 * A set stands in another order in `known` than in the program: an element with something computed in it counts as one of those
 * that are left for it and say the same wherever it is not computed.
 */
function valuesOfSet(
  elements: readonly ts.Expression[],
  valueAt: (one: ts.Expression, there: unknown) => unknown,
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

/** The schema inside a place; inside a value that is any JSON, all of it is. */
export function insideOf(schema: Node, inner: Node | undefined): Node {
  return schema.sameAs === "opaque" ? { sameAs: "opaque" } : (inner ?? {});
}

/** The first expression inside that is computed; undefined in a literal. */
export function computedIn(compiler: Compiler, expression: ts.Expression): ts.Node | undefined {
  const node = bare(compiler, expression);
  if (compiler.isArrayLiteralExpression(node))
    return node.elements
      .map((one) => (compiler.isSpreadElement(one) ? one : computedIn(compiler, one)))
      .find(Boolean);
  if (compiler.isObjectLiteralExpression(node))
    return node.properties
      .map((one) => {
        if (!compiler.isPropertyAssignment(one)) return one;
        return memberName(compiler, one) === undefined ? one.name : computedIn(compiler, one.initializer);
      })
      .find(Boolean);
  return scalarValue(compiler, node) === computed ? node : undefined;
}
