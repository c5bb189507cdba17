import type { Node } from "../../../src/provider/schema/tree";
import { pascalCase } from "../../../src/provider/texts/argument-names";
import { singular } from "../names";
import { alternatives } from "../schema";
import type { Shape } from "../shapes";
import { enumSpec } from "./enums";
import type { NamedTypes } from "./named-types";
import type { TypeSpec } from "./spec";

/** Any value. */
export const anything: TypeSpec = { $ref: "pulumi.json#/Any" };

/** A value, and the names that types inside it get. */
export interface Named {
  readonly node: Node;
  /** The nested object that it is or consists of. */
  readonly shape: Shape | undefined;
  /** The name of an enum that it may be, for example `GateStatus`. */
  readonly name: string;
}

/** The type of a value. A schema has no null: what may be null may be absent. */
export function valueSpec(types: NamedTypes, { node, shape, name }: Named): TypeSpec {
  if (node.typedByProgram === "member") return anything;
  const { forms } = alternatives(node);
  // Either form means the same, and a type that is a list only is one that every language checks.
  const usual = node.sameAs === "string-or-array" ? forms.filter(({ type }) => type === "array") : forms;
  return oneOf(usual.map((form) => formSpec(types, { node: form, shape, name })));
}

/** The type of an argument. One that takes another form than its state has takes several: a list, a file or an asset. */
export function argumentSpec(types: NamedTypes, named: Named): TypeSpec {
  return named.node.valueType === undefined ? valueSpec(types, named) : anything;
}

/** The type of a value in state. */
export function stateSpec(types: NamedTypes, named: Named): TypeSpec {
  const { valueType } = named.node;
  if (valueType === undefined) return valueSpec(types, named);
  const { read } = valueType.types;
  const members = Object.entries(read).map(([name, type]) => [name, { type }]);
  return types.ref(`${named.name}State`, named.name, () => ({
    description: "What state keeps of the argument, which may be very large.",
    type: "object",
    properties: Object.fromEntries(members),
    required: Object.keys(read),
  }));
}

/**
 * One of several types; those of a type that is itself one of several join, and anything takes in all others. A list beside another
 * type is anything, because the Python SDK refuses a list where its type is one of several.
 */
export function oneOf(specs: readonly TypeSpec[]): TypeSpec {
  const parts = specs.flatMap((spec) => (spec.discriminator === undefined ? (spec.oneOf ?? [spec]) : [spec]));
  const [first = anything, ...others] = [
    ...new Map(parts.map((part) => [JSON.stringify(part), part])).values(),
  ];
  if (others.length === 0) return first;
  const all = [first, ...others];
  const isAnything = all.some(({ $ref, type }) => $ref === anything.$ref || type === "array");
  return isAnything ? anything : { oneOf: all };
}

/** A list of one type. */
export function listOf(items: TypeSpec): TypeSpec {
  return { type: "array", items };
}

/** Another value than the usual ones is possible: the console may have one that this version does not know. */
function relaxed(usual: TypeSpec): TypeSpec {
  return { oneOf: [{ type: "string" }, usual] };
}

function formSpec(types: NamedTypes, { node, shape, name }: Named): TypeSpec {
  if (node.enum !== undefined) {
    const values = node.enum.map(String);
    return relaxed(types.ref(name, `the enum ${values.join(", ")}`, () => enumSpec(values)));
  }
  switch (node.type) {
    case "string":
    case "number":
    case "integer":
    case "boolean":
      return { type: node.type };
    case "array":
      return listOf(valueSpec(types, { node: node.items ?? {}, shape, name: singular(name) }));
    case "object": {
      if (node.properties !== undefined && shape !== undefined) return types.objectRef(shape);
      const values = typeof node.additionalProperties === "object" ? node.additionalProperties : {};
      return { type: "object", additionalProperties: valueSpec(types, { node: values, shape, name }) };
    }
    default:
      return anything;
  }
}

/** The name of the enum of a member. */
export function memberName(owner: string, member: string): string {
  return `${owner}${pascalCase(member)}`;
}
