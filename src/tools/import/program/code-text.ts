import { isObject } from "../../../provider/schema/json";
import { unseen, visible } from "../../../provider/texts/issue-text";

/** TypeScript that stands for a value. */
export type Code = string;

/** A text as TypeScript: one with line ends as a template, as people write queries and messages. */
export function textCode(text: string): Code {
  if (!text.includes("\n")) return visible(JSON.stringify(text));
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${");
  // A carriage return in a template would be read as the end of a line.
  return `\`${escaped.replace(unseen, (one) => (one === "\n" || one === "\t" ? one : visible(one)))}\``;
}

/** Characters of which compilers disagree whether a name may hold them, and those that nobody sees. */
export const hardToRead: RegExp = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u{10000}-\u{10ffff}]/gu;

/** The name of a member. */
export function memberCode(name: string): Code {
  // A member of this name would set the prototype.
  if (name === "__proto__") return '["__proto__"]';
  const isPlain = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) && name.search(hardToRead) < 0;
  return isPlain ? name : visible(JSON.stringify(name));
}

/** Any JSON value. */
export function valueCode(value: unknown): Code {
  if (typeof value === "string") return textCode(value);
  if (Array.isArray(value)) return listCode(value.map(valueCode));
  if (isObject(value)) return objectCode(Object.entries(value).map(([name, one]) => [name, valueCode(one)]));
  return String(value);
}

/** A list of parts. */
export function listCode(parts: readonly Code[]): Code {
  return `[${parts.join(", ")}]`;
}

/** An object of members. */
export function objectCode(members: readonly (readonly [name: string, code: Code])[]): Code {
  return members.length === 0
    ? "{}"
    : `{ ${members.map(([name, code]) => `${memberCode(name)}: ${code}`).join(", ")} }`;
}

/** A comment of one line, in which all can be seen, whatever the text holds. */
export function commentCode(text: string): Code {
  return `// ${lineText(text)}`;
}

/** One line, in which all can be seen, whatever the text holds. */
export function lineText(text: string): string {
  return visible(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim());
}

/** A text in quotes as most languages have it, in which all can be seen. */
export function quotedText(text: string): Code {
  return JSON.stringify(text.toWellFormed()).replace(unseen, longEscape);
}

/** The same; one with line ends as `lines` writes it, if all of it can be seen. */
export function readableText(text: string, lines: (text: string) => Code | undefined): Code {
  const isPlain = text.includes("\n") && text.replaceAll(/[\n\t]/g, "").search(unseen) < 0;
  return (isPlain ? lines(text) : undefined) ?? quotedText(text);
}

/** A character as YAML, Python and Go escape it. */
export function longEscape(character: string): Code {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}
