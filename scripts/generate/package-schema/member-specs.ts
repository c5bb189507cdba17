import { nodeRemarks } from "../remarks";
import type { Shape, ShapeMember } from "../shapes";
import type { NamedTypes } from "./named-types";
import type { PropertySpec } from "./spec";
import { memberName, valueSpec } from "./value-specs";

/** A member of a nested object. */
export function memberSpec(
  types: NamedTypes,
  shape: Pick<Shape, "name" | "inArgs">,
  member: ShapeMember,
): PropertySpec {
  const { name, node } = member;
  const isFilledIn = shape.inArgs && node.serverSet !== undefined;
  const remarks = [...nodeRemarks(node), ...(isFilledIn ? ["The console sets it."] : [])];
  return {
    ...valueSpec(types, { node, shape: member.shape, name: memberName(shape.name, name) }),
    ...(remarks.length === 0 ? {} : { description: remarks.join(" ") }),
    ...(node.useInstead === undefined ? {} : { deprecationMessage: node.useInstead }),
  };
}
