import type { ObjectDefinition } from "../schema/define";
import { isObject } from "../schema/json";
import { memberText, type Path } from "../schema/path";
import { itemsOf, type Node, propertiesOf, treeOf } from "../schema/tree";

/** The form of an argument in the programs of a language. */
interface Writing {
  /** Its name, given that of the reference. */
  readonly name: (reference: string) => string;
  readonly assignment: (name: string, value: unknown) => string;
  /** The option `aliases`, given a former name or URN as JSON. */
  readonly alias: (by: "name" | "urn", former: string) => string;
}

const json = (value: unknown) => JSON.stringify(value);

/** A name of the reference as Pulumi's generator writes it for Python: `layer_id`, `group_ids`, `default_value_json5`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z](?!$))/g, "_").toLowerCase();
}

/** The same for Go. */
export function pascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

const members = (value: object, member: Writing["assignment"]) =>
  Object.entries(value)
    .map(([name, one]) => member(name, one))
    .join(", ");

const asInReference: Writing = {
  name: (reference) => reference,
  assignment: (name, value) =>
    `${name}: ${isObject(value) ? `{ ${members(value, asInReference.assignment)} }` : json(value)}`,
  alias: (by, former) => `aliases: [${by === "urn" ? former : `{ name: ${former} }`}]`,
};

const constants: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };

/** A scalar in Python. */
export const pythonValue = (value: unknown): string => constants[json(value)] ?? json(value);

const inPython: Writing = {
  name: snakeCase,
  assignment: (name, value) => {
    const text = isObject(value)
      ? `{${members(value, (one, inner) => `"${snakeCase(one)}": ${pythonValue(inner)}`)}}`
      : pythonValue(value);
    return `${snakeCase(name)}=${text}`;
  },
  alias: (by, former) => `aliases=[${by === "urn" ? former : `pulumi.Alias(name=${former})`}]`,
};

const goTypes: Readonly<Record<string, string>> = { boolean: "Bool", string: "String" };

const inGo: Writing = {
  name: pascalCase,
  assignment: (name, value) => {
    const type = goTypes[typeof value];
    const text = isObject(value)
      ? `{${members(value, inGo.assignment)}}`
      : type === undefined
        ? json(value)
        : `pulumi.${type}(${json(value)})`;
    return `${pascalCase(name)}: ${text}`;
  },
  alias: (by, former) => {
    const member = by === "urn" ? `URN: pulumi.URN(${former})` : `Name: pulumi.String(${former})`;
    return `pulumi.Aliases([]pulumi.Alias{{${member}}})`;
  },
};

/** By the runtime in `Pulumi.yaml`. */
const writings: ReadonlyMap<string | undefined, readonly Writing[]> = new Map([
  ...["nodejs", "bun", "yaml", "java"].map((runtime) => [runtime, [asInReference]] as const),
  ["python", [inPython]],
  ["go", [inGo]],
]);

/** Those of a program in an unknown language: the usual ones. */
let current: readonly Writing[] = [asInReference];

/**
 * From now on, messages of this process have the names of arguments as programs of a runtime write them. Those of a runtime that is
 * not known have each name in both of the usual forms.
 */
export function writeArgumentsFor(runtime: string | undefined): void {
  current = writings.get(runtime) ?? [asInReference, inPython];
}

function written(text: (writing: Writing) => string): string {
  const [first = "", ...others] = new Set(current.map(text));
  return others.length === 0 ? first : `${first} (${others.join(", ")})`;
}

/** The name of an argument in a message: `passPercentage`, for a program in Python `pass_percentage`. */
export function argumentName(reference: string): string {
  return written(({ name }) => name(reference));
}

/** The same in quotes. */
export function quotedArgument(reference: string): string {
  return written(({ name }) => `"${name(reference)}"`);
}

/** An argument with its value: `adopt: true`, for a program in Python `adopt=True`. */
export function assignment(name: string, value: unknown): string {
  return written((writing) => writing.assignment(name, value));
}

/** The option of a resource that had another name or URN, which is given as JSON. */
export function aliasOption(by: "name" | "urn", former: string): string {
  return written(({ alias }) => alias(by, former));
}

/**
 * The way to keep what the console has, within a sentence: a command writes programs in TypeScript alone. `resource`: its name, or the id of its
 * object. `mark`: around the command.
 */
export function keepingText(what: "it" | "them", resource: string, mark = "`"): string {
  return `set ${what} in the program (TypeScript: ${mark}npx feature-console drift --accept ${resource}${mark})`;
}

/** A place in a message, with its schema, if it has one. */
export interface ShownPlace {
  readonly text: string;
  readonly node?: Node | undefined;
}

/** A member of a place. Names that are the user's own stay as they are. */
export function shownMember({ text, node = {} }: ShownPlace, name: string): ShownPlace {
  const properties = propertiesOf(node) ?? {};
  const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return {
    text: inner === undefined ? memberText(text, name) : `${text}.${argumentName(name)}`,
    node: inner,
  };
}

/** The place of an argument, with the names of its schema. */
export function shownArgument(definition: ObjectDefinition, name: string): ShownPlace {
  return { text: argumentName(name), node: treeOf(definition)[name]?.node };
}

/** An element of a place. */
export function shownElement({ text, node = {} }: ShownPlace, step: string): ShownPlace {
  return { text: `${text}[${step}]`, node: itemsOf(node) };
}

/** A path as a program writes it: `rules[0].conditions[1].operator`. */
export function placeText(definition: ObjectDefinition, [name, ...rest]: Path): string {
  if (name === undefined) return "";
  return rest.reduce<ShownPlace>(
    (place, step) =>
      typeof step === "number" ? shownElement(place, String(step)) : shownMember(place, step),
    shownArgument(definition, String(name)),
  ).text;
}
