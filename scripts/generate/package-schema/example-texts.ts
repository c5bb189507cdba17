import { stringify } from "yaml";
import { nativePrefix } from "../../../src/provider/pulumi/stored-names";
import { pascalCase, snakeCase } from "../../../src/provider/texts/argument-names";
import { goProgram } from "../../../src/tools/import/program/go-program";
import { pythonProgram } from "../../../src/tools/import/program/python-program";
import {
  Reference,
  type Typed,
  typedArguments,
  type ValueTypes,
} from "../../../src/tools/import/program/typed-value";
import type { MadeObject } from "../made-objects";

/** The program as text in YAML. */
export function yamlExample(objects: readonly MadeObject[]): string {
  const resources = objects.map((made) => {
    const { kind, name, args, dependsOn } = made;
    const key = keyOf(made);
    const properties = replaced(args, (one, output) => `\${${keyOf(one)}.${output}}`);
    const options = { dependsOn: dependsOn.map((one) => `\${${keyOf(one)}}`) };
    return [
      key,
      {
        type: `${nativePrefix.replace(":index", "")}${kind}`,
        ...(key === name ? {} : { name }),
        properties,
        ...(dependsOn.length === 0 ? {} : { options }),
      },
    ];
  });
  return stringify({ resources: Object.fromEntries(resources) }, { schema: "yaml-1.1", lineWidth: 0 });
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

/** The same value with another in the place of each reference. */
export function replaced(value: unknown, by: (made: MadeObject, output: string) => unknown): unknown {
  if (value instanceof Reference) return by(value.made as MadeObject, value.output);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => replaced(one, by));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, by)]));
}
