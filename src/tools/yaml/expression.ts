import { isAlias, isMap, isScalar, isSeq, type LineCounter, type Node, type Pair } from "yaml";
import type { Path } from "../../provider/schema/path";
import { type Part, partsOf } from "./reference";

/** A value of a program in YAML as it is written. `place`: where its line begins to speak of it, `Pulumi.yaml:14:9`. */
export type Expression =
  | { readonly is: "literal"; readonly place: string; readonly value: number | boolean | null }
  | { readonly is: "text"; readonly place: string; readonly parts: readonly Part[] }
  | { readonly is: "list"; readonly place: string; readonly items: readonly Expression[] }
  | { readonly is: "object"; readonly place: string; readonly members: Members }
  | { readonly is: "call"; readonly place: string; readonly name: string; readonly argument: Expression };

/** The members of an object, in their order. */
export type Members = ReadonlyMap<string, Expression>;

/** Something wrong in a program in YAML; its message begins with the place. */
export class YamlProblem extends Error {
  constructor(place: string, text: string) {
    super(`${place}: ${text}`);
    // The stack would lead into this package, and not into the program.
    this.stack = this.message;
  }
}

/** The name of a file for places, and its lines. */
export interface Lines {
  readonly file: string;
  readonly counter: LineCounter;
}

/** `Pulumi.yaml:14:9`, by the offset in the file. */
export function placeAt({ file, counter }: Lines, offset: number): string {
  const { line, col } = counter.linePos(offset);
  return `${file}:${line}:${col}`;
}

/** The expression of a node. `place`: of its key. @throws YamlProblem for what Pulumi does not read. */
export function expressionOf(lines: Lines, node: unknown, place = placeOf(lines, node)): Expression {
  if (isMap(node)) return objectOf(lines, node.items as readonly Pair[], place);
  if (isSeq(node)) return { is: "list", place, items: node.items.map((one) => expressionOf(lines, one)) };
  if (isAlias(node)) throw new YamlProblem(place, `Pulumi reads no aliases such as *${node.source}`);
  const value: unknown = isScalar(node) ? node.value : null;
  if (typeof value === "string") return { is: "text", place, parts: readParts(place, value) };
  if (value === null || typeof value === "number" || typeof value === "boolean")
    return { is: "literal", place, value };
  throw new YamlProblem(place, `Pulumi reads no value such as ${String(value)}`);
}

function placeOf(lines: Lines, node: unknown): string {
  return placeAt(lines, (node as Node | null)?.range?.[0] ?? 0);
}

function objectOf(lines: Lines, pairs: readonly Pair[], place: string): Expression {
  const members = new Map(
    pairs.map(({ key, value }) => {
      const keyPlace = placeOf(lines, key);
      return [nameOf(key, keyPlace), expressionOf(lines, value, keyPlace)] as const;
    }),
  );
  const [call, ...others] = [...members].filter(([name]) => /^fn::/i.test(name));
  if (call === undefined) return { is: "object", place, members };
  const [name, argument] = call;
  if (others.length > 0 || members.size > 1)
    throw new YamlProblem(
      argument.place,
      `${name} stands beside other members; a call of a function is alone`,
    );
  return { is: "call", place: argument.place, name, argument };
}

function nameOf(key: unknown, place: string): string {
  const name = isScalar(key) ? key.value : undefined;
  if (typeof name !== "string")
    throw new YamlProblem(place, "the name of a member is a text: put it into quotes");
  const parts = readParts(place, name);
  if (parts.every((part) => typeof part === "string")) return parts.join("");
  throw new YamlProblem(place, "the name of a member holds no reference");
}

function readParts(place: string, text: string): readonly Part[] {
  try {
    return partsOf(text);
  } catch (error) {
    throw new YamlProblem(place, (error as Error).message);
  }
}

/** The place of the value at a path, or of the nearest one around it. */
export function placeIn(expression: Expression, [step, ...rest]: Path): string {
  const inner =
    expression.is === "object"
      ? expression.members.get(String(step))
      : expression.is === "list"
        ? expression.items[Number(step)]
        : undefined;
  return inner === undefined ? expression.place : placeIn(inner, rest);
}
