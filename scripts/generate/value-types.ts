import { managed } from "../../src/provider/definitions";
import type { MeantKind, TakenShape, Variant } from "../../src/provider/schema/field";
import type { Node } from "../../src/provider/schema/tree";
import { pascalCase } from "../../src/provider/texts/argument-names";

import { alternatives } from "./schema";
import { type Shape, type ShapeMember, shapeName, type View } from "./shapes";

/** One usual form as an object type. Its members have their texts, each on a line of its own: else TypeScript shows none. */
export function variantText(shape: Shape, { when, takes }: Variant): string {
  const described = (name: string, text: string): string => {
    const doc = shape.members.find((one) => one.name === name)?.node.doc;
    return doc === undefined ? text : `/** ${doc} */\n      ${text}`;
  };
  const fixed = Object.entries(when).map(([name, values]) => {
    const said = values.map((value) => JSON.stringify(value)).join(" | ");
    return described(name, values.includes("") ? `${name}?: ${said} | undefined` : `${name}: ${said}`);
  });
  const taken = Object.entries(takes).map(([name, taken]) => {
    const member = shape.members.find((one) => one.name === name) as ShapeMember;
    if (taken === "own") return described(name, `${name}?: Unusual${shapeName(shape, "args")}["${name}"]`);
    return described(name, `${name}: ${takenType(taken, resourcesMeant(member.node, when))}`);
  });
  const absent = shape.members
    .filter(({ name }) => !(name in when) && !(name in takes))
    .map(({ name }) => `${name}?: undefined`);
  return `{${[...fixed, ...taken, ...absent].map((member) => `\n      ${member};`).join("")}\n    }`;
}

function takenType(taken: Exclude<TakenShape, "own">, resources: readonly string[]): string {
  switch (taken) {
    case "text":
      return union(["pulumi.Input<string>", ...resources]);
    case "number":
      return "pulumi.Input<number>";
    case "some":
    case "texts":
      return listOrOne(["string"], resources);
    case "values":
      return listOrOne(["string", "number"], resources);
  }
}

/** One value alone, or a list of them. */
function listOrOne(types: readonly string[], resources: readonly string[]): string {
  const list = listOf([`pulumi.Input<${union(types)}>`, ...resources]);
  return union([`pulumi.Input<${union([...types, list])}>`, ...resources]);
}

/** Resources that stand for their id in a value, or in an element of it; of a variant those that its values mean. */
function resourcesMeant(node: Node, when: Variant["when"] = {}): string[] {
  return kindsMeant(node.refersTo, when)
    .filter((kind) => kind in managed)
    .map((kind) => `ResourceOf<"${pascalCase(kind)}">`);
}

function kindsMeant(fact: MeantKind | undefined, when: Variant["when"]): string[] {
  if (fact === undefined) return [];
  if (typeof fact === "string") return [fact];
  const told = when[fact.by] ?? Object.keys(fact.of);
  return [...new Set(told.flatMap((value) => fact.of[value] ?? []))];
}

/** The alternatives of an argument's type: each part may be an output. */
export function inputTypes(node: Node, shape: Shape | undefined, optional: boolean): string[] {
  const resources = resourcesMeant(node);
  if (node.typedByProgram !== undefined)
    return [union([`Inputs<${givenType(node.typedByProgram)}>`, ...(optional ? ["undefined"] : [])])];
  const { nullable, forms } = alternatives(node);
  const inner = [...new Set(forms.flatMap((form) => inputForms(form, shape, resources)))];
  if (inner.includes("unknown")) return ["unknown"];
  const silent = [...(nullable ? ["null"] : []), ...(optional ? ["undefined"] : [])];
  // What means a list means its elements.
  const alone = forms.every((form) => form.type === "array") ? [] : resources;
  const taken = node.valueType === undefined ? [] : [node.valueType.types.taken];
  return [`pulumi.Input<${union([...inner, ...taken, ...silent])}>`, ...alone];
}

function inputForms(form: Node, shape: Shape | undefined, resources: readonly string[]): string[] {
  if (form.type === "array") {
    const items = form.items ?? {};
    const element = [...inputTypes(items, shape, false), ...resources];
    return [listOf([...new Set(element)])];
  }
  if (form.type !== "object" || form.const !== undefined || form.enum !== undefined)
    return formTypes(form, "args", shape);
  if (form.properties !== undefined && shape !== undefined) return [typeOf(shape, "args")];
  const values = form.additionalProperties;
  const value = typeof values === "object" ? inputTypes(values, shape, false) : ["unknown"];
  return [`Record<string, ${union(value)}>`];
}

/** The parameter of a type of which a program may give a part, and its use. */
export const typeParameter = "<Value = Record<string, unknown>>";
export const typeArgument = "<Value>";

function typeOf(shape: Shape, view: View): string {
  return `${shapeName(shape, view)}${shape.isTyped ? typeArgument : ""}`;
}

function givenType(how: "whole" | "member"): string {
  return how === "whole" ? "Value" : "Value[keyof Value]";
}

function listOf(types: readonly string[]): string {
  return types.length > 1 ? `(${union(types)})[]` : `${types[0]}[]`;
}

function union(types: readonly string[]): string {
  return types.join(" | ");
}

/** The alternatives of the type of a value in state. */
export function plainTypes(node: Node, shape: Shape | undefined): string[] {
  if (node.typedByProgram !== undefined) return [givenType(node.typedByProgram)];
  const { nullable, forms } = alternatives(node);
  const types = new Set(forms.flatMap((form) => formTypes(form, "state", shape)));
  if (types.has("unknown")) return ["unknown"];
  return nullable ? [...types, "null"] : [...types];
}

function formTypes(form: Node, view: View, shape: Shape | undefined): string[] {
  if (form.const !== undefined) return [JSON.stringify(form.const)];
  if (form.enum !== undefined) return form.enum.map((value) => JSON.stringify(value));
  switch (form.type) {
    case "string":
    case "number":
    case "boolean":
      return [form.type];
    case "integer":
      return ["number"];
    case "array":
      return [listOf(plainTypes(form.items ?? {}, shape))];
    case "object":
      if (form.properties !== undefined && shape !== undefined) return [typeOf(shape, view)];
      return [`Record<string, ${recordOf(form, shape)}>`];
    default:
      return ["unknown"];
  }
}

function recordOf(form: Node, shape: Shape | undefined): string {
  const values = form.additionalProperties;
  return typeof values === "object" ? union(plainTypes(values, shape)) : "unknown";
}
