import { isObject } from "../core/json";

/** TypeScript that stands for a value. */
export type Code = string;

/** A text as TypeScript: one with line ends as a template, as people write queries and messages. */
export function textCode(text: string): Code {
  if (!text.includes("\n")) return stringCode(text);
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll("`", "\\`")
    .replaceAll("${", "\\${")
    .replace(/(?![\n\t])[\p{Cc}\u2028\u2029\ufeff]/gu, escapeCode);
  return `\`${escaped}\``;
}

function stringCode(text: string): Code {
  return JSON.stringify(text).replace(/[\p{Cc}\u2028\u2029\ufeff]/gu, escapeCode);
}

/** A carriage return in a template would be read as the end of a line. */
function escapeCode(character: string): string {
  return character === "\r" ? "\\r" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The name of a member. */
export function memberCode(name: string): Code {
  // A member of this name would set the prototype.
  if (name === "__proto__") return '["__proto__"]';
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : stringCode(name);
}

/** Any JSON value. */
export function valueCode(value: unknown): Code {
  if (typeof value === "string") return textCode(value);
  if (Array.isArray(value)) return listCode(value.map(valueCode));
  if (isObject(value)) return objectCode(Object.entries(value).map(([name, one]) => [name, valueCode(one)]));
  return Object.is(value, -0) ? "0" : String(value);
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

/** A comment of one line, whatever the text holds. */
export function commentCode(text: string): Code {
  return `// ${text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim()}`;
}
