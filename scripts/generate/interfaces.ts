import { everyKind } from "../../src/provider/definitions";
import { outputNames } from "../../src/provider/schema/audit";
import type { ObjectDefinition } from "../../src/provider/schema/define";
import { nameArguments } from "../../src/provider/schema/object-id";
import type { Node, TreeField } from "../../src/provider/schema/tree";
import { pascalCase } from "../../src/provider/texts/argument-names";
import { apart, commonMembers } from "./common-members";
import { hasLookups } from "./lookups";
import { kebab, withArticle } from "./names";
import { argumentRemarks, nodeRemarks, shapeRemark } from "./remarks";
import { alternatives } from "./schema";
import {
  allShapes,
  argumentsOf,
  isManaged,
  isTyped,
  type KindModel,
  ownShapes,
  type Shape,
  type ShapeMember,
  shapeName,
  sharedShapes,
  shownFields,
  withInner,
} from "./shapes";
import { aliasText, generatedNotice, interfaceText, type MemberText, unionText } from "./typescript";
import { inputTypes, plainTypes, typeArgument, typeParameter, variantText } from "./value-types";

/** Members that several kinds have word for word the same. */
export interface CommonMembers {
  readonly args: readonly MemberText[];
  readonly state: readonly MemberText[];
}

/** The common members of these kinds. */
export function commonOf(models: readonly KindModel<ObjectDefinition>[]): CommonMembers {
  return {
    args: commonMembers(models.filter(({ definition }) => isManaged(definition)).map(argumentMembers)),
    state: commonMembers(
      models.map((model) => [...ownId(model), ...stateMembers(model, shownFields(model))]),
    ),
  };
}

/** The text of `src/generated/common-members.ts`. `shared`: nested objects that kinds share. */
export function commonText({ args, state }: CommonMembers, shared: readonly Shape[]): string {
  const texts = [
    interfaceText("CommonArgs", "Arguments that several kinds have.", args),
    interfaceText("CommonState", "Values that several kinds have.", state),
  ];
  return fileText(texts, shared);
}

/** The text of `src/generated/<kind>.ts`: the types of a kind. */
export function interfacesText(
  model: KindModel<ObjectDefinition>,
  common: CommonMembers = { args: [], state: [] },
): string {
  const { kind, title } = model.definition;
  const managed = isManaged(model.definition);
  const parameter = isTyped(model) ? typeParameter : "";
  const shapes = allShapes(model);
  const { own, bases } = apart(argumentMembers(model), common.args, "CommonArgs");
  const texts = [
    ...(managed
      ? [interfaceText(`${kind}Args${parameter}`, `The arguments of ${withArticle(title)}.`, own, bases)]
      : []),
    ...shownTexts(model, common),
    ...ownShapes(shapes).flatMap((shape) => shapeTexts(shape)),
  ];
  return fileText(texts, sharedShapes(shapes));
}

/** The text of `src/generated/<name>.ts`: the types of a nested object that kinds share. */
export function sharedText(shape: Shape): string {
  const inner = withInner(shape).slice(1);
  const texts = [shape, ...ownShapes(inner)].flatMap((one) => shapeTexts(one));
  return fileText(texts, sharedShapes(inner));
}

/** The text of `src/generated/answers.ts`: what answers hold beside objects of the kinds. */
export function answersText(model: KindModel<ObjectDefinition>): string {
  const shapes = allShapes(model);
  const whole = shapes.filter(({ isShared, path }) => isShared && Object.hasOwn(model.fields, path));
  const docs = Object.fromEntries(
    Object.entries(model.fields).map(([name, { traits }]) => [pascalCase(name), traits.doc]),
  );
  const texts = ownShapes(shapes).flatMap((shape) =>
    shapeTexts(shape, docs[shape.name] ?? `A part of \`${shape.path}\`.`),
  );
  const shown = whole.map(({ name }) => `export type { ${name} } from "./${kebab(name)}";\n`);
  return fileText(
    [...shown, ...texts],
    sharedShapes(shapes).filter((one) => !whole.includes(one)),
  );
}

/** A file with what its types need of others. */
function fileText(texts: readonly string[], shared: readonly Shape[]): string {
  const body = texts.join("\n");
  const needs = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(body);
  const ours = ["IdAsset", "Inputs", "ResourceOf", "Unusual"].filter(needs);
  const imports = [
    ...(needs("pulumi") ? ['import type * as pulumi from "@pulumi/pulumi";'] : []),
    ...(needs("Pick")
      ? [`import type { ${["CommonArgs", "CommonState"].filter(needs).join(", ")} } from "./common-members";`]
      : []),
    ...(ours.length > 0
      ? [`import type { ${ours.join(", ")} } from "../provider/pulumi/arguments/arguments";`]
      : []),
    ...shared.flatMap(({ name }) => {
      const names = [name, `${name}Args`].filter(needs);
      return names.length === 0 ? [] : [`import type { ${names.join(", ")} } from "./${kebab(name)}";`];
    }),
  ];
  const head = imports.length === 0 ? "" : `${imports.join("\n")}\n\n`;
  return `// ${generatedNotice}\n\n${head}${body}`;
}

