import type { z } from "zod";
import type { ObjectDefinition } from "../schema/define";
import { UNKNOWN, unknownText } from "../schema/unknown";
import { countOf } from "./count-text";
import { closest } from "./misspelling";

const words: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
};

/** Findings that a value of the right type is too long, too large or of another form. */
export const limitCodes: ReadonlySet<string> = new Set([
  ...["too_small", "too_big", "invalid_format", "not_multiple_of"],
]);

/**
 * Characters that a reader does not see, or takes for others: control and format characters, those that turn the direction of a text,
 * marks of no width, spaces but the usual one, half characters.
 */
export const unseen: RegExp =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

/**
 * A text in which nothing speaks to a terminal, ends the line or turns it around, and in which two names that differ look different.
 * The escapes are those of JSON, so that JSON stays the same.
 */
export function visible(text: string): string {
  return text.replace(unseen, (character) =>
    character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

/** The same for a text of several lines. */
export function visibleLines(text: string): string {
  return text.split("\n").map(visible).join("\n");
}

/** A value as JSON for a program that reads the output of a command, in lines. */
export function jsonText(value: unknown): string {
  return `${visibleLines(JSON.stringify(value, undefined, 2))}\n`;
}

/** A value in a message: short, and never the whole of something long. */
export function quote(value: unknown): string {
  if (value === undefined) return "nothing";
  const json = JSON.stringify(value) ?? String(value);
  const text = visible(json.replaceAll(JSON.stringify(UNKNOWN), unknownText));
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** A text with its full stop, unless it asks something. */
export const sentence = (text: string): string => (text.endsWith("?") ? text : `${text}.`);

/** A value of a field in a message. */
export function quoteField({ fields }: ObjectDefinition, name: string, value: unknown): string {
  return fields[name]?.traits.valueType?.describe(value) ?? quote(value);
}

/** A finding of the schema library in plain words: what was found, what is needed. */
export function issueText(issue: z.core.$ZodIssue, found: unknown): string {
  const meant = meantValue(issue, found);
  if (meant !== undefined) return `found ${quote(found)}; did you mean ${quote(meant)}?`;
  const need = `${needed(issue)} ${isSeveral(issue) ? "are" : "is"} ${issue.code === "too_big" ? "allowed" : "needed"}`;
  return found === undefined ? `missing; ${need}` : `found ${quote(found)}; ${need}`;
}

/** The value of a list that was probably meant: of a short word nobody can tell. */
function meantValue(issue: z.core.$ZodIssue, found: unknown): string | undefined {
  if (issue.code !== "invalid_value" || typeof found !== "string") return undefined;
  return closest(found, issue.values.map(String), ({ length }) => (length < 4 ? 0 : 2));
}

function needed(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return words[issue.expected] ?? issue.expected;
    case "too_small":
      return `${issue.inclusive === false ? "more than" : "at least"} ${limitText(issue.minimum, issue.origin)}`;
    case "too_big":
      return `${issue.inclusive === false ? "less than" : "at most"} ${limitText(issue.maximum, issue.origin)}`;
    case "invalid_format":
      return issue.format === "regex" ? `text that matches ${issue.pattern}` : issue.format;
    case "not_multiple_of":
      return `a number in steps of ${issue.divisor}`;
    case "invalid_value":
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "invalid_union":
      return unionNeeds(issue);
    default:
      return issue.message;
  }
}

/** Unit of a limit, by the type of the value; a number is its own limit. */
const units: Readonly<Record<string, string>> = { string: "character", array: "element" };

function limitText(limit: number | bigint, origin: string): string {
  const unit = units[origin];
  return unit === undefined ? String(limit) : countOf(Number(limit), unit);
}

function isSeveral(issue: z.core.$ZodIssue): boolean {
  if (issue.code !== "too_small" && issue.code !== "too_big") return false;
  const limit = issue.code === "too_small" ? issue.minimum : issue.maximum;
  return units[issue.origin] !== undefined && Number(limit) !== 1;
}

function unionNeeds(issue: z.core.$ZodIssueInvalidUnion): string {
  const needs = issue.errors.flatMap((branch) =>
    branch.filter((inner) => inner.path.length === 0).map(needed),
  );
  return [...new Set(needs)].join(" or ") || "another form";
}
