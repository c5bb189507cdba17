import { pascalCase, snakeCase } from "../../../src/provider/texts/argument-names";
import { goProgram } from "../../../src/tools/import/program/go-program";
import { pythonProgram } from "../../../src/tools/import/program/python-program";
import { type Typed, typedArguments, type ValueTypes } from "../../../src/tools/import/program/typed-value";
import { yamlText } from "../../../src/tools/import/program/yaml-program";
import type { MadeObject } from "../made-objects";

/** The program as text in YAML. */
export function yamlExample(objects: readonly MadeObject[]): string {
  return yamlText(objects, (one) => keyOf(one as MadeObject)).trimEnd();
}

/** The program as text in Python. `schema`: tells members, which have Python's names, from keys of the program. */
export function pythonExample(objects: readonly MadeObject[], schema: ValueTypes): string {
  return pythonProgram(objects, schema, (one) => snakeCase(variableOf(one as MadeObject))).trimEnd();
}

/** The program as text in Go. `schema`: tells the type of each value. */
export function goExample(objects: readonly MadeObject[], schema: ValueTypes): string {
  return goProgram(objects, schema, (one) => variableOf(one as MadeObject)).trimEnd();
}

/** The name of a resource where YAML can refer to it, otherwise a variable's. */
function keyOf(made: MadeObject): string {
  return /^[A-Za-z_][\w-]*$/.test(made.calledHere) ? made.calledHere : variableOf(made);
}

/** `Search holdout` becomes `searchHoldout`. */
function variableOf({ calledHere }: MadeObject): string {
  const [first = "", ...others] = calledHere.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return first.charAt(0).toLowerCase() + first.slice(1) + others.map(pascalCase).join("");
}

/** The same arguments with a list wherever the schema has one: TypeScript also takes its only element. */
export function withLists(args: MadeObject["args"], kind: string, schema: ValueTypes): MadeObject["args"] {
  return Object.fromEntries(typedArguments({ kind, args }, schema).map(([name, one]) => [name, plain(one)]));
}

function plain({ value, sort, inner }: Typed): unknown {
  if (sort === "array") return inner.map(([, one]) => plain(one));
  return inner.length === 0 ? value : Object.fromEntries(inner.map(([name, one]) => [name, plain(one)]));
}
