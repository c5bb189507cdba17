import { snakeCase } from "../../src/provider/texts/argument-names";

/** The name of a kind as a file: `DynamicConfig` becomes `dynamic-config`. */
export function kebab(kind: string): string {
  return snakeCase(kind).replaceAll("_", "-");
}

/** The name of a type as in a sentence: `GateRule` becomes `gate rule`. */
export function titleOf(type: string): string {
  return kebab(type).replaceAll("-", " ");
}

/** The name of one element of an array member: `rules` becomes `rule`; a name that is singular stays. */
export function singular(name: string): string {
  if (name.endsWith("ies")) return `${name.slice(0, -3)}y`;
  return name.endsWith("s") && !name.endsWith("ss") ? name.slice(0, -1) : name;
}

/** A thing with its article: "a gate", "an assignment source", "a unit id type". */
export function withArticle(title: string): string {
  return `${/^[aeio]/i.test(title) ? "an" : "a"} ${title}`;
}
