import { globSync } from "node:fs";
import { kebab } from "../generate/names";
import { type Inventory, operationModels } from "../generate/operations";
import { repositoryRoot } from "../pulumi-cli/environment";

/** A request that a test made, by kind and route. */
export interface Recorded {
  readonly kind: string;
  readonly route: string;
  readonly test: string;
}

/** A specified operation: what it is, who uses it, and a test that made the request. */
export interface OperationRow {
  readonly op: number;
  readonly request: string;
  readonly users: string;
  readonly code: string;
  readonly test: string | undefined;
}

/** How many operations the specification numbers. */
const specified = 20;

/** The specified operations in their order, with the first test that made each; one that no kind has stands empty. */
export function operationRows(inventory: Inventory, recorded: readonly Recorded[]): OperationRow[] {
  const models = operationModels(inventory);
  return Array.from({ length: specified }, (_, index): OperationRow => {
    const op = index + 1;
    const model = models.find((one) => one.op === op);
    if (model === undefined) return { op, request: "", users: "", code: "", test: undefined };
    const { definition, routeName, request, users } = model;
    const made = recorded.find(({ kind, route }) => kind === definition.name && route === routeName);
    const code = `${definitionFile(definition.kind)} ${routeName}`;
    return { op, request, users: users.join(", "), code, test: made?.test };
  });
}

/** The file that declares a kind, from the root of the repository. */
function definitionFile(kind: string): string {
  const [file = ""] = globSync(`src/provider/definitions/**/${kebab(kind)}.ts`, { cwd: repositoryRoot });
  return file.replaceAll("\\", "/");
}

/** The table, aligned. */
export function operationsTable(rows: readonly OperationRow[]): string {
  const cells = rows.map(({ op, request, users, code, test }) => [
    String(op),
    request,
    users,
    code,
    test ?? "NONE",
  ]);
  const all = [["#", "request", "used by", "code", "test"], ...cells];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((line) => line[column]?.length ?? 0)));
  const line = (one: string[]) => one.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return all.map((one) => line(one).trimEnd()).join("\n");
}
