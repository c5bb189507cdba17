import type { EnumSpec } from "./spec";

/** Names of the values that letters and digits do not tell apart. */
const signs: Readonly<Record<string, string>> = {
  "": "Empty",
  "=": "Equals",
  "<": "LessThan",
  "<=": "AtMost",
  ">": "MoreThan",
  ">=": "AtLeast",
};

/** The usual values of a text, each with a name that is an identifier in every language. */
export function enumSpec(values: readonly string[]): EnumSpec {
  return { type: "string", enum: values.map((value) => ({ name: valueName(value), value })) };
}

/** `version_gte` becomes `VersionGte`, `In Progress` becomes `InProgress`, `80%` becomes `Percent80`, and `1hr` becomes `Of1hr`. */
export function valueName(value: string): string {
  const sign = signs[value];
  if (sign !== undefined) return sign;
  const percent = /^(\d+)%$/.exec(value);
  if (percent !== null) return `Percent${percent[1]}`;
  const name = value
    .split(/[^A-Za-z0-9]+/)
    .map((word) => (word === word.toUpperCase() ? word.charAt(0) + word.slice(1).toLowerCase() : word))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
  return /^\d/.test(name) ? `Of${name}` : name;
}
