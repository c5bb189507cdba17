import { pythonValue, snakeCase } from "../../../provider/texts/argument-names";
import { lineText, quotedText, readableText } from "./code-text";
import { around, bracketed, type Laid, laidOut } from "./layout";
import {
  hasType,
  IdsInFile,
  type Made,
  Reference,
  type Typed,
  typedArguments,
  type ValueTypes,
} from "./typed-value";

/** Modules that code needs, each with its line. */
const modules: readonly (readonly [use: RegExp, line: string])[] = [
  [/\bcast\(/, "from typing import Any, cast"],
  [/\bpulumi\./, "import pulumi"],
  [/\bfc\./, "import pulumi_feature_console as fc"],
];

/** Resources as a program in Python, after what it has before. */
export function pythonProgram(
  objects: readonly Made[],
  schema: ValueTypes,
  variable: (one: Made) => string,
  before = "",
): string {
  const has = new Set(before.split(/\r?\n/));
  const code = objects.map((one) => statement(one, schema, variable)).join("\n");
  const lines = modules.flatMap(([use, line]) => (use.test(code) && !has.has(line) ? [line] : []));
  const own = [...(lines.length === 0 ? [] : [`${lines.join("\n")}\n`]), code].join("\n");
  return before === "" ? own : `${before.trimEnd()}\n\n${own}`;
}

function statement(one: Made, schema: ValueTypes, variable: (one: Made) => string): string {
  const { kind, name, dependsOn, remarks = [] } = one;
  const all = dependsOn.map((other) => variable(other)).join(", ");
  const args = typedArguments(one, schema).map(([member, value]) =>
    around(`${snakeCase(member)}=`, valueCode(value, variable)),
  );
  const options = all === "" ? [] : [`opts=pulumi.ResourceOptions(depends_on=[${all}])`];
  const call = bracketed(`${variable(one)} = fc.${kind}(`, [quotedText(name), ...args, ...options], ")");
  return [...remarks.map((remark) => `# ${lineText(remark)}`), laidOut(call, "    "), ""].join("\n");
}

function valueCode(one: Typed, variable: (one: Made) => string): Laid {
  const code = plainCode(one, variable);
  // The types of the package do not offer this value.
  return hasType(one) ? code : around("cast(Any, ", code, ")");
}

function plainCode({ value, sort, name, inner }: Typed, variable: (one: Made) => string): Laid {
  if (value instanceof Reference) return `${variable(value.made)}.${snakeCase(value.output)}`;
  if (value instanceof IdsInFile) return `pulumi.FileAsset(${quotedText(value.file)})`;
  const parts = inner.map(([, member]) => valueCode(member, variable));
  if (sort === "array") return bracketed("[", parts, "]");
  const labels = inner.map(([label]) =>
    name === undefined ? `${quotedText(label)}: ` : `${snakeCase(label)}=`,
  );
  const members = parts.map((part, at) => around(labels[at] ?? "", part));
  if (name !== undefined) return bracketed(`fc.${name}Args(`, members, ")");
  if (sort === "object") return bracketed("{", members, "}");
  if (typeof value === "string")
    return readableText(
      value,
      (text) => `"""${text.replaceAll("\\", "\\\\").replace(/"(?="|$)/g, '\\"')}"""`,
    );
  return pythonValue(value);
}
