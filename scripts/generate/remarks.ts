import type { ObjectDefinition, ResourceDefinition } from "../../src/provider/schema/define";
import { nameArguments } from "../../src/provider/schema/object-id";
import type { Node, TreeField } from "../../src/provider/schema/tree";
import { pascalCase } from "../../src/provider/texts/argument-names";
import { titleOf, withArticle } from "./names";
import { alternatives } from "./schema";
import type { Shape } from "./shapes";

/** A value as code: `"userID"`. */
function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}

/** Limits of a value as phrases: "3 to 100 characters". Those of the elements of an array begin with "each". */
export function limitsOf(node: Node): string[] {
  const found = alternatives(node).forms.flatMap((form) => [
    ...range(form.minLength, form.maxLength, "character"),
    ...range(form.minItems, form.maxItems, "element"),
    ...range(form.minimum === Number.MIN_SAFE_INTEGER ? undefined : form.minimum, bounded(form.maximum)),
    ...(form.type === "integer" ? ["whole"] : []),
    ...(form.multipleOf === undefined ? [] : [`in steps of ${form.multipleOf}`]),
    ...(form.pattern === undefined ? [] : [`matching \`${form.pattern}\``]),
    // A nested object says its own limits, in its own place.
    ...(form.items === undefined || form.items.properties
      ? []
      : limitsOf(form.items).map((limit) => `each ${limit}`)),
  ]);
  return [...new Set(found)];
}

/** The largest whole number that there is bounds nothing. */
function bounded(most: number | undefined): number | undefined {
  return most === Number.MAX_SAFE_INTEGER ? undefined : most;
}

function range(given: number | undefined, most: number | undefined, unit?: string): string[] {
  const least = unit !== undefined && given === 0 ? undefined : given;
  const units = (count: number) => (unit === undefined ? "" : ` ${unit}${count === 1 ? "" : "s"}`);
  if (unit === "character" && least === 1 && most === undefined) return ["not empty"];
  if (least !== undefined && most !== undefined) return [`${least} to ${most}${units(most)}`];
  if (least !== undefined) return [`at least ${least}${units(least)}`];
  return most === undefined ? [] : [`at most ${most}${units(most)}`];
}

/** What the console fills in where the program is silent, as far as a program could say it. */
export function defaultOf(node: Node): string | undefined {
  const value = node.serverDefault;
  if (value === undefined || value === null) return undefined;
  const isGiven = (name: string) => node.properties?.[name]?.serverSet === undefined;
  const said =
    typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).filter(([name]) => isGiven(name)))
      : value;
  return code(said);
}

/** What a change of an argument leads to. */
export type ChangeEffect = "in place" | "replaces" | "refused";

/** What a change of an argument leads to. */
export function changeEffect(field: TreeField): ChangeEffect {
  if (field.traits.replaces) return "replaces";
  return field.traits.fixed ? "refused" : "in place";
}

/** What happens when the program no longer sets an argument; undefined where it must or where nothing is to say. */
export function removalOf(definition: ObjectDefinition, name: string, field: TreeField): string | undefined {
  if (!field.optional) return undefined;
  if (nameArguments(definition).includes(name)) return "kept";
  if (field.traits.fixed) return "refused where it is a change";
  if (!("clearWith" in field.traits)) return "kept";
  return field.traits.clearWith === null ? "cleared" : `emptied: ${code(field.traits.clearWith)}`;
}

/** The doc comment of an argument, sentence by sentence. */
export function argumentRemarks(definition: ObjectDefinition, field: TreeField): string[] {
  const remarks = nodeRemarks(field.node);
  const effect = changeEffect(field);
  const replaces = `replaces the ${definition.title}.`;
  if (field.mode === "writeOnly") remarks.push("No read shows it.");
  if (effect === "replaces" && !field.traits.doc.includes(replaces)) remarks.push(`A change ${replaces}`);
  if (effect === "refused") remarks.push("Cannot change after creation.");
  if (effect !== "in place" || !("clearWith" in field.traits)) return remarks;
  return [...remarks, `Removing it ${field.traits.clearWith === null ? "clears" : "empties"} it.`];
}

/** The doc comment of a member of a nested object: what it is, its limits and its default. */
export function nodeRemarks(node: Node): string[] {
  const doc = node.doc ?? "";
  const limits = limitsOf(node)
    .filter((limit) => !doc.includes(limit))
    .join(", ");
  const fallback = defaultOf(node);
  return [
    ...(doc === "" ? [] : [doc]),
    ...(limits === "" ? [] : [`${limits.charAt(0).toUpperCase()}${limits.slice(1)}.`]),
    ...(fallback === undefined ? [] : [`Default: ${fallback}.`]),
  ];
}

/** How an object of a kind gets its id. */
export function idSource(definition: ResourceDefinition): string {
  const { identity } = definition;
  switch (identity.how) {
    case "key":
      return `\`${identity.argument}\``;
    case "slug":
      return `\`${identity.argument}\`, in lower case with \`_\` for spaces`;
    case "template":
    case "address":
      return `\`${identity.template}\``;
    case "server":
      return "generated by the console";
    case "singleton":
      return `always \`${identity.id}\``;
  }
}

/** The remarks of shared types whose name alone does not explain them. */
const sharedRemarks: Readonly<Record<string, string>> = { Owners: "The fields that the console manages." };

/** The first sentence about a nested object. */
export function shapeRemark({ name, path, owner, isShared }: Shape): string {
  if (isShared) return sharedRemarks[name] ?? `${pascalCase(withArticle(titleOf(name)))}.`;
  const whole = path.replace(/\[\]$/, "");
  return `${path === whole ? "The value of" : "One element of"} \`${whole}\` of ${withArticle(owner)}.`;
}