function argumentMembers(model: KindModel<ObjectDefinition>): MemberText[] {
  return argumentsOf(model).map(([name, field]) => ({
    name,
    optional: field.optional,
    types: inputTypes(field.node, model.shapes[name], field.optional),
    // An option has no value in the console, so nothing is to say about changes.
    remarks: name in model.fields ? argumentRemarks(model.definition, field) : nodeRemarks(field.node),
    deprecated: field.node.useInstead,
  }));
}

/** The values that lookups return, and the outputs of a resource. */
function shownTexts(model: KindModel<ObjectDefinition>, common: CommonMembers): string[] {
  const { kind, name, title } = model.definition;
  const [parameter, argument] = isTyped(model) ? [typeParameter, typeArgument] : ["", ""];
  const shown = (called: string, remark: string, members: readonly MemberText[]) => {
    const { own, bases } = apart(members, common.state, "CommonState");
    return interfaceText(`${called}${parameter}`, `${remark} ${withArticle(title)}.`, own, bases);
  };
  const outputs = outputNames(model.definition);
  const read = shownFields(model);
  if (!(name in everyKind) || !hasLookups(model.definition)) {
    const members = read.filter(([member]) => outputs.includes(member));
    if (members.length === 0) return [aliasText(`${kind}State`, "No outputs but the id.", "object")];
    return [shown(`${kind}State`, "The outputs of", stateMembers(model, members))];
  }
  const members = [...ownId(model), ...stateMembers(model, read)];
  const result = shown(`${kind}Result`, "The values that the console returns for", members);
  if (!isManaged(model.definition)) return [result];
  const left = members.filter((one) => !outputs.includes(one.name)).map((one) => `"${one.name}"`);
  const type = `Omit<${kind}Result${argument}, ${left.join(" | ")}>`;
  return [result, aliasText(`${kind}State${parameter}`, `The outputs of ${withArticle(title)}.`, type)];
}

/** The id, where it is no field. */
function ownId(model: KindModel<ObjectDefinition>): MemberText[] {
  return hasIdField(model) ? [] : [{ name: "id", optional: false, types: ["string"], remarks: [idRemark] }];
}

/** True for a kind whose id is one of its fields. */
export function hasIdField({ fields }: KindModel<ObjectDefinition>): boolean {
  return "id" in fields;
}

/** What the id of an object is. */
export const idRemark = "Its id.";

function stateMembers(
  model: KindModel<ObjectDefinition>,
  fields: readonly [string, TreeField][],
): MemberText[] {
  const naming = nameArguments(model.definition);
  return fields.map(([name, field]) => ({
    name,
    optional: !isAlwaysInState(name, field, naming),
    types: stateTypes(field.node, model.shapes[name]),
    remarks: [field.traits.doc],
    deprecated: field.node.useInstead,
  }));
}

/** Nulls do not get into state, so what may be null may be absent. */
export function isAlwaysInState(name: string, field: TreeField, naming: readonly string[]): boolean {
  if (naming.includes(name)) return true;
  if (field.mode !== "output" && !field.optional) return true;
  if (field.mode !== "output" && (field.traits.serverDefault ?? null) !== null) return true;
  return !field.optional && !alternatives(field.node).nullable;
}

function stateTypes(node: Node, shape: Shape | undefined): string[] {
  if (node.sameAs === "string-or-array") return ["string[]"];
  if (node.valueType !== undefined) {
    const members = Object.entries(node.valueType.types.read).map(([name, type]) => `${name}: ${type}`);
    return [`{ ${members.join("; ")} }`];
  }
  return plainTypes(node, shape).filter((type) => type !== "null");
}

function shapeTexts(shape: Shape, remark = shapeRemark(shape)): string[] {
  const parameter = shape.isTyped ? typeParameter : "";
  const state = interfaceText(`${shape.name}${parameter}`, remark, shape.members.map(stateMember));
  if (!shape.inArgs) return [state];
  const states = shape.inState ? [state] : [];
  const said = shape.members.filter((one) => one.node.serverSet === undefined);
  const name = shapeName(shape, "args");
  const members = said.map(argumentMember);
  if (shape.variants.length === 0)
    return [interfaceText(`${name}${parameter}`, `${remark} As a program sets it.`, members), ...states];
  const loose = `Unusual${name}`;
  return [
    interfaceText(
      loose,
      `${remark} With any pair of members; \`fc.unusual\` makes it one of the usual type.`,
      members,
    ),
    unionText(name, `${remark} As a program sets it.`, [
      ...shape.variants.map((variant) => variantText(shape, variant)),
      `Unusual<${loose}>`,
    ]),
    ...states,
  ];
}

function argumentMember({ name, node, required, shape }: ShapeMember): MemberText {
  const { useInstead: deprecated } = node;
  return {
    ...{ name, optional: !required, types: inputTypes(node, shape, !required) },
    ...{ remarks: nodeRemarks(node), deprecated },
  };
}

/** What the console gives an element to tell it by is always there. */
function stateMember({ name, node, required, shape }: ShapeMember): MemberText {
  const isMark = node.serverSet === "identity";
  const types = plainTypes(node, shape).filter((type) => !isMark || type !== "null");
  const { useInstead: deprecated, doc } = node;
  return { name, optional: !required && !isMark, types, remarks: doc ? [doc] : [], deprecated };
}
