import type { ObjectDefinition, Problem, ResourceDefinition } from "./define";
import type { MeantKind } from "./field";
import { isObject, type JsonObject } from "./json";
import { memoized } from "./memoized";
import { type Path, pathText } from "./path";
import { itemsOf, type Node, nodesOf, propertiesOf } from "./tree";

/** A value of arguments that stands for another object. */
export interface Reference {
  readonly path: Path;
  readonly value: unknown;
  /** Sort of the value: the object's id or its name. */
  readonly by: "id" | "name";
  /** The kind that is meant, in camelCase. */
  readonly kind: string;
  /** Taker of the value, in a message: `"layerID"`, or `condition "passes_segment"`. */
  readonly taker: string;
  /** Value that the console fills in at this place, and so knows. */
  readonly standard: unknown;
  /** The value beside it tells what is meant, as in a condition: whoever evaluates the one evaluates the other. */
  readonly isAsked: boolean;
}

/** Every place of arguments that stands for another object, by the traits `refersTo` and `names`. */
export function referencesIn(definition: ObjectDefinition, args: JsonObject): Reference[] {
  return membersIn(placesOf(definition), args, []);
}

/** A part of a value with a reference in it. */
interface Place extends Meaning {
  readonly standard: unknown;
  /** Undefined where it is no array by its schema: elements then mean what it means. */
  readonly elements: Place | undefined;
  readonly members: Places;
}

interface Meaning {
  readonly refersTo?: MeantKind | undefined;
  readonly names?: MeantKind | undefined;
}

type Places = ReadonlyMap<string, Place>;

/** The places of a definition alone: most members of most objects refer to nothing, and need not be searched. */
const placesOf = memoized((definition: ObjectDefinition) => placesAmong(nodesOf(definition)));

function placesAmong(nodes: Readonly<Record<string, Node>>): Places {
  return new Map(
    Object.entries(nodes).flatMap(([name, node]): [string, Place][] => {
      const place = placeOf(node, node);
      return place === undefined ? [] : [[name, place]];
    }),
  );
}

function placeOf(node: Node, { refersTo, names }: Meaning): Place | undefined {
  const items = itemsOf(node);
  // Elements of an array mean the same as the array.
  const meant = { refersTo: items?.refersTo ?? refersTo, names: items?.names ?? names };
  const elements = items && placeOf(items, meant);
  const members = placesAmong(propertiesOf(node) ?? {});
  if (!refersTo && !names && elements === undefined && members.size === 0) return undefined;
  return { refersTo, names, standard: node.serverDefault, elements, members };
}

function membersIn(places: Places, value: JsonObject, path: Path): Reference[] {
  return [...places].flatMap(([name, place]) =>
    Object.hasOwn(value, name) ? walk(place, value[name], [...path, name], value) : [],
  );
}

function walk(place: Place, value: unknown, path: Path, holder: JsonObject): Reference[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) {
    const elements = place.elements ?? place;
    return value.flatMap((item: unknown, index) => walk(elements, item, [...path, index], holder));
  }
  if (isObject(value)) return membersIn(place.members, value, path);
  const { refersTo, names, standard } = place;
  const found: Reference[] = [];
  const id = refersTo === undefined ? undefined : meantKind(refersTo, path, holder);
  if (id !== undefined)
    found.push({ path, value, by: "id", standard, isAsked: typeof refersTo === "object", ...id });
  const name = names === undefined ? undefined : meantKind(names, path, holder);
  if (name !== undefined) found.push({ path, value, by: "name", standard, isAsked: false, ...name });
  return found;
}

function meantKind(
  fact: MeantKind,
  path: Path,
  holder: JsonObject,
): Pick<Reference, "kind" | "taker"> | undefined {
  if (typeof fact === "string")
    return { kind: fact, taker: `"${String(path.findLast((step) => typeof step === "string"))}"` };
  const tag = holder[fact.by];
  if (typeof tag !== "string" || !Object.hasOwn(fact.of, tag)) return undefined;
  return { kind: fact.of[tag] as string, taker: `${fact.as} "${tag}"` };
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

/** Some names and all that follow from them, one by way of the other, the nearest first. */
export function reachedFrom(names: Iterable<string>, next: (name: string) => Iterable<string>): Set<string> {
  const reached = new Set(names);
  // The walk comes to what it adds.
  for (const one of reached) for (const other of next(one)) reached.add(other);
  return reached;
}

/** The name of a kind in a sentence, from any of its forms: "dynamic config". */
export function kindInWords(kind: string): string {
  return kind.replaceAll(/(?<=[a-z0-9])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z]{2})/g, " $&").toLowerCase();
}

/** `an alert`. */
export function withArticle(kind: string): string {
  // The kind of which there is one is called by what it holds: "environments".
  const words = kindInWords(kind).replace(/s$/, "");
  return `${/^[aeio]/.test(words) ? "an" : "a"} ${words}`;
}

function camelCase(kind: string): string {
  return kind.charAt(0).toLowerCase() + kind.slice(1);
}
