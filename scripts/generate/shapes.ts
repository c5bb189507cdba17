import type { ObjectDefinition, ResourceDefinition } from "../../src/provider/schema/define";
import type { Variant } from "../../src/provider/schema/field";
import { type Node, type Tree, type TreeField, treeOf } from "../../src/provider/schema/tree";
import { pascalCase } from "../../src/provider/texts/argument-names";
import { optionTree } from "../../src/provider/values/options";
import { singular, titleOf } from "./names";
import { objectsWithin } from "./schema";

/** What a type is for: what a program says, or what is in state. */
export type View = "args" | "state";

/** A nested object that gets an interface of its own. */
export interface Shape {
  /** Kind and member path in the singular: `GateRuleCondition`. */
  readonly name: string;
  /** Where a program finds it, for example `rules[].conditions[]`. */
  readonly path: string;
  /** The title of the kind, or of the shared object, that it is a part of. */
  readonly owner: string;
  readonly members: readonly ShapeMember[];
  /** A program may write it; otherwise it occurs in state only. */
  readonly inArgs: boolean;
  /** Reads show it. */
  readonly inState: boolean;
  /** Several kinds have it, under this very name. */
  readonly isShared: boolean;
  /** It or something inside it has a value whose type a program may give. */
  readonly isTyped: boolean;
  /** Its usual forms, where the value of a member tells them. */
  readonly variants: readonly Variant[];
}

/** A member of a nested object. */
export interface ShapeMember {
  readonly name: string;
  readonly node: Node;
  readonly required: boolean;
  /** The nested object that it is or consists of. */
  readonly shape: Shape | undefined;
}

/** A kind as the generator sees it. */
export interface KindModel<D extends ObjectDefinition = ResourceDefinition> {
  readonly definition: D;
  readonly fields: Tree;
  readonly options: Tree;
  /** The nested objects of the fields, by field. */
  readonly shapes: Readonly<Record<string, Shape | undefined>>;
}

/** The plain-data view of a kind. */
export function modelOf<D extends ObjectDefinition>(definition: D): KindModel<D> {
  const fields = treeOf(definition);
  const options = isManaged(definition) ? optionTree(definition) : {};
  const shapes = Object.entries({ ...fields, ...options }).map(([name, field]) => [
    name,
    shapeOf(field.node, definition.kind, name, {
      ...{ inArgs: field.mode !== "output", inState: isShown(field) && name in fields },
      ...{ path: name, owner: definition.title },
    }),
  ]);
  return { definition, fields, options, shapes: Object.fromEntries(shapes) };
}

/** True for a kind that programs manage, and not only read. */
export function isManaged(definition: ObjectDefinition): definition is ResourceDefinition {
  return "lifecycle" in definition;
}

/** What a program may set: the fields and the options. */
export function argumentsOf(model: KindModel<ObjectDefinition>): [string, TreeField][] {
  return [...inputsOf(model), ...Object.entries(model.options)];
}

/** The fields that a program may set. */
export function inputsOf(model: KindModel<ObjectDefinition>): [string, TreeField][] {
  return Object.entries(model.fields).filter(([, field]) => field.mode !== "output");
}

/** The fields that reads show. Where a program may set the author, they show it all the same. */
export function shownFields(model: KindModel<ObjectDefinition>): [string, TreeField][] {
  return Object.entries(model.fields).filter(([, field]) => isShown(field));
}

function isShown({ traits }: TreeField): boolean {
  return traits.remembered !== true || traits.audit !== undefined;
}

/** Every nested object of a kind, each before those inside it. */
export function allShapes(model: KindModel<ObjectDefinition>): Shape[] {
  return Object.values(model.shapes).flatMap((shape) => (shape === undefined ? [] : withInner(shape)));
}

/** A nested object and those inside it. */
export function withInner(shape: Shape): Shape[] {
  return [
    shape,
    ...shape.members.flatMap((member) => (member.shape === undefined ? [] : withInner(member.shape))),
  ];
}

/** The nested objects that only this kind, or this shared object, has. */
export function ownShapes(shapes: readonly Shape[]): Shape[] {
  const others = new Set(shapes.filter(({ isShared }) => isShared).flatMap(withInner));
  return shapes.filter((shape) => !others.has(shape));
}

/** The nested objects that kinds share, each once. */
export function sharedShapes(shapes: readonly Shape[]): Shape[] {
  const shared = shapes.filter(({ isShared }) => isShared);
  return [...new Map(shared.map((shape) => [shape.name, shape])).values()];
}

/** True for a kind with values whose types a program may give. */
export function isTyped({ fields, shapes }: KindModel<ObjectDefinition>): boolean {
  const own = Object.values(fields).some(({ node }) => node.typedByProgram !== undefined);
  return own || Object.values(shapes).some((shape) => shape?.isTyped === true);
}

/** The name of the type of a nested object. */
export function shapeName({ name }: Shape, view: View): string {
  return view === "args" ? `${name}Args` : name;
}

type Place = Pick<Shape, "inArgs" | "inState" | "path" | "owner">;

function shapeOf(
  node: Node,
  prefix: string,
  member: string,
  { inArgs, inState, path, owner }: Place,
): Shape | undefined {
  const [object, second] = objectsWithin(node);
  if (object === undefined) return undefined;
  if (second !== undefined) {
    throw new Error(`${prefix}: "${path}" is one of two objects; the generator can name one only.`);
  }
  const { typeName, variants = [] } = object.node;
  const name = typeName ?? prefix + pascalCase(object.inArray ? singular(member) : member);
  const place = object.inArray ? `${path}[]` : path;
  const required = object.node.required ?? [];
  const members = Object.entries(object.node.properties).map(([inner, innerNode]): ShapeMember => {
    const below = {
      inArgs: inArgs && innerNode.serverSet === undefined,
      inState,
      path: `${place}.${inner}`,
      owner: typeName === undefined ? owner : titleOf(typeName),
    };
    const shape = shapeOf(innerNode, name, inner, below);
    return { name: inner, node: innerNode, required: required.includes(inner), shape };
  });
  const isTyped = members.some((one) => one.node.typedByProgram !== undefined || one.shape?.isTyped === true);
  const isShared = typeName !== undefined;
  return { name, path: place, owner, members, inArgs, inState, isTyped, isShared, variants };
}
