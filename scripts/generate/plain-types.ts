import type { Node } from "../../src/core/tree";
import { enumeration } from "./markdown";
import { code } from "./remarks";
import { alternatives } from "./schema";
import { type Shape, shapeName, type View } from "./shapes";

/** A type in plain words, for the reference. */
export function plainType(node: Node, view: View, shape: Shape | undefined): string {
  if (view === "state" && node.sameAs === "string-or-array") return "list of text";
  const { nullable, forms } = alternatives(node);
  const words = forms.flatMap((form) => formWords(form, view, shape));
  return enumeration([...new Set(words), ...(nullable && view === "args" ? ["null"] : [])], "or");
}

function formWords(form: Node, view: View, shape: Shape | undefined): string[] {
  if (form.const !== undefined) return [code(form.const)];
  if (form.enum !== undefined) return form.enum.map(code);
  switch (form.type) {
    case "string":
      return ["text"];
    case "number":
      return ["number"];
    case "integer":
      return ["whole number"];
    case "boolean":
      return ["true", "false"];
    case "array":
      return [`list of ${plural(form.items ?? {}, view, shape)}`];
    case "object":
      return form.properties !== undefined && shape !== undefined
        ? [shapeLink(shape, view)]
        : ["JSON object"];
    default:
      return ["any JSON value"];
  }
}

function plural(items: Node, view: View, shape: Shape | undefined): string {
  const words = plainType(items, view, shape);
  return (
    { number: "numbers", "whole number": "whole numbers", "any JSON value": "JSON values" }[words] ?? words
  );
}

/** A link to the section of a nested object in the same page. */
export function shapeLink(shape: Shape, view: View): string {
  const name = shapeName(shape, view);
  return `[${name}](#${name.toLowerCase()})`;
}
