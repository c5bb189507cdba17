import { isObject } from "../../../provider/schema/json";
import { type Edit, edited } from "../../rewrite/edits";
import { formattedCode, importCode, type SyntaxNode, syntaxOf } from "./format";
import type { Named } from "./names";
import type { ImportStatement } from "./program";

/** An import of a file, and where it stands. */
interface Import extends ImportStatement {
  readonly start: number;
  readonly end: number;
  /** A name can be added to those in its braces. */
  readonly isOpen: boolean;
}

/** A file of TypeScript, for additions. */
export type SourceFile = NonNullable<ReturnType<typeof sourceFile>>;

/** Reads a file; undefined where it is no TypeScript. */
export function sourceFile(text: string) {
  const tree = syntaxOf(text);
  if (tree === undefined) return undefined;
  /** Every name in its code. */
  const identifiers = new Set<string>();
  /** Every text in its code that may lead to a file beside it. */
  const paths: string[] = [];
  /** The resources that it makes. */
  const resources: Named[] = [];
  for (const node of nodesIn(tree)) {
    const { type, name, value } = node;
    if (type === "Identifier") identifiers.add(String(name));
    if (type === "Literal" && typeof value === "string" && /^\.\.?\//.test(value)) paths.push(value);
    if (type === "NewExpression") resources.push(...madeBy(node));
  }
  const imports = listIn(tree.body).flatMap((node) => importOf(text, node));
  return { text, imports, identifiers, paths, resources };
}

function* nodesIn(value: unknown): Generator<SyntaxNode> {
  if (Array.isArray(value)) for (const one of value) yield* nodesIn(one);
  if (!isObject(value)) return;
  if (isNode(value)) yield value;
  for (const member of Object.values(value)) yield* nodesIn(member);
}

function isNode(value: unknown): value is SyntaxNode {
  return isObject(value) && typeof value.type === "string" && Array.isArray(value.range);
}

function listIn(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function madeBy({ callee, arguments: given }: SyntaxNode): Named[] {
  const made = isNode(callee) && callee.type === "MemberExpression" ? callee.property : callee;
  const [first] = listIn(given);
  const name = textOf(first);
  return isNode(made) && name !== undefined ? [{ kind: String(made.name), name }] : [];
}

function textOf(node: SyntaxNode | undefined): string | undefined {
  if (typeof node?.value === "string") return node.value;
  const [only, ...more] = listIn(node?.quasis);
  if (node?.type !== "TemplateLiteral" || more.length > 0) return undefined;
  return isObject(only?.value) ? String(only.value.cooked) : undefined;
}

function importOf(text: string, node: SyntaxNode): Import[] {
  if (node.type !== "ImportDeclaration" || node.importKind === "type" || !isNode(node.source)) return [];
  const [start, end] = node.range;
  const specifiers = listIn(node.specifiers);
  const whole = specifiers.find(({ type }) => type === "ImportNamespaceSpecifier")?.local;
  const hasOnlyNames = specifiers.every(({ type }) => type === "ImportSpecifier");
  return [
    {
      ...{ source: String(node.source.value), start, end },
      names: specifiers.map(({ range }) => text.slice(...range)),
      isOpen: specifiers.length > 0 && hasOnlyNames && !/\/[/*]/.test(text.slice(start, end)),
      ...(isNode(whole) ? { all: String(whole.name) } : {}),
    },
  ];
}

/**
 * The text of a file with more at its end, and what that needs at its beginning. Nothing else is touched. `parts`: formatted.
 */
export async function appended(
  { text, imports }: SourceFile,
  needed: readonly ImportStatement[],
  parts: readonly string[],
): Promise<string> {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const native = (part: string): string => part.replaceAll("\n", newline);
  const edits: Edit[] = [];
  const fresh: string[] = [];
  for (const one of needed) {
    const same = imports.filter(({ source }) => withoutExtension(source) === withoutExtension(one.source));
    const names = (one.names ?? []).filter((name) => !same.some((other) => other.names?.includes(name)));
    const isThere =
      one.all === undefined ? names.length === 0 && same.length > 0 : same.some(({ all }) => all === one.all);
    if (isThere) continue;
    const open = one.all === undefined ? same.find(({ isOpen }) => isOpen) : undefined;
    if (open === undefined) {
      fresh.push(await statementText({ ...one, names }));
      continue;
    }
    const { source, start, end, names: own = [] } = open;
    edits.push({ start, end, text: native(await statementText({ source, names: [...own, ...names] })) });
  }
  const last = imports.at(-1)?.end ?? 0;
  const lines = fresh.join("\n");
  if (lines !== "")
    edits.push({ start: last, end: last, text: native(last === 0 ? `${lines}\n\n` : `\n${lines}`) });
  const whole = edited(text, edits);
  return parts.length === 0 ? whole : `${whole.trimEnd()}${native(`\n\n${parts.join("\n")}`)}`;
}

async function statementText(statement: ImportStatement): Promise<string> {
  return (await formattedCode(importCode(statement))).trimEnd();
}

/** The path of a file as one may load it, without what some write at its end. */
export function withoutExtension(source: string): string {
  return source.replace(/\.[cm]?[jt]s$/, "");
}
