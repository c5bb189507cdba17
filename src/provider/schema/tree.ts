import { z } from "zod";
import type { ObjectDefinition } from "./define";
import { type FieldTraits, type NestedTraits, nestedFacts, type ValueType } from "./field";
import { mapped } from "./json";
import { memoized } from "./memoized";

type TypeName = "string" | "number" | "integer" | "boolean" | "object" | "array" | "null";

/** JSON Schema of a value, with the traits beside it. The last place that sees zod is this file. */
export interface Node extends NestedTraits {
  /** Of a field alone. */
  valueType?: ValueType;
  /** An array of names where a scalar may also be null. */
  type?: TypeName | TypeName[];
  properties?: Record<string, Node>;
  required?: string[];
  additionalProperties?: Node | boolean;
  items?: Node;
  anyOf?: Node[];
  enum?: (string | number)[];
  const?: string | number | boolean | null;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  minItems?: number;
  maxItems?: number;
}

/** A field as plain data. */
export interface TreeField {
  mode: "input" | "output" | "writeOnly";
  traits: FieldTraits;
  /** The schema, with the field's own traits on its top node. */
  node: Node;
  optional: boolean;
}

/** A definition's fields as plain data, by name. */
export type Tree = Readonly<Record<string, TreeField>>;

/** Place of a value: the schema there, and its path without indices. */
export interface Place {
  readonly node: Node;
  readonly pattern: string;
}

/** Plain data of a definition. */
export const treeOf = memoized((definition: ObjectDefinition): Tree => {
  const entries = Object.entries(definition.fields).map(([name, { schema, traits, mode }]) => {
    const node = { ...toNode(schema), ...traits } as Node;
    return [name, { mode, traits, node, optional: schema.safeParse(undefined).success }] as const;
  });
  return Object.fromEntries(entries);
});

/** The schemas of the fields of a definition, by name: as of the members of an object. */
export const nodesOf = memoized(
  (definition: ObjectDefinition): Readonly<Record<string, Node>> =>
    mapped(treeOf(definition), ({ node }) => node),
);

function toNode(schema: z.ZodType): Node {
  const { $schema: _, ...node } = z.toJSONSchema(schema, {
    metadata: nestedFacts,
    io: "input",
    unrepresentable: "any",
    reused: "inline",
  });
  return node as Node;
}

/** A node and, of a union, its alternatives; those of a union inside it are among them. */
export const alternativesOf: (node: Node) => readonly Node[] = memoized((node) => [
  node,
  ...(node.anyOf ?? []).flatMap(alternativesOf),
]);

/** The elements of an array, also where a value may be something else as well. */
export function itemsOf(node: Node): Node | undefined {
  if (node.anyOf === undefined) return node.items;
  return alternativesOf(node).find((one) => one.items !== undefined)?.items;
}

/** The members of an object, also where a value may be something else as well. */
export function propertiesOf(node: Node): Record<string, Node> | undefined {
  if (node.anyOf === undefined) return node.properties;
  return alternativesOf(node).find((one) => one.properties !== undefined)?.properties;
}

/** True for a node that passes a test, or of which some part does. */
export function holdsNode(passes: (node: Node) => boolean): (node: Node) => boolean {
  const holds: (node: Node) => boolean = memoized((node) => {
    const items = node.items === undefined ? [] : [node.items];
    const parts = [...(node.anyOf ?? []), ...items, ...Object.values(node.properties ?? {})];
    return passes(node) || parts.some(holds);
  });
  return holds;
}
