import type { Problem, ResourceDefinition } from "../schema/define";
import { elementName, isObject, type JsonObject, kept, mapped } from "../schema/json";
import { everyMember, type Path, pathText, propertyPath, propertyText } from "../schema/path";
import { withArticle } from "../schema/references";
import { itemsOf, type Node, propertiesOf, type Place as SchemaPlace, treeOf } from "../schema/tree";
import { holdsUnknown } from "../schema/unknown";
import { argumentName, assignment, placeText } from "../texts/argument-names";
import { quote } from "../texts/issue-text";
import { closest } from "../texts/misspelling";
import { sameUnder } from "../values/compare";
import { ownableConcerns, ownsOption } from "../values/console-owned";
import { byKeysThenContent, keysOf, matchedPlaces } from "../values/matching";
import { optionsOf } from "../values/options";

/** The arguments of a resource with paths in `ignoreChanges`. */
export interface IgnoringArguments {
  /** Of last time. */
  readonly olds: JsonObject;
  /** Of now, in which Pulumi has put the values of last time at the ignored paths: these are sent. */
  readonly news: JsonObject;
  /** As the program sets them; undefined where nobody notes that. */
  readonly program?: JsonObject | undefined;
}

/** A value that would go to another element than the one that it belongs to. */
interface StrayValue {
  readonly path: Path;
  readonly node: Node;
  /** The element that gets it, and the one that it is of: in quotes, or in words where they have no names. */
  readonly element: string;
  readonly from: string | undefined;
  readonly value: unknown;
  /** The value that belongs there; undefined where nobody knows. */
  readonly own: unknown;
}

/**
 * Pulumi resets an ignored path by the places of a list: where elements came, went or moved, an element would go live with the value
 * of another one. One problem for each path that does so.
 */
export function strayValueProblems(
  definition: ResourceDefinition,
  paths: readonly string[],
  args: IgnoringArguments,
): Problem[] {
  const found = paths.flatMap((text) => {
    const strays = strayValues(definition, propertyPath(text) ?? [], args);
    const [first] = strays;
    return first === undefined ? [] : [{ path: first.path, message: messageOf(definition, text, strays) }];
  });
  return found.filter(
    ({ path }, at) => found.findIndex((one) => pathText(one.path) === pathText(path)) === at,
  );
}

/** Sentences about paths that lead nowhere: Pulumi ignores nothing for them, and prints nothing. */
export function lostPathTexts(
  definition: ResourceDefinition,
  paths: readonly string[],
  { olds, news }: Pick<IgnoringArguments, "olds" | "news">,
): string[] {
  return paths.flatMap((text) => {
    const path = propertyPath(text) ?? [""];
    if (lostStep(definition, path, [olds, news]) === undefined) return [];
    const place = `${argumentName("ignoreChanges")} ${quote(text)} names no place of ${withArticle(definition.kind)}`;
    const meant = meantPath(definition, path, [olds, news]);
    const advice = meant === undefined ? "." : `; did you mean ${quote(propertyText(meant, [everyMember]))}?`;
    return [`${place}: the update carries out what it was to ignore${advice}`];
  });
}

/** The path that was probably meant; undefined where a step that is lost is near to no name. Pulumi has one form of it for all languages. */
function meantPath(definition: ResourceDefinition, path: Path, sides: readonly unknown[]): Path | undefined {
  const lost = lostStep(definition, path, sides);
  if (lost === undefined) return path;
  const meant = closest(String(path[lost.at]), lost.known);
  return meant === undefined ? undefined : meantPath(definition, path.with(lost.at, meant), sides);
}

/** The place in a path of the first step that neither the schema nor a value has, and the names that it has there. */
function lostStep(
  definition: ResourceDefinition,
  [name = "", ...rest]: Path,
  sides: readonly unknown[],
): { readonly at: number; readonly known: readonly string[] } | undefined {
  const fields = { ...definition.fields, ...optionsOf(definition) };
  if (name === everyMember) return undefined;
  if (!Object.hasOwn(fields, name)) return { at: 0, known: Object.keys(fields) };
  let node = treeOf(definition)[name]?.node;
  let values = sides.map((one) => memberOf(one, name));
  for (const [before, step] of rest.entries()) {
    const at = before + 1;
    const { items, properties, valueType } = node ?? {};
    // Of a value of several forms, or with names of the user's own, any step may be meant.
    if (valueType !== undefined || (items ?? properties) === undefined) return undefined;
    const isIndex = items !== undefined && step !== everyMember;
    if (isIndex && values.every((one) => memberOf(one, step) === undefined)) return { at, known: [] };
    if (properties !== undefined && step !== everyMember && !Object.hasOwn(properties, step))
      return { at, known: Object.keys(properties) };
    if (step === everyMember && items === undefined) return undefined;
    node = items ?? properties?.[step];
    values = values.flatMap((one) =>
      step === everyMember && Array.isArray(one) ? (one as unknown[]) : [memberOf(one, step)],
    );
  }
  return undefined;
}

