import { stringify } from "yaml";
import { nativePrefix } from "../../../src/provider/pulumi/stored-names";
import { type MadeObject, Reference } from "../made-objects";
import { pascal, snakeCase } from "../names";
import type { ObjectSpec, PackageSpec, TypeSpec } from "./spec";

/** A schema, as far as it tells what a value is in each language. */
export type ValueTypes = Pick<PackageSpec, "types" | "resources" | "language">;

const width = 90;

/** The program as text in YAML. */
export function yamlExample(objects: readonly MadeObject[]): string {
  const resources = objects.map((made) => {
    const { kind, name, args, dependsOn } = made;
    const key = keyOf(made);
    const properties = replaced(args, (one) => `\${${keyOf(one.made)}.${one.output}}`);
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
  const withOptions = objects.some(({ dependsOn }) => dependsOn.length > 0);
  const lines = objects.map((made) => {
    const { kind, name, args, dependsOn } = made;
    const { inputProperties } = schemaOf(schema, kind);
    const given = Object.entries(args).map(
      ([member, value]): Part =>
        (indent) =>
          `${snakeCase(member)}=${pythonValue(value, inputProperties[member] ?? {}, schema, indent)}`,
    );
    const all = dependsOn.map((one) => snakeCase(variableOf(one))).join(", ");
    const options = `opts=pulumi.ResourceOptions(depends_on=[${all}])`;
    const parts: Part[] = [() => text(name), ...given, ...(all === "" ? [] : [() => options])];
    return `${snakeCase(variableOf(made))} = fc.${kind}${laid("(", parts, ")", "", "    ")}`;
  });
  return [
    ...(withOptions ? ["import pulumi"] : []),
    "import pulumi_feature_console as fc",
    "",
    ...lines,
  ].join("\n");
}

/** The program as text in Go. `schema`: tells the type of each value. */
export function goExample(objects: readonly MadeObject[], schema: ValueTypes): string {
  const { importBasePath } = schema.language.go as { importBasePath: string };
  const used = new Set(objects.flatMap((one) => [...one.dependsOn, ...referencesIn(one.args)]));
  const statements = objects.map((made, at) => {
    const { kind, name, args, dependsOn } = made;
    const { inputProperties } = schemaOf(schema, kind);
    const members = goMembers(args, inputProperties, schema, "\t\t");
    const all = dependsOn.map((one) => variableOf(one)).join(", ");
    const options = all === "" ? "" : `, pulumi.DependsOn([]pulumi.Resource{${all}})`;
    const variable = used.has(made) ? variableOf(made) : "_";
    const declares = used.has(made) || at === 0 ? ":=" : "=";
    const call = `fc.New${kind}(ctx, ${text(name)}, &fc.${kind}Args${members}${options})`;
    const check = at === objects.length - 1 ? "return err" : "if err != nil {\n\t\t\treturn err\n\t\t}";
    return `\t\t${variable}, err ${declares} ${call}\n\t\t${check}\n`;
  });
  return `package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	fc ${text(importBasePath)}
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
${statements.join("")}	})
}`;
}

/** The text of a part of a list, at an indentation. */
type Part = (indent: string) => string;

/** A list on one line where it fits, otherwise each part on its own. */
function laid(open: string, parts: readonly Part[], close: string, indent: string, step: string): string {
  const flat = `${open}${parts.map((part) => part(indent)).join(", ")}${close}`;
  if (parts.length === 0 || (!flat.includes("\n") && indent.length + flat.length <= width)) return flat;
  const inner = indent + step;
  return `${open}\n${parts.map((part) => `${inner}${part(inner)},\n`).join("")}${indent}${close}`;
}

function pythonValue(value: unknown, spec: TypeSpec, schema: ValueTypes, indent: string): string {
  if (value instanceof Reference) return `${snakeCase(variableOf(value.made))}.${snakeCase(value.output)}`;
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) {
    const parts = value.map(
      (one): Part =>
        (inner) =>
          pythonValue(one, spec.items ?? {}, schema, inner),
    );
    return laid("[", parts, "]", indent, "    ");
  }
  if (typeof value !== "object") return text(value);
  const object = objectAt(schema, spec, value);
  const parts = Object.entries(value).map(([name, one]): Part => {
    const member = object?.spec.properties[name] ?? spec.additionalProperties ?? {};
    const key = object === undefined ? name : snakeCase(name);
    return (inner) => `${text(key)}: ${pythonValue(one, member, schema, inner)}`;
  });
  return laid("{", parts, "}", indent, "    ");
}

function goMembers(
  value: object,
  specs: Readonly<Record<string, TypeSpec>>,
  schema: ValueTypes,
  indent: string,
): string {
  const parts = Object.entries(value).map(
    ([name, one]): Part =>
      (inner) =>
        `${pascal(name)}: ${goValue(one, specs[name] ?? {}, schema, inner)}`,
  );
  return laid("{", parts, "}", indent, "\t");
}

function goValue(value: unknown, spec: TypeSpec, schema: ValueTypes, indent: string): string {
  if (value instanceof Reference) {
    const output = value.output === "id" ? "ID()" : pascal(value.output);
    return `${variableOf(value.made)}.${output}`;
  }
  if (Array.isArray(value)) {
    const parts = value.map(
      (one): Part =>
        (inner) =>
          goValue(one, spec.items ?? {}, schema, inner),
    );
    return laid(`${goName(schema, { type: "array", items: spec.items ?? {} })}{`, parts, "}", indent, "\t");
  }
  if (typeof value === "object" && value !== null) {
    const object = objectAt(schema, spec, value);
    if (object !== undefined)
      return `fc.${object.name}Args${goMembers(value, object.spec.properties, schema, indent)}`;
    const values = spec.additionalProperties ?? {};
    const parts = Object.entries(value).map(
      ([name, one]): Part =>
        (inner) =>
          `${text(name)}: ${goValue(one, values, schema, inner)}`,
    );
    const map = goName(schema, { type: "object", additionalProperties: values });
    return laid(`${map}{`, parts, "}", indent, "\t");
  }
  const scalar = { string: "String", boolean: "Bool", number: spec.type === "integer" ? "Int" : "Float64" };
  return `pulumi.${scalar[typeof value as keyof typeof scalar]}(${text(value)})`;
}

/** The name of a type in Go, to which `Array` and `Map` are appended; that of any value is empty. */
function goName(schema: ValueTypes, { $ref, type, items, additionalProperties, oneOf }: TypeSpec): string {
  const scalars: Readonly<Record<string, string>> = {
    ...{ string: "String", boolean: "Bool", number: "Float64", integer: "Int" },
  };
  if (type === "array") return `${goName(schema, items ?? {})}Array`;
  if (type === "object") return `${goName(schema, additionalProperties ?? {})}Map`;
  if (type !== undefined) return `pulumi.${scalars[type]}`;
  const token = tokenOf($ref);
  if (schema.types[token]?.type === "object") return `fc.${token.replace(nativePrefix, "")}`;
  const isText = oneOf?.every(
    (one) => one.type === "string" || schema.types[tokenOf(one.$ref)]?.type === "string",
  );
  return isText === true ? "pulumi.String" : "pulumi.";
}

/** The type of an object, by the member that tells several apart; undefined for a map and for any value. */
function objectAt(
  { types }: ValueTypes,
  { $ref, oneOf = [], discriminator }: TypeSpec,
  value: object,
): { readonly name: string; readonly spec: ObjectSpec } | undefined {
  const named =
    discriminator?.mapping[String((value as Record<string, unknown>)[discriminator.propertyName])];
  const token = tokenOf(named ?? $ref ?? oneOf.find((one) => one.$ref !== undefined)?.$ref);
  const spec = types[token];
  return spec?.type === "object" ? { name: token.replace(nativePrefix, ""), spec } : undefined;
}

function tokenOf(ref = ""): string {
  return ref.replace("#/types/", "");
}

function schemaOf(
  { resources }: ValueTypes,
  kind: string,
): { readonly inputProperties: Readonly<Record<string, TypeSpec>> } {
  return resources[`${nativePrefix}${kind}`] ?? { inputProperties: {} };
}

function referencesIn(value: unknown): MadeObject[] {
  if (value instanceof Reference) return [value.made];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(referencesIn) : [];
}

/** The same value with another in the place of each reference. */
export function replaced(value: unknown, by: (reference: Reference) => unknown): unknown {
  if (value instanceof Reference) return by(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => replaced(one, by));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, by)]));
}

