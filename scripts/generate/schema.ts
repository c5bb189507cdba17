import type { Node } from "../../src/provider/schema/tree";

/** A schema without its unions: what a value may be, and whether it may be null. */
export interface Alternatives {
  readonly nullable: boolean;
  /** One node for each form other than null; facts of the union itself are not on them. */
  readonly forms: readonly Node[];
}

/** Takes unions apart, at any depth. Zod writes a nullable scalar as a list of types. */
export function alternatives(node: Node): Alternatives {
  if (node.anyOf !== undefined) {
    const inner = node.anyOf.map(alternatives);
    return { nullable: inner.some((one) => one.nullable), forms: inner.flatMap((one) => one.forms) };
  }
  const types: unknown = node.type;
  if (Array.isArray(types)) {
    const named = types.filter((type) => type !== "null");
    return { nullable: named.length < types.length, forms: named.map((type) => ({ ...node, type }) as Node) };
  }
  return types === "null" ? { nullable: true, forms: [] } : { nullable: false, forms: [node] };
}

/** An object with named members inside a value, and where: below an array or in place. */
export interface ObjectWithin {
  readonly node: Node & { properties: Record<string, Node> };
  readonly inArray: boolean;
}

/**
 * The objects with named members that a value is or consists of. More than one means alternatives, for which a name
 * made of the member's path is not enough.
 */
export function objectsWithin(node: Node, inArray = false): ObjectWithin[] {
  return alternatives(node).forms.flatMap((form): ObjectWithin[] => {
    if (form.properties !== undefined) return [{ node: { ...form, properties: form.properties }, inArray }];
    const inner =
      form.items ?? (typeof form.additionalProperties === "object" ? form.additionalProperties : undefined);
    return inner === undefined ? [] : objectsWithin(inner, true);
  });
}
