import { shapeRemark } from "../remarks";
import { alternatives } from "../schema";
import type { Shape, ShapeMember } from "../shapes";
import { memberSpec } from "./member-specs";
import type { NamedTypes } from "./named-types";
import type { ObjectSpec, TypeSpec } from "./spec";
import { variantRefs } from "./variant-specs";

/** Refers to the type of a nested object, which arguments and state share; where it has usual forms, to the type of each. */
export function objectRef(types: NamedTypes, shape: Shape, remark = shapeRemark(shape)): TypeSpec {
  const subject = `the object ${shape.members.map(({ name }) => name).join(", ")}`;
  const general = types.ref(shape.name, subject, () => ({
    description: remark,
    ...membersSpec(types, shape),
  }));
  return shape.variants.length === 0 ? general : variantRefs(types, shape, general);
}

/** The members of a nested object. */
export function membersSpec(
  types: NamedTypes,
  { members, ...shape }: Shape,
): Omit<ObjectSpec, "description"> {
  const isRequired = shape.inArgs ? mustBeSet : isAlwaysThere;
  return {
    type: "object",
    properties: Object.fromEntries(members.map((one) => [one.name, memberSpec(types, shape, one)])),
    required: members.filter(isRequired).map(({ name }) => name),
  };
}

function mustBeSet({ node, required }: ShapeMember): boolean {
  return required && node.serverSet === undefined;
}

function isAlwaysThere({ node, required }: ShapeMember): boolean {
  return required && !alternatives(node).nullable;
}
