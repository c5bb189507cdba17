import type * as ts from "typescript";
import type { Position } from "../stack/source-places";
import type { Compiler } from "./compiler";
import type { Job } from "./edits";
import { literalIn } from "./literals";

/** A call of a constructor of this package. */
export interface Call {
  /** The file that it stands in. */
  readonly job: Job;
  readonly node: ts.NewExpression;
  readonly place: Position;
  /** Such as `Gate`. */
  readonly kind: string;
  /** The resource's name; undefined where it is computed. */
  readonly name: string | undefined;
  /** False where the class only is called like a kind, as one may be that comes from here by way of another module. */
  readonly isOurs: boolean;
}

const packageName = "pulumi-feature-console";

/** The beginning of a node. */
export function placeOf(file: ts.SourceFile, node: ts.Node): Position {
  const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file));
  return { file: file.fileName, line: line + 1, column: character + 1 };
}

/** The constructor calls in a file, in their order: those of this package, and those that may be. */
export function callsIn(job: Job): Call[] {
  const { compiler, file } = job;
  const names = namesIn(compiler, file);
  const calls: Call[] = [];
  const visit = (node: ts.Node): void => {
    if (compiler.isNewExpression(node)) {
      const own = kindOf(compiler, node.expression, names);
      const kind = own ?? lastName(compiler, node.expression);
      const [first] = node.arguments ?? [];
      const said = first && literalIn(compiler, first);
      const name = said?.how === "scalar" && typeof said.value === "string" ? said.value : undefined;
      if (kind !== undefined)
        calls.push({ job, node, place: placeOf(file, node), kind, name, isOurs: own !== undefined });
    }
    compiler.forEachChild(node, visit);
  };
  visit(file);
  return calls;
}

type Names = ReturnType<typeof namesIn>;

/** Names by which a file imports this package and its classes. */
function namesIn(compiler: Compiler, file: ts.SourceFile) {
  const whole = new Set<string>();
  /** Kind by the name that the file gives it. */
  const classes = new Map<string, string>();
  const bind = (node: ts.BindingName | ts.NamedImports | undefined) => {
    if (node === undefined) return;
    if (compiler.isIdentifier(node)) whole.add(node.text);
    else if (compiler.isObjectBindingPattern(node) || compiler.isNamedImports(node))
      for (const { propertyName: its, name: own } of node.elements)
        if (compiler.isIdentifier(own))
          classes.set(own.text, its !== undefined && compiler.isIdentifier(its) ? its.text : own.text);
  };
  for (const statement of file.statements) {
    if (compiler.isImportDeclaration(statement) && isPackage(compiler, statement.moduleSpecifier)) {
      const { name, namedBindings: more } = statement.importClause ?? {};
      bind(name);
      bind(more !== undefined && compiler.isNamespaceImport(more) ? more.name : more);
    }
    if (
      compiler.isImportEqualsDeclaration(statement) &&
      compiler.isExternalModuleReference(statement.moduleReference) &&
      isPackage(compiler, statement.moduleReference.expression)
    )
      bind(statement.name);
    if (compiler.isVariableStatement(statement))
      for (const { name, initializer } of statement.declarationList.declarations)
        if (initializer !== undefined && isRequire(compiler, initializer)) bind(name);
  }
  return { whole, classes };
}

/** The name under which a file has the function `unusual`; undefined where it does not import it. */
export function unusualIn(compiler: Compiler, file: ts.SourceFile): string | undefined {
  const { whole, classes } = namesIn(compiler, file);
  const [own] = [...classes].find(([, name]) => name === "unusual") ?? [];
  const [all] = whole;
  return own ?? (all === undefined ? undefined : `${all}.unusual`);
}

function isPackage(compiler: Compiler, node: ts.Node | undefined): boolean {
  return node !== undefined && compiler.isStringLiteral(node) && node.text === packageName;
}

function isRequire(compiler: Compiler, node: ts.Expression): boolean {
  return (
    compiler.isCallExpression(node) &&
    compiler.isIdentifier(node.expression) &&
    node.expression.text === "require" &&
    isPackage(compiler, node.arguments[0])
  );
}

/** `Gate` of `Gate` and of `anything.Gate`. */
function lastName(compiler: Compiler, callee: ts.Expression): string | undefined {
  if (compiler.isIdentifier(callee)) return callee.text;
  return compiler.isPropertyAccessExpression(callee) ? callee.name.text : undefined;
}

function kindOf(compiler: Compiler, callee: ts.Expression, { whole, classes }: Names): string | undefined {
  if (compiler.isIdentifier(callee)) return classes.get(callee.text);
  const isMember = compiler.isPropertyAccessExpression(callee) && compiler.isIdentifier(callee.expression);
  return isMember && whole.has(callee.expression.text) ? callee.name.text : undefined;
}
