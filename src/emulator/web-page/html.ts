import { visible } from "../../provider/texts/issue-text";

/** A piece of HTML that is markup already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template: texts are escaped, markup stays, lists are joined, and undefined is empty. */
export type HtmlValue = Html | string | number | undefined | readonly HtmlValue[];

/** Markup of a template, in which every value is escaped that is not `Html` itself. Values of attributes need quotes. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.reduce((text, part, index) => text + textOf(values[index - 1]) + part));
}

function textOf(value: HtmlValue): string {
  if (value === undefined) return "";
  if (value instanceof Html) return value.text;
  return typeof value === "object" ? value.map(textOf).join("") : escaped(String(value));
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text. Characters that turn a line around could make it read as another: they become replacement characters. Invisible ones are written out, but for the ends of lines. */
function escaped(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => entities[character] ?? "")
    .replace(/\p{Bidi_Control}/gu, "\ufffd")
    .replace(/[^\p{Cc}\p{Zl}\p{Zp}]+/gu, visible);
}