/** As many values are named; the rest are counted. */
const most = 3;

function messageOf(definition: ResourceDefinition, ignored: string, strays: readonly StrayValue[]): string {
  const texts = strays
    .slice(0, most)
    .map((one, at) => `${at === 0 ? "" : `${placeText(definition, one.path)}: `}${strayText(one)}`);
  const rest = strays.length - texts.length;
  const more = rest > 0 ? `; ${rest} more` : "";
  const goesByName =
    strays.every(({ node }) => node.rollout !== undefined) && ownableConcerns(definition).includes("rollout");
  const instead = goesByName
    ? `Set ${assignment(ownsOption, { rollout: "console" })} in its place, which goes by names, or`
    : "Put the elements back in their places, with new ones last, or";
  return (
    `${texts.join("; ")}${more}. ${argumentName("ignoreChanges")} ${quote(ignored)} goes by places, and the list has moved. ` +
    `${instead} take the path out of ${argumentName("ignoreChanges")} for this update`
  );
}

function strayText({ element, from, value, own }: StrayValue): string {
  const source = from === undefined ? "the program's value" : `the value of ${from}`;
  const instead = own === undefined ? "" : `, and not with ${quote(own)}`;
  return value === undefined
    ? `${element} would go live without its ${quote(own)}`
    : `${element} would go live with ${quote(value)}, ${source}${instead}`;
}

/** A place in the schema and in the values. */
interface Place extends SchemaPlace {
  readonly definition: ResourceDefinition;
  readonly path: Path;
  /** The innermost element of a list that the path leads through. */
  readonly element?: string;
}

type Sides = Readonly<Record<"olds" | "news" | "program", unknown>>;

function strayValues(
  definition: ResourceDefinition,
  [name, ...rest]: Path,
  { olds, news, program }: IgnoringArguments,
): StrayValue[] {
  const node = treeOf(definition)[String(name)]?.node;
  if (name === undefined || node === undefined || node.valueType !== undefined) return [];
  const place = { definition, node, pattern: String(name), path: [name] };
  return straysAt(place, rest, { olds: olds[name], news: news[name], program: program?.[name] });
}

function straysAt(place: Place, path: Path, sides: Sides): StrayValue[] {
  const [step, ...rest] = path;
  const { olds, news, program } = sides;
  if (step === undefined) return strayAt(place, { value: news, own: olds, from: undefined });
  if (Array.isArray(olds) && Array.isArray(news)) return straysInList(place, path, { olds, news, program });
  if (typeof step === "number" || !isObject(olds) || !isObject(news)) return [];
  const names = step === everyMember ? Object.keys({ ...olds, ...news }) : [step];
  return names.flatMap((name) =>
    straysAt(inside(place, name), rest, {
      ...{ olds: olds[name], news: news[name] },
      program: isObject(program) ? program[name] : undefined,
    }),
  );
}

/** Lists of one place. `program` tells its elements apart where it is known: an ignored path may lead to their names. */
interface Lists {
  readonly olds: readonly unknown[];
  readonly news: readonly unknown[];
  readonly program: unknown;
}

