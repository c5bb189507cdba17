import { Document, isScalar, type Pair, parseDocument, type Scalar, visit } from "yaml";
import { idListNames } from "../../../provider/id-lists/value-type";
import { configNamespace } from "../../../provider/pulumi/provider-settings";
import { isObject, type JsonObject } from "../../../provider/schema/json";
import { nameArguments, programIdArgument } from "../../../provider/schema/object-id";
import { type Path, pathText } from "../../../provider/schema/path";
import { occurrences } from "../../../provider/texts/count-text";
import { unseen } from "../../../provider/texts/issue-text";
import { lineText } from "./code-text";
import { idFilesOf, idTexts, isLines } from "./id-files";
import { identifiersOf, type Named } from "./names";
import type { Files } from "./program";
import { type LinkedObjects, linkedObjects, type ProgramObject, remarksOn } from "./program-object";

/** The file of a program, which Pulumi runs in the place of the resources of `Pulumi.yaml`. */
export const yamlFile = "Main.yaml";

/** Schema that quotes each text of another type in YAML 1.1: Pulumi reads much of it so. */
const form = { schema: "yaml-1.1", merge: false } as const;

/** A key that a reference can hold without quotes. */
const plainKey = /^[a-zA-Z_][\w-]*$/;

/**
 * Objects as a program in YAML says them: each resource is called by its key, and sets what would otherwise be the name of the resource.
 * Pulumi's converters take the key for the name in other languages, whatever else YAML says.
 */
export function namedInYaml(objects: readonly ProgramObject[]): ProgramObject[] {
  const counts = occurrences(objects.map(({ name }) => name));
  // The name itself, where that is one word that no other resource has.
  const isPlain = ({ name }: ProgramObject) =>
    plainKey.test(name) && counts.get(name) === 1 && name !== "pulumi";
  const plain = new Set(objects.filter(isPlain).map(({ name }) => name));
  const keys = identifiersOf(
    objects.filter((one) => !isPlain(one)),
    plain,
  );
  return objects.map((one) => {
    const { definition, args, inputs } = one;
    const calling = programIdArgument(definition);
    const naming = calling === undefined ? nameArguments(definition) : [calling];
    const said = naming.filter((name) => inputs[name] !== undefined);
    const names = Object.fromEntries(said.map((name) => [name, inputs[name]]));
    return { ...one, name: keys.get(one) ?? one.name, args: { ...names, ...args } };
  });
}

/** A program in YAML of objects that have the names of {@link namedInYaml}, with long lists of ids in files beside it. */
export function yamlProgramOf(objects: readonly ProgramObject[]): Files {
  const linked = linkedObjects(objects);
  const idFiles = new Map(
    [...idFilesOf(linked.sorted, () => false)].map(([one, own]) => [
      one,
      new Map([...own].filter(([, file]) => isLines(file))),
    ]),
  );
  const resources = linked.sorted.map((one) => {
    const files = idFiles.get(one) ?? new Map<string, string>();
    return [one.name, resourceOf(linked, files, one)];
  });
  const text = textOf(
    Object.fromEntries(resources),
    linked.sorted.map((one) => remarksOn(linked, one)),
  );
  return new Map([[yamlFile, text], ...idTexts(idFiles)]);
}

/** The resources that a program in YAML makes. */
export function madeInYaml(text: string): Named[] {
  const found: unknown = parseDocument(text, form).toJS();
  const resources = isObject(found) && isObject(found.resources) ? found.resources : {};
  return Object.entries(resources).flatMap(([key, one]) =>
    isObject(one) && typeof one.type === "string"
      ? [{ kind: one.type.split(":").at(-1) ?? "", name: nameIn(one) ?? key }]
      : [],
  );
}

function nameIn({ name }: JsonObject): string | undefined {
  return typeof name === "string" ? name.replaceAll("$$", () => "$") : undefined;
}

/** Why a program in YAML cannot say these arguments; undefined where it can. */
export function whyNotInYaml(value: unknown): string | undefined {
  if (value === null) return "it holds a null, which Pulumi's YAML leaves out";
  if (Array.isArray(value)) return value.map(whyNotInYaml).find((why) => why !== undefined);
  if (!isObject(value)) return undefined;
  const [call] = Object.keys(value).filter((name) => /^fn::/i.test(name));
  return call === undefined
    ? whyNotInYaml(Object.values(value))
    : `it holds a member ${JSON.stringify(call)}, which Pulumi's YAML takes for a call of a function`;
}

function resourceOf({ links }: LinkedObjects, idFiles: ReadonlyMap<string, string>, one: ProgramObject) {
  const references = new Map(
    (links.get(one) ?? []).map(({ path, to, by }) => [path, `\${${to.name}.${by}}`]),
  );
  const ids = idListNames(one.definition).flatMap((name) => {
    const file = idFiles.get(name);
    return file === undefined ? [] : [[name, { "fn::fileAsset": `./${file}` }]];
  });
  const properties = { ...(written(one.args, [], references) as JsonObject), ...Object.fromEntries(ids) };
  return {
    type: `${configNamespace}:${one.kind}`,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  };
}

/** A value as YAML writes it: references in their places, and no other text that Pulumi would take for one. */
function written(value: unknown, path: Path, references: ReadonlyMap<string, string>): unknown {
  const reference = references.get(pathText(path));
  if (reference !== undefined) return reference;
  if (typeof value === "string") return escaped(value);
  if (Array.isArray(value)) return value.map((one, index) => written(one, [...path, index], references));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [escaped(name), written(one, [...path, name], references)]),
  );
}

/** `$$` stands for `$`, and `${` opens a reference. */
function escaped(text: string): string {
  return text.replace(/\$(?=[${])/g, "$$$$");
}

/** The text of a program. `remarks`: on each resource, in their order. */
function textOf(resources: JsonObject, remarks: readonly (readonly string[])[]): string {
  const document = new Document({ resources }, form);
  const items = (document.get("resources") as { items: Pair<Scalar>[] }).items;
  for (const [index, { key }] of items.entries()) {
    const lines = remarks[index] ?? [];
    key.spaceBefore = index > 0;
    if (lines.length > 0) key.commentBefore = lines.map((line) => ` ${lineText(line)}`).join("\n");
  }
  visit(document, {
    Scalar: (_, node) => {
      if (isScalar(node) && typeof node.value === "string" && hidesSomething(node.value))
        node.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString({ lineWidth: 0 }).replace(unseen, (one) => (one === "\n" ? one : escapeOf(one)));
}

/** True for a text in which a reader does not see all, but for the ends of lines. */
function hidesSomething(text: string): boolean {
  return text.replaceAll("\n", "").search(unseen) >= 0;
}

function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}
