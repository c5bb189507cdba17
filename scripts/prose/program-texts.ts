import ts from "typescript";

/** A text that people read, and the line of the program that holds it. */
export interface ProgramText {
  readonly line: number;
  readonly text: string;
}

/** Properties whose text is read however short it is. */
const alwaysRead = new Set(["doc", "why", "because"]);

/** Fewer words are a name, a key or part of a message. */
const fewestWords = 4;

/** The messages, help texts and trait docs of a program. Interpolated values become a word in code type. */
export function programTexts(file: string, source: string): ProgramText[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: ProgramText[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const text = textOf(node);
    if (text === undefined) {
      ts.forEachChild(node, visit);
      return;
    }
    if (isProse(text, node)) {
      const { line } = parsed.getLineAndCharacterOfPosition(node.getStart());
      found.push({ line: line + 1, text: asParagraphs(text) });
    }
    ts.forEachChild(node, (child) => visitValues(child, visit));
  };
  visit(parsed);
  return found;
}

/** Of a text, only what is interpolated can hold texts of its own. */
function visitValues(node: ts.Node, visit: (node: ts.Node) => void): void {
  if (ts.isTemplateSpan(node)) visit(node.expression);
  else if (ts.isBinaryExpression(node) || ts.isTemplateExpression(node))
    ts.forEachChild(node, (child) => visitValues(child, visit));
  else if (textOf(node) === undefined) visit(node);
}

/** The whole text of a literal, a template or a chain of them; undefined for everything else. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `\`x\`${literal.text}`).join("");
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const sides = [textOf(node.left), textOf(node.right)];
  if (sides.every((side) => side === undefined)) return undefined;
  return sides.map((side) => side ?? "`x`").join("");
}

function isProse(text: string, { parent }: ts.Node): boolean {
  if (isCode(text)) return false;
  if (ts.isPropertyAssignment(parent) && alwaysRead.has(parent.name.getText())) return true;
  return text.split(/\s+/).filter((word) => /[a-z]{2}/i.test(word)).length >= fewestWords;
}

/** SQL, scripts of Redis, and scripts and styles of pages. */
function isCode(text: string): boolean {
  return /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|PRAGMA|WITH|BEGIN)\b|[;{}]\s*\n|\blocal [\w, ]+ = /.test(
    text,
  );
}

/** Help texts have columns: an option and its explanation are a paragraph of their own. */
function asParagraphs(text: string): string {
  return text
    .replaceAll(/<\/?[a-z][^<>]*>/g, " ")
    .split("\n")
    .map((line) =>
      line
        .trim()
        .replace(/^(-{1,2}[\w-]+[^a-z]*?) {2,}/, "\n")
        .replaceAll(/ {2,}/g, ". "),
    )
    .join("\n")
    .replaceAll(/\n(?=-|\w+\. )/g, "\n\n");
}
