import { equalJson, isObject, type JsonObject } from "../../provider/schema/json";
import { itemsOf, type Node, propertiesOf } from "../../provider/schema/tree";
import { visible } from "../../provider/texts/issue-text";
import { isNothing } from "../../provider/values/compare";
import { fits, hasUsualForm } from "../../provider/values/usual-form";

/** Style of a file. */
export interface Style {
  readonly quote: '"' | "'";
  readonly newline: "\n" | "\r\n";
  /** Indentation of one level. */
  readonly indent: string;
  /** Wraps a value that the types do not offer, which no compiler would take otherwise. */
  readonly unusual: (text: string) => string;
}

/** A value that the types do not offer at its place. */
export class Unusual {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

/** Longest line, characters, up to which a value stays on one. */
const longestLine = 100;

/** The style of a text, by what is most frequent in it. How it says what is unusual, only its imports tell. */
export function styleOf(text: string): Style {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const indents = text.match(/^(?: +|\t+)(?=\S)/gm) ?? [];
  const spaces = indents.filter((one) => one.startsWith(" ")).map(({ length }) => length);
  const isTabbed = spaces.length < indents.length / 2;
  return {
    quote: count(/'(?:[^'\\\n]|\\.)*'/g) > count(/"(?:[^"\\\n]|\\.)*"/g) ? "'" : '"',
    newline: count(/\r\n/g) > count(/(?<!\r)\n/g) ? "\r\n" : "\n",
    indent: isTabbed ? "\t" : " ".repeat(spaces.length === 0 ? 2 : Math.min(...spaces, 8)),
    unusual: (one) => `fc.unusual(${one})`,
  };
}

/** A value as TypeScript: on one line where it fits, `before` characters of which are taken. `margin`: the line's own indent. */
export function literalText(value: unknown, style: Style, margin = "", before = 0): string {
  if (value instanceof Unusual) return style.unusual(literalText(value.value, style, margin, before));
  const line = onOneLine(value, style);
  if (line.length + before <= longestLine || !isNested(value)) return line;
  const inner = margin + style.indent;
  const join = (parts: readonly string[]) => parts.map((one) => `${style.newline}${inner}${one},`).join("");
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const parts = Array.isArray(value)
    ? value.map((one: unknown) => literalText(one, style, inner, inner.length))
    : membersOf(value).map(([name, one]) => {
        const start = `${memberText(name, style)}: `;
        return start + literalText(one, style, inner, inner.length + start.length);
      });
  return `${open}${join(parts)}${style.newline}${margin}${close}`;
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function membersOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, inner]) => inner !== undefined);
}

function onOneLine(value: unknown, style: Style): string {
  if (value instanceof Unusual) return style.unusual(onOneLine(value.value, style));
  if (typeof value === "string") return stringText(value, style.quote, style.newline);
  if (Array.isArray(value)) return `[${value.map((one: unknown) => onOneLine(one, style)).join(", ")}]`;
  if (!isObject(value)) return String(value);
  const members = membersOf(value).map(
    ([name, one]) => `${memberText(name, style)}: ${onOneLine(one, style)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** The name of a member; `__proto__` would set something else, and quoted it does so as well. */
export function memberText(name: string, { quote, newline }: Pick<Style, "quote" | "newline">): string {
  if (name === "__proto__") return `[${stringText(name, quote, newline)}]`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringText(name, quote, newline);
}

/** A text between quotes of the given sort; between backticks it keeps its lines, which end as those of its file do. */
export function stringText(text: string, quote: '"' | "'" | "`", newline: string): string {
  const json = visible(JSON.stringify(text)).replaceAll("\ufeff", "\\ufeff");
  if (quote === '"') return json;
  const inner = json.slice(1, -1).replaceAll('\\"', '"');
  if (quote === "'") return `'${inner.replaceAll("'", "\\'")}'`;
  const open = inner.replaceAll("`", "\\`").replaceAll("${", "\\${");
  return `\`${open.replace(/(?<!\\)((?:\\\\)*)\\n/g, `$1${newline}`)}\``;
}

/** A live value as a program says it: without what only the console sets, and without what it fills in where nothing is said. What the types do not offer is marked. */
export function expressible(schema: Node, value: unknown): unknown {
  if (schema.sameAs === "opaque" || schema.typedByProgram !== undefined) return value;
  if (!isObject(value) && !fits(schema, value)) return new Unusual(value);
  if (Array.isArray(value)) return value.map((one: unknown) => expressible(itemsOf(schema) ?? {}, one));
  const properties = propertiesOf(schema);
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const own = properties?.[name] ?? restOf(schema);
    if (own === undefined || isNotOurs(own, value) || inner === null || inner === undefined) return [];
    // An update that leaves out a share keeps the former one: only a new element gets the default.
    const isFilledIn = own.rollout === undefined && equalJson(inner, own.serverDefault);
    return isFilledIn ? [] : [[name, expressible(own, inner)]];
  });
  const said = Object.fromEntries(members);
  return hasUsualForm(schema, said) ? said : new Unusual(said);
}

/** The schema of members that have no schema of their own; undefined where no program can say such. */
export function restOf({ properties, additionalProperties }: Node): Node | undefined {
  if (typeof additionalProperties === "object") return additionalProperties;
  return properties === undefined || additionalProperties === true ? {} : undefined;
}

/** True for what the console sets, and for the second view of what is said already. */
export function isNotOurs({ serverSet, aliasOf }: Node, beside: JsonObject): boolean {
  return serverSet !== undefined || (aliasOf !== undefined && !isNothing(beside[aliasOf]));
}