/** A text, a number or a truth value, as most languages write it. */
function text(value: unknown): string {
  return JSON.stringify(value);
}

/** The name of a resource where YAML can refer to it, otherwise a variable's. */
function keyOf(made: MadeObject): string {
  return /^[A-Za-z_][\w-]*$/.test(made.calledHere) ? made.calledHere : variableOf(made);
}

/** `Search holdout` becomes `searchHoldout`. */
function variableOf({ calledHere }: MadeObject): string {
  const [first = "", ...others] = calledHere.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return first.charAt(0).toLowerCase() + first.slice(1) + others.map(pascal).join("");
}

/** The same arguments with a list wherever the schema has one: TypeScript also takes its only element. */
export function withLists(args: MadeObject["args"], kind: string, schema: ValueTypes): MadeObject["args"] {
  return membersWithLists(args, schemaOf(schema, kind).inputProperties, schema);
}

function membersWithLists(args: object, specs: Readonly<Record<string, TypeSpec>>, schema: ValueTypes) {
  return Object.fromEntries(
    Object.entries(args).map(([name, one]) => [name, valueWithLists(one, specs[name] ?? {}, schema)]),
  );
}

function valueWithLists(value: unknown, spec: TypeSpec, schema: ValueTypes): unknown {
  if (spec.type === "array")
    return [value].flat().map((one) => valueWithLists(one, spec.items ?? {}, schema));
  if (typeof value !== "object" || value === null || value instanceof Reference) return value;
  const object = objectAt(schema, spec, value);
  return object === undefined ? value : membersWithLists(value, object.spec.properties, schema);
}
