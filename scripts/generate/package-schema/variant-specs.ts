import type { TakenShape, Variant } from "../../../src/provider/schema/field";
import { nodeRemarks, shapeRemark } from "../remarks";
import type { Shape, ShapeMember } from "../shapes";
import { valueName } from "./enums";
import { memberSpec } from "./member-specs";
import type { NamedTypes } from "./named-types";
import type { ObjectSpec, PropertySpec, TypeSpec } from "./spec";
import { listOf, oneOf } from "./value-specs";

const text: TypeSpec = { type: "string" };
const number: TypeSpec = { type: "number" };

/** A type for each value of the member that tells the usual forms of an object apart, beside the general type for unusual ones. */
export function variantRefs(types: NamedTypes, shape: Shape, general: TypeSpec & { $ref: string }): TypeSpec {
  const { variants, name } = shape;
  const propertyName = tellingMember(shape);
  const values = [...new Set(variants.flatMap(({ when }) => when[propertyName] ?? []))].sort();
  const refs = values.map((value) => {
    const forms = variants.filter(({ when }) => when[propertyName]?.includes(value));
    const make = () => variantSpec(types, shape, { propertyName, value, forms });
    return [value, types.ref(`${valueName(value)}${name}`, `the ${name} "${value}"`, make)] as const;
  });
  return {
    oneOf: [...refs.map(([, ref]) => ref), general],
    discriminator: {
      propertyName,
      mapping: Object.fromEntries(refs.map(([value, { $ref }]) => [value, $ref])),
    },
  };
}

/** The member whose value each usual form gives. */
function tellingMember({ name, variants }: Shape): string {
  const [first] = variants;
  const telling = Object.keys(first?.when ?? {}).find((member) =>
    variants.every(({ when }) => when[member] !== undefined && !when[member].includes("")),
  );
  if (telling === undefined) throw new Error(`No member of ${name} tells its usual forms apart.`);
  return telling;
}

/** The usual forms with one value. */
interface FormsOfValue {
  readonly propertyName: string;
  readonly value: string;
  readonly forms: readonly Variant[];
}

function variantSpec(
  types: NamedTypes,
  shape: Shape,
  { propertyName, value, forms }: FormsOfValue,
): ObjectSpec {
  const taken = shape.members.filter(({ name }) => forms.some((form) => takes(form, name)));
  const properties = taken.map((member): [string, PropertySpec] => {
    const general = memberSpec(types, shape, member);
    if (member.name !== propertyName) return [member.name, narrowed(general, member, { value, forms })];
    const { description = "" } = general;
    return [member.name, { ...text, const: value, description }];
  });
  return {
    description: `${shapeRemark(shape)} Its \`${propertyName}\` is \`${value}\`.`,
    type: "object",
    properties: Object.fromEntries(properties),
    required: taken.map(({ name }) => name).filter((name) => forms.every((form) => needs(form, name))),
  };
}

const takes = ({ when, takes }: Variant, member: string): boolean => member in when || member in takes;

function needs({ when, takes }: Variant, member: string): boolean {
  const values = when[member];
  if (values !== undefined) return !values.includes("");
  return member in takes && takes[member] !== "own";
}

/** A member as these forms take it. */
function narrowed(
  general: PropertySpec,
  { name, node }: ShapeMember,
  { value, forms }: Pick<FormsOfValue, "value" | "forms">,
): PropertySpec {
  const usual = [...new Set(forms.flatMap(({ when }) => when[name] ?? []))].filter((one) => one !== "");
  if (usual.length > 0) {
    const remark = `Usual for \`${value}\`: ${usual.map((one) => `\`${one}\``).join(", ")}.`;
    return { ...general, description: [...nodeRemarks(node), remark].join(" ") };
  }
  const shapes = forms.flatMap(({ takes }) => takes[name] ?? []);
  if (shapes.length === 0 || shapes.includes("own")) return general;
  const { description = "" } = general;
  return { ...oneOf(shapes.map((one) => takenSpec(one as Exclude<TakenShape, "own">))), description };
}

function takenSpec(taken: Exclude<TakenShape, "own">): TypeSpec {
  switch (taken) {
    case "text":
      return text;
    case "number":
      return number;
    // One value alone means the same as a list of it.
    case "some":
    case "texts":
      return listOf(text);
    case "values":
      return listOf(oneOf([text, number]));
  }
}
