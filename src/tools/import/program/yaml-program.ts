import path from "node:path";
import { Document, isMap, isScalar, type Pair, parseDocument, type Scalar, visit } from "yaml";
import { configNamespace } from "../../../provider/pulumi/provider-settings";
import { projectIn } from "../../../provider/pulumi/runs/project-file";
import { isObject, type JsonObject } from "../../../provider/schema/json";
import { nameArguments, programIdArgument } from "../../../provider/schema/object-id";
import { occurrences } from "../../../provider/texts/count-text";
import { unseen } from "../../../provider/texts/issue-text";
import { textOf } from "../../stack/project";
import { lineText, longEscape } from "./code-text";
import { identifiersOf, type Named } from "./names";
import type { ProgramObject } from "./program-object";
import { IdsInFile, type Made, Reference } from "./typed-value";

/** The file of a program, which Pulumi runs in the place of the resources of `Pulumi.yaml`. */
export const yamlFile = "Main.yaml";

/** Schema that quotes each text of another type in YAML 1.1: Pulumi reads much of it so. */
const form = { schema: "yaml-1.1", merge: false } as const;

/** A key that a reference can hold without quotes. */
const plainKey = /^[a-zA-Z_][\w-]*$/;

/** The file of a folder that says the resources: that of the project itself, where it has some and nothing runs in their place. */
export function yamlMain(folder: string): string {
  const own = projectIn(folder)?.file ?? yamlFile;
  const hasOwn = textOf(path.join(folder, yamlFile)) === undefined;
  return hasOwn && /^["']?resources["']?\s*:/m.test(textOf(path.join(folder, own)) ?? "") ? own : yamlFile;
}

/**
 * Objects as a program in YAML says them: each resource is called by its key, and sets what would otherwise be the name of the resource.
 * Pulumi's converters take the key for the name in other languages, whatever else YAML says. `before`: the program to which they come.
 */
export function namedInYaml(objects: readonly ProgramObject[], before = ""): ProgramObject[] {
  const program: unknown = parseDocument(before, form).toJS();
  const sections = ["resources", "variables", "config", "configuration"].map((name) =>
    membersOf(program, name),
  );
  const taken = new Set(sections.flatMap(Object.keys));
  const named = objects.map((one) => {
    const { definition, args, inputs } = one;
    const calling = programIdArgument(definition);
    const naming = calling === undefined ? nameArguments(definition) : [calling];
    const said = naming.filter((name) => inputs[name] !== undefined);
    const names = Object.fromEntries(said.map((name) => [name, inputs[name]]));
    // A run that was interrupted has written it.
    const [key] = Object.keys(sections[0] ?? {}).filter((key) => {
      const properties = membersOf(membersOf(sections[0], key), "properties");
      const isKind = kindIn(membersOf(sections[0], key)) === one.kind;
      return isKind && said.every((name) => (properties[name] ?? key) === escaped(String(names[name])));
    });
    return { ...one, name: key ?? one.name, isThere: key !== undefined, args: { ...names, ...args } };
  });
  const fresh = named.filter(({ isThere }) => !isThere);
  const counts = occurrences(fresh.map(({ name }) => name));
  // The name itself, where that is one word that no other resource has.
  const isPlain = ({ name }: ProgramObject) =>
    plainKey.test(name) && counts.get(name) === 1 && name !== "pulumi" && !taken.has(name);
  const plain = fresh.filter(isPlain).map(({ name }) => name);
  const keys = identifiersOf(
    fresh.filter((one) => !isPlain(one)),
    new Set([...taken, ...plain]),
  );
  return named.map((one) => ({ ...one, name: keys.get(one) ?? one.name }));
}

/** A program in YAML of resources that have the names of {@link namedInYaml}; after what is there before, in this file. */
export function yamlProgram(made: readonly Made[], file: string, before?: string): string {
  const text = yamlText(made);
  return before === undefined ? text : withResources(before, text, file);
}

/** The text of a program with the resources of another behind its own. */
function withResources(before: string, text: string, file: string): string {
  const resources = parseDocument(before, form).get("resources", true);
  if (resources === undefined) return `${before.trimEnd()}\n\n${text}`;
  const [first] = isMap(resources) && resources.flow !== true ? resources.items : [];
  const [, end] = (isMap(resources) ? resources.range : undefined) ?? [];
  const start = isScalar(first?.key) ? first.key.range?.[0] : undefined;
  if (start === undefined || end === undefined)
    throw new Error(
      `${file}: its resources are no block to which others can be added: nothing was written. Give another folder with --out`,
    );
  const indent = before.slice(before.lastIndexOf("\n", start - 1) + 1, start);
  const own = text.replace(/^.*\n/, "").replace(/^ {2}/gm, indent).trimEnd();
  const tail = before.slice(end);
  return `${before.slice(0, end).trimEnd()}\n\n${own}\n${tail.trim() === "" ? "" : `\n${tail.replace(/^\n+/, "")}`}`;
}

/** The resources that a program in YAML makes. */
export function madeInYaml(text: string): Named[] {
  const resources = membersOf(parseDocument(text, form).toJS(), "resources");
  return Object.entries(resources).flatMap(([key, one]) =>
    isObject(one) && typeof one.type === "string" ? [{ kind: kindIn(one), name: nameIn(one) ?? key }] : [],
  );
}

const kindIn = ({ type }: JsonObject): string => String(type).split(":").at(-1) ?? "";

function membersOf(value: unknown, name: string): JsonObject {
  const members = isObject(value) ? value[name] : undefined;
  return isObject(members) ? members : {};
}

function nameIn({ name }: JsonObject): string | undefined {
  return typeof name === "string" ? name.replaceAll("$$", () => "$") : undefined;
}

/** The member of a value that YAML cannot say, as a reason; undefined where it can say each. */
export function callIn(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(callIn).find((why) => why !== undefined);
  if (!isObject(value)) return undefined;
  const [call] = Object.keys(value).filter((name) => /^fn::/i.test(name));
  return call === undefined
    ? callIn(Object.values(value))
    : `it holds a member ${JSON.stringify(call)}, which Pulumi's YAML takes for a call of a function`;
}

function resourceOf(one: Made, keyOf: (one: Made) => string) {
  const { kind, name, args, dependsOn } = one;
  const before = dependsOn.map((other) => `\${${keyOf(other)}}`);
  return {
    type: `${configNamespace}:${kind}`,
    ...(keyOf(one) === name ? {} : { name: escaped(name) }),
    ...(Object.keys(args).length === 0 ? {} : { properties: written(args, keyOf) }),
    ...(before.length === 0 ? {} : { options: { dependsOn: before } }),
  };
}

/** A value as YAML writes it: references in their places, and no other text that Pulumi would take for one. */
function written(value: unknown, keyOf: (one: Made) => string): unknown {
  const inner = (one: unknown) => written(one, keyOf);
  if (value instanceof Reference) return `\${${keyOf(value.made)}.${value.output}}`;
  if (value instanceof IdsInFile) return { "fn::fileAsset": value.file };
  if (typeof value === "string") return escaped(value);
  if (Array.isArray(value)) return value.map(inner);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [escaped(name), inner(one)]));
}

