import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

/** Programs of `examples`, those that show most of a kind first. */
const firstOfAll = [
  "getting-started",
  "delivery",
  "experiments",
  "metrics",
  "project",
  "people-and-settings",
];

/** One statement of a program, with the names that it declares and those that it uses. */
interface Statement {
  readonly text: string;
  readonly declares: readonly string[];
  readonly uses: ReadonlySet<string>;
  /** Kinds that it makes objects of. */
  readonly makes: readonly string[];
}

/**
 * Kind -> a program that makes an object of it as a team would, with all that the object refers to. Cut out of the programs of
 * `examples`, which tests run. Kinds that none of them makes are not in it.
 */
export function typicalExamples(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const statements of programsIn(folder).map(statementsOf)) {
    for (const [index, { makes }] of statements.entries()) {
      for (const kind of makes) if (!found.has(kind)) found.set(kind, programOf(statements, index));
    }
  }
  return found;
}

function programsIn(folder: string): string[] {
  const others = readdirSync(folder).filter((name) => !firstOfAll.includes(name));
  return [...firstOfAll, ...others.sort()]
    .map((name) => path.join(folder, name, "index.ts"))
    .filter(existsSync);
}

function statementsOf(file: string): Statement[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  return source.statements.map((node) => {
    const uses = new Set<string>();
    const makes: string[] = [];
    const visit = (inner: ts.Node): void => {
      if (ts.isIdentifier(inner)) uses.add(inner.text);
      if (ts.isNewExpression(inner) && ts.isPropertyAccessExpression(inner.expression))
        makes.push(inner.expression.name.text);
      ts.forEachChild(inner, visit);
    };
    visit(node);
    return { text: node.getFullText(source).trim(), declares: declaredBy(node), uses, makes };
  });
}

function declaredBy(node: ts.Statement): string[] {
  if (!ts.isVariableStatement(node)) return [];
  return node.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
}

/** The statement with those before it that declare what it uses, and what these use. */
function programOf(statements: readonly Statement[], index: number): string {
  const needed = new Set([index]);
  for (let at = index; at >= 0; at--) {
    if (!needed.has(at)) continue;
    for (let before = 0; before < at; before++) {
      const declares = statements[before]?.declares ?? [];
      if (declares.some((name) => statements[at]?.uses.has(name))) needed.add(before);
    }
  }
  const texts = [...needed].sort((a, b) => a - b).map((at) => statements[at]?.text ?? "");
  return ['import * as fc from "pulumi-feature-console";', ...texts].join("\n\n");
}
