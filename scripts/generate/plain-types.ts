import type { Node } from "../../src/provider/schema/tree";
import { alternatives } from "./schema";
import { type Shape, shapeName, type View } from "./shapes";

/** A type in TypeScript's words, for the reference: without outputs, and with links to what has a section. */
export function plainType(node: Node, view: View, shape: Shape | undefined): string {
  return markdown(typesOf(node, view, shape));
}

/** A part of a type: code, or a link. */
interface Word {
  readonly text: string;
  readonly isLink?: true;
}

function typesOf(node: Node, view: View, shape: Shape | undefined): Word[] {
  if (view === "state" && node.sameAs === "string-or-array") return [{ text: "string[]" }];
  const { nullable, forms } = alternatives(node);
  const words = forms.flatMap((form) => formWords(form, view, shape));
  const all = nullable && view === "args" ? [...words, { text: "null" }] : words;
  return [...new Map(all.map((word) => [word.text, word])).values()];
}

/** Code stands together as far as there is no link in it. A list of values reads better than a union. */
function markdown(words: readonly Word[]): string {
  const codes = words.filter(({ isLink }) => !isLink);
  const links = words.filter(({ isLink }) => isLink).map(({ text }) => text);
  const code = isValues(codes) ? valueList(codes) : `\`${codes.map(({ text }) => text).join(" | ")}\``;
  return [...links, ...(codes.length === 0 ? [] : [code])].join(" or ");
}

function isValues(words: readonly Word[]): boolean {
  return words.length > 1 && words.every(({ text }) => text === "null" || text.startsWith('"'));
}

function valueList(words: readonly Word[]): string {
  return words.map(({ text }) => `\`${text}\``).join(", ");
}

function formWords(form: Node, view: View, shape: Shape | undefined): Word[] {
  if (form.const !== undefined) return [{ text: JSON.stringify(form.const) }];
  if (form.enum !== undefined) return form.enum.map((value) => ({ text: JSON.stringify(value) }));
  switch (form.type) {
    case "string":
    case "number":
    case "boolean":
      return [{ text: form.type }];
    case "integer":
      return [{ text: "number" }];
    case "array":
      return [listOf(typesOf(form.items ?? {}, view, shape))];
    case "object":
      return form.properties !== undefined && shape !== undefined
        ? [{ text: shapeLink(shape, view), isLink: true }]
        : [{ text: "Record<string, unknown>" }];
    default:
      return [{ text: "unknown" }];
  }
}

function listOf(words: readonly Word[]): Word {
  const [first, ...others] = words;
  if (first?.isLink) return { text: `${first.text}\`[]\``, isLink: true };
  if (isValues(words)) return { text: `list of ${valueList(words)}`, isLink: true };
  const text = words.map((word) => word.text).join(" | ");
  return { text: others.length === 0 ? `${text}[]` : `(${text})[]` };
}

/** A link to the section of a nested object. */
export function shapeLink(shape: Shape, view: View): string {
  const name = shapeName(shape, view);
  return `[${name}](${sharedPageOf(shape) ?? ""}#${name.toLowerCase()})`;
}

/** The page that tells of a nested object for all kinds that have it; undefined where each page does. */
export function sharedPageOf({ name, variants }: Shape): "conditions.md" | "README.md" | undefined {
  if (variants.length > 0) return "conditions.md";
  return name === "Owners" ? "README.md" : undefined;
}