/** `$$` stands for `$`, and `${` opens a reference. */
function escaped(text: string): string {
  return text.replace(/\$(?=[${])/g, "$$$$");
}

/** The text of a program. `keyOf`: the key of a resource; one that is not its name leaves the name to `name:`. */
export function yamlText(made: readonly Made[], keyOf: (one: Made) => string = ({ name }) => name): string {
  const resources = Object.fromEntries(made.map((one) => [keyOf(one), resourceOf(one, keyOf)]));
  const document = new Document({ resources }, form);
  const items = (document.get("resources") as { items: Pair<Scalar>[] }).items;
  for (const [index, { key }] of items.entries()) {
    const lines = made[index]?.remarks ?? [];
    key.spaceBefore = index > 0;
    if (lines.length > 0) key.commentBefore = lines.map((line) => ` ${lineText(line)}`).join("\n");
  }
  visit(document, {
    Scalar: (_, node) => {
      if (isScalar(node) && typeof node.value === "string" && hidesSomething(node.value))
        node.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString({ lineWidth: 0 }).replace(unseen, (one) => (one === "\n" ? one : longEscape(one)));
}

/** True for a text in which a reader does not see all, but for the ends of lines. */
function hidesSomething(text: string): boolean {
  return text.replaceAll("\n", "").search(unseen) >= 0;
}
