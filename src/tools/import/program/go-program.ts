import { pascalCase } from "../../../provider/texts/argument-names";
import { lineText, quotedText, readableText } from "./code-text";
import { around, bracketed, type Laid, laidOut } from "./layout";
import { unusedName } from "./names";
import {
  IdsInFile,
  type Made,
  Reference,
  type Type,
  type Typed,
  typedArguments,
  type ValueTypes,
} from "./typed-value";

/** Resources as a program in Go; with one that is there, as a function of its own, which that program calls first. */
export function goProgram(
  objects: readonly Made[],
  schema: ValueTypes,
  variable: (one: Made) => string,
  before?: string,
): string {
  const own = packageImport(schema);
  if (before === undefined) {
    const imports = ['"github.com/pulumi/pulumi/sdk/v3/go/pulumi"', ...(objects.length === 0 ? [] : [own])];
    const head = `package main\n\nimport (\n\t${imports.join("\n\t")}\n)\n\nfunc main() { pulumi.Run(program) }\n\n`;
    return `${head}${goFunction("program", objects, schema, variable)}`;
  }
  const functions = [...before.matchAll(/^.*func[^\n]*\((\w+) \*pulumi\.Context\) error \{\n/gm)];
  const [opening, ...others] = functions.filter(([text]) => !/func imported\d*\(/.test(text));
  if (opening === undefined || others.length > 0)
    throw new Error(
      `main.go has ${opening === undefined ? "no function" : "several functions"} of a *pulumi.Context: nothing was written. Import into a folder of its own with --out`,
    );
  const name = unusedName("imported", new Set(), (one) => before.includes(`${one}(`), "");
  const end = opening.index + opening[0].length;
  const call = `\tif err := ${name}(${opening[1]}); err != nil {\n\t\treturn err\n\t}\n`;
  const head = before.slice(0, end);
  const named = before.includes(own)
    ? head
    : head.replace(/^package main\n/m, (line) => `${line}\nimport ${own}\n`);
  return `${named}${call}${before.slice(end).trimEnd()}\n\n${goFunction(name, objects, schema, variable)}`;
}

const packageImport = ({ language }: ValueTypes): string =>
  `fc ${quotedText((language.go as { importBasePath: string }).importBasePath)}`;

function goFunction(
  name: string,
  objects: readonly Made[],
  schema: ValueTypes,
  variable: (one: Made) => string,
): string {
  const used = new Set(objects.flatMap((one) => [...one.dependsOn, ...referencesIn(one.args)]));
  const statements = objects.map((one) => {
    const { kind, dependsOn, remarks = [] } = one;
    const args = bracketed(`&fc.${kind}Args{`, membersCode(typedArguments(one, schema), variable), "}");
    const all = dependsOn.map((other) => variable(other)).join(", ");
    const options = all === "" ? "" : `, pulumi.DependsOn([]pulumi.Resource{${all}})`;
    const call = around(`fc.New${kind}(ctx, ${quotedText(one.name)}, `, args, `${options})`);
    const isUsed = used.has(one);
    const code = isUsed
      ? around(`${variable(one)}, err := `, call)
      : around("if _, err := ", call, "; err != nil {");
    const lines = [...remarks.map((remark) => `// ${lineText(remark)}`), laidOut(code, "\t", "\t")];
    return [...lines, ...(isUsed ? ["if err != nil {"] : []), "\treturn err", "}"]
      .map((line) => `\t${line}\n`)
      .join("");
  });
  return `func ${name}(ctx *pulumi.Context) error {\n${statements.join("")}\treturn nil\n}\n`;
}

function membersCode(members: Typed["inner"], variable: (one: Made) => string): Laid[] {
  return members.map(([name, one]) => around(`${pascalCase(name)}: `, valueCode(one, variable)));
}

function valueCode(one: Typed, variable: (one: Made) => string): Laid {
  const { value, sort, wanted, name, inner } = one;
  if (value instanceof Reference)
    return `${variable(value.made)}.${value.output === "id" ? "ID()" : pascalCase(value.output)}`;
  if (value instanceof IdsInFile) return `pulumi.NewFileAsset(${quotedText(value.file)})`;
  if (name !== undefined) return bracketed(`fc.${name}Args{`, membersCode(inner, variable), "}");
  const parts = inner.map(([, member]) => valueCode(member, variable));
  if (sort === "array") return bracketed(`${typeName(wanted.elements)}Array{`, parts, "}");
  if (sort === "object") {
    const members = parts.map((part, at) => around(`${quotedText(inner[at]?.[0] ?? "")}: `, part));
    return bracketed(`${typeName(wanted.elements)}Map{`, members, "}");
  }
  if (typeof value === "string")
    return `pulumi.String(${readableText(value, (text) => (text.includes("`") ? undefined : `\`${text}\``))})`;
  if (value === null) return "nil";
  return `pulumi.${scalars[wanted.sort === "integer" ? "integer" : typeof value]}(${JSON.stringify(value)})`;
}

const scalars: Readonly<Record<string, string>> = {
  ...{ string: "String", boolean: "Bool", number: "Float64", integer: "Int" },
};

/** The name of a type in Go, to which `Array` and `Map` are appended; that of any value is empty. */
function typeName({ sort, name, elements = { sort: "any" } }: Type = { sort: "any" }): string {
  if (sort === "array") return `${typeName(elements)}Array`;
  if (sort === "object") return `${typeName(elements)}Map`;
  if (name !== undefined) return `fc.${name}`;
  return `pulumi.${scalars[sort] ?? ""}`;
}

function referencesIn(value: unknown): unknown[] {
  if (value instanceof Reference) return [value.made];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(referencesIn) : [];
}
