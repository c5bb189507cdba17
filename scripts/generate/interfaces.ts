import type { ObjectDefinition } from "../../src/core/define";
import { namingArguments } from "../../src/core/object-id";
import type { Node, TreeField } from "../../src/core/tree";
import { withArticle } from "./names";
import { argumentRemarks, nodeRemarks, shapeRemark } from "./remarks";
import { alternatives } from "./schema";
import {
  allShapes,
  argumentsOf,
  isManaged,
  type KindModel,
  type Shape,
  type ShapeMember,
  shapeName,
  type View,
} from "./shapes";
import { generatedNotice, interfaceText, type MemberText } from "./typescript";

/** The text of `src/generated/<kind>.ts`: the interfaces of a kind. */
export function interfacesText(model: KindModel<ObjectDefinition>): string {
  const { kind, title } = model.definition;
  const managed = isManaged(model.definition);
  const texts = [
    ...(managed
      ? [
          interfaceText(
            `${kind}Args`,
            `What a program says about ${withArticle(title)}.`,
            argumentMembers(model),
          ),
        ]
      : []),
    interfaceText(
      `${kind}State`,
      `What ${managed ? "is in state of" : "the console shows of"} ${withArticle(title)}.`,
      stateMembers(model),
    ),
    ...allShapes(model).flatMap((shape) => shapeTexts(shape, title)),
  ];
  return [`// ${generatedNotice}\n`, ...texts].join("\n");
}

function argumentMembers(model: KindModel<ObjectDefinition>): MemberText[] {
  return argumentsOf(model).map(([name, field]) => ({
    name,
    optional: field.optional,
    types: withUndefined(typesOf(field.node, "args", model.shapes[name]), field.optional),
    // An option has no value in the console, so nothing is to say about changes.
    remarks: name in model.fields ? argumentRemarks(model.definition, field) : nodeRemarks(field.node),
  }));
}

function stateMembers(model: KindModel<ObjectDefinition>): MemberText[] {
  const naming = namingArguments(model.definition);
  return [...Object.entries(model.fields), ...Object.entries(model.options)].map(([name, field]) => ({
    name,
    optional: !isAlwaysInState(name, field, naming),
    types: stateTypes(field.node, model.shapes[name]),
    remarks: [field.facts.doc],
  }));
}

/** Nulls do not get into state, so what may be null may be absent. */
function isAlwaysInState(name: string, field: TreeField, naming: readonly string[]): boolean {
  if (naming.includes(name)) return true;
  if (field.mode !== "output" && !field.optional) return true;
  if (field.mode !== "output" && (field.facts.serverDefault ?? null) !== null) return true;
  return !field.optional && !alternatives(field.node).nullable;
}

function stateTypes(node: Node, shape: Shape | undefined): string[] {
  if (node.sameAs === "string-or-array") return ["string[]"];
  if (node.digested) return ["{ count: number; hash: string }"];
  return typesOf(node, "state", shape).filter((type) => type !== "null");
}

function shapeTexts(shape: Shape, title: string): string[] {
  const textOf = (view: View, remark: string, members: readonly ShapeMember[], base?: string) => {
    const written = members.map((one) => shapeMember(one, view));
    return interfaceText(shapeName(shape, view), remark, written, base);
  };
  const remark = shapeRemark(shape.path, title);
  if (!shape.inArgs) return [textOf("state", remark, shape.members)];
  const isSet = (one: ShapeMember) => one.node.serverSet !== undefined;
  const said = shape.members.filter((one) => !isSet(one));
  const text = textOf("args", remark, said);
  if (!shape.differs) return [text];
  const added = shape.members.filter((one) => isSet(one) || one.shape?.differs === true);
  return [text, textOf("state", "The same with what the console adds.", added, shape.name)];
}

function shapeMember({ name, node, required, shape }: ShapeMember, view: View): MemberText {
  const types = withUndefined(typesOf(node, view, shape), view === "args" && !required);
  return {
    name,
    optional: !required,
    types,
    remarks: view === "args" ? nodeRemarks(node) : node.doc ? [node.doc] : [],
  };
}

/** Users' programs may say undefined where they may be silent. */
function withUndefined(types: string[], optional: boolean): string[] {
  return optional && !types.includes("unknown") ? [...types, "undefined"] : types;
}

/** The alternatives of a type. */
function typesOf(node: Node, view: View, shape: Shape | undefined): string[] {
  const { nullable, forms } = alternatives(node);
  const types = new Set(forms.flatMap((form) => formTypes(form, view, shape)));
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
    case "array": {
      const items = typesOf(form.items ?? {}, view, shape);
      return [items.length > 1 ? `(${items.join(" | ")})[]` : `${items[0]}[]`];
    }
    case "object":
      if (form.properties !== undefined && shape !== undefined) return [shapeName(shape, view)];
      return [`Record<string, ${recordOf(form, view, shape)}>`];
    default:
      return ["unknown"];
  }
}

function recordOf(form: Node, view: View, shape: Shape | undefined): string {
  const values = form.additionalProperties;
  return typeof values === "object" ? typesOf(values, view, shape).join(" | ") : "unknown";
}