function straysInList(place: Place, [step, ...rest]: Path, { olds, news, program }: Lists): StrayValue[] {
  const known = Array.isArray(program) && program.length === news.length ? program : undefined;
  const elements: readonly unknown[] = known ?? news;
  const former = formerPlaces(place, rest, elements, olds);
  return news.flatMap((one, at) => {
    if (step !== everyMember && step !== at) return [];
    const below = { ...inside(place, at), element: quotedName(elements[at]) ?? "this element" };
    const from = former[at];
    if (from === at) return straysAt(below, rest, { olds: olds[at], news: one, program: known?.[at] });
    // Of a new element nobody but the program knows the value, and behind the end of the former list Pulumi resets nothing.
    if (from === undefined && (known === undefined ? at >= olds.length : false)) return [];
    const owner = from === undefined ? known?.[at] : olds[from];
    const isReset = at < olds.length;
    return placesUnder(below, rest, [one, owner, isReset ? olds[at] : undefined]).flatMap(
      ({ at: inner, values: [value, own, other] }) =>
        strayAt(inner, {
          value,
          own,
          from:
            isReset && sameUnder(inner.node, value, other) ? (quotedName(olds[at]) ?? "another") : undefined,
        }),
    );
  });
}

function strayAt(
  { node, pattern, definition, path, element }: Place,
  { value, own, from }: Pick<StrayValue, "value" | "own" | "from">,
): StrayValue[] {
  if (element === undefined || holdsUnknown(value) || holdsUnknown(own)) return [];
  if (sameUnder(node, value, own, { definition, pattern })) return [];
  return [{ path, node, element, from, value, own }];
}

/**
 * For each element, the place of its counterpart of last time: by keys, then by content. An element of no other key that
 * was changed stands at its place.
 */
function formerPlaces(
  place: Place,
  ignored: Path,
  elements: readonly unknown[],
  olds: readonly unknown[],
): (number | undefined)[] {
  const items = itemsOf(place.node) ?? {};
  const under = { definition: place.definition, pattern: `${place.pattern}[]` };
  const compared = (list: readonly unknown[]) => list.map((one) => without(one, ignored));
  const same = (one: unknown, other: unknown) => sameUnder(items, one, other, under);
  const places = matchedPlaces(compared(elements), compared(olds), [
    ...byKeysThenContent(items, place.node.keyedBy, same),
    { same: (one, other) => !isObject(one) && same(one, other) },
  ]);
  const taken = new Set(places);
  const isKeyed = keysOf(items, place.node.keyedBy).length > 0;
  return places.map((found, at) => {
    if (found !== undefined || taken.has(at) || at >= olds.length) return found;
    return holdsUnknown(elements[at]) || !isKeyed ? at : undefined;
  });
}

/** A place with what several values have there. */
interface ValuesAt {
  readonly at: Place;
  readonly values: readonly unknown[];
}

/** The places under a value to which a path leads, in any of the values. */
function placesUnder(at: Place, [step, ...rest]: Path, values: readonly unknown[]): ValuesAt[] {
  if (step === undefined) return [{ at, values }];
  const steps = step === everyMember ? [...new Set(values.flatMap(stepsOf))] : [step];
  return steps.flatMap((one) =>
    placesUnder(
      inside(at, one),
      rest,
      values.map((value) => memberOf(value, one)),
    ),
  );
}

function stepsOf(value: unknown): (string | number)[] {
  if (Array.isArray(value)) return [...value.keys()];
  return isObject(value) ? Object.keys(value) : [];
}

function memberOf(value: unknown, step: string | number): unknown {
  const isHolder = typeof step === "number" ? Array.isArray(value) : isObject(value);
  return isHolder ? (value as Record<string | number, unknown>)[step] : undefined;
}

/** A value without what an ignored path names in it. */
function without(value: unknown, [step, ...rest]: Path): unknown {
  if (step === undefined) return value;
  const meant = (one: string | number) => step === everyMember || step === one;
  const isLast = rest.length === 0;
  if (Array.isArray(value))
    return value.map((one: unknown, at) => (meant(at) ? (isLast ? null : without(one, rest)) : one));
  if (!isObject(value)) return value;
  const staying = isLast ? kept(value, (name) => !meant(name)) : value;
  return mapped(staying, (one, name) => (meant(name) ? without(one, rest) : one));
}

function inside(place: Place, step: string | number): Place {
  const { node, pattern, path } = place;
  const inner = typeof step === "number" ? itemsOf(node) : propertiesOf(node)?.[step];
  const below = typeof step === "number" ? `${pattern}[]` : `${pattern}.${step}`;
  return { ...place, node: inner ?? {}, pattern: below, path: [...path, step] };
}

function quotedName(element: unknown): string | undefined {
  const name = elementName(element);
  return name === undefined ? undefined : quote(name);
}
