import type { ObjectDefinition, Problem, ResourceDefinition } from "./define";
import type { MeantKind } from "./field";
import { isDigest } from "./id-digest";
import { isObject, type JsonObject } from "./json";
import { type Path, pathText } from "./path";
import { type Node, treeOf } from "./tree";

/** A value of arguments that stands for another object. */
export interface Reference {
  readonly path: Path;
  readonly value: unknown;
  /** Whether the value is the object's id or its name. */
  readonly by: "id" | "name";
  /** The kind that is meant, in camelCase. */
  readonly kind: string;
  /** What takes it, in a message: `"layerID"`, or `condition "passes_segment"`. */
  readonly taker: string;
  /** What the console fills in at this place, and so knows. */
  readonly standard: unknown;
}

/** Every place of arguments that stands for another object, by the facts `refersTo` and `names`. */
export function referencesIn(definition: ObjectDefinition, args: JsonObject): Reference[] {
  return Object.entries(treeOf(definition)).flatMap(([name, { node }]) => walk(node, args[name], [name], {}));
}

function walk(node: Node, value: unknown, path: Path, holder: JsonObject): Reference[] {
  if (value === undefined || value === null || isDigest(value)) return [];
  const variants = [node, ...(node.anyOf ?? []), ...(node.anyOf ?? []).flatMap((one) => one.anyOf ?? [])];
  if (Array.isArray(value)) {
    const items = variants.find((one) => one.items !== undefined)?.items ?? {};
    const { refersTo, names } = node;
    // What an array means its elements mean.
    const element: Node = { ...(refersTo && { refersTo }), ...(names && { names }), ...items };
    return value.flatMap((item: unknown, index) => walk(element, item, [...path, index], holder));
  }
  const properties = variants.find((one) => one.properties !== undefined)?.properties;
  if (isObject(value)) {
    return Object.entries(properties ?? {}).flatMap(([name, inner]) =>
      Object.hasOwn(value, name) ? walk(inner, value[name], [...path, name], value) : [],
    );
  }
  const standard = node.serverDefault;
  return (["id", "name"] as const).flatMap((by): Reference[] => {
    const meant = meantBy(by === "id" ? node.refersTo : node.names, path, holder);
    return meant === undefined ? [] : [{ path, value, by, standard, ...meant }];
  });
}

function meantBy(
  fact: MeantKind | undefined,
  path: Path,
  holder: JsonObject,
): Pick<Reference, "kind" | "taker"> | undefined {
  if (fact === undefined) return undefined;
  if (typeof fact === "string") return { kind: fact, taker: `"${String(path.findLast(isName))}"` };
  const said = holder[fact.by];
  if (typeof said !== "string" || !Object.hasOwn(fact.of, said)) return undefined;
  return { kind: fact.of[said] as string, taker: `${fact.as} "${said}"` };
}

function isName(step: string | number): boolean {
  return typeof step === "string";
}

/**
 * Findings about resources in places where one of another kind is meant. `kinds`: path as text -> PascalCase kind of the
 * resource that the program passed there; what is not in it may be anything.
 */
export function wrongKindProblems(
  definition: ResourceDefinition,
  args: JsonObject,
  kinds: Readonly<Record<string, string>>,
): Problem[] {
  return referencesIn(definition, args).flatMap(({ path, by, kind: meant, taker }): Problem[] => {
    const text = pathText(path);
    const found = Object.hasOwn(kinds, text) ? kinds[text] : undefined;
    if (found === undefined) return [];
    const needed = `${taker} takes ${by === "id" ? withArticle(meant) : `the name of ${withArticle(meant)}`}`;
    if (camelCase(found) !== meant)
      return [
        { path, message: `found ${withArticle(found)} where ${withArticle(meant)} is meant: ${needed}` },
      ];
    if (by === "id") return [];
    return [{ path, message: `found ${withArticle(found)}, which stands for its id: ${needed}` }];
  });
}

/** The name of a kind in a sentence, from any of its forms: "dynamic config". */
export function kindInWords(kind: string): string {
  return kind.replaceAll(/(?<=[a-z0-9])[A-Z]/g, " $&").toLowerCase();
}

function withArticle(kind: string): string {
  // The kind of which there is one is called by what it holds: "environments".
  const words = kindInWords(kind).replace(/s$/, "");
  return `${/^[aeio]/.test(words) ? "an" : "a"} ${words}`;
}

function camelCase(kind: string): string {
  return kind.charAt(0).toLowerCase() + kind.slice(1);
}
