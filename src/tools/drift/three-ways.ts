import { isArchived, stateNames } from "../../provider/decisions/plan";
import { isFormerDigest } from "../../provider/id-lists/digest";
import { idList } from "../../provider/id-lists/value-type";
import type { Change } from "../../provider/schema/audit";
import type { ResourceDefinition } from "../../provider/schema/define";
import { equalJson, isObject, type JsonObject } from "../../provider/schema/json";
import type { Path } from "../../provider/schema/path";
import { canonicalLive, isNothing, meaning, sameMeaning } from "../../provider/values/compare";
import { isStatusOfConsole, ownsOption } from "../../provider/values/console-owned";
import { managedBefore, managedNames, managedView, viewOf } from "../../provider/values/managed";
import { optionsOf } from "../../provider/values/options";
import { restrictToArgs } from "../../provider/values/sparse-values";
import { ruleChangesText } from "../../provider/words/rule-changes-text";
import type { Resource } from "../stack/resources";
import type { Live } from "./live";
import { differingPlaces, type Place, type Sides, type Views } from "./sides";

/**
 * How a difference came about. `changed`: the console has something else than was applied and than the program sets.
 * `pending`: the program sets something else than was applied, and nobody touched the console. `settled`: console and
 * program agree, and the state does not know yet.
 */
export type Standing = "changed" | "pending" | "settled";

/** One place at which console, state and program are not the same. */
export interface Difference extends Sides {
  /** The argument. */
  readonly name: string;
  readonly path: Path;
  /** The place as a user reads it, such as `rules[0].passPercentage`. */
  readonly label: string;
  readonly standing: Standing;
  /** Its values may not be shown. */
  readonly secret: boolean;
  /** State has the console's value already: who set it is not known, because the last change may be another one. */
  readonly isSeen?: true;
}

/** An argument that the console has otherwise than the program, and what the program would have to say. */
export interface NewValue {
  readonly name: string;
  /** What the program says now; undefined where it is silent. */
  readonly wanted: unknown;
  /** Undefined: it says no more. */
  readonly live: unknown;
  /** The argument in whose place it stands: of two that say the same thing only one may be said. */
  readonly instead?: string;
  /** It is to be set even where silence means the same: the program takes it over from the console. */
  readonly isExplicit?: boolean;
}

/** What became of one resource. */
export interface Comparison {
  readonly resource: Resource;
  /**
   * `same` and `differs`: it is in all three. `gone`: it was deleted in the console. `new`: the program has it and
   * state does not. `dropped`: state has it and the program does not.
   */
  readonly what: "same" | "differs" | "gone" | "new" | "dropped";
  readonly differences: readonly Difference[];
  /** What changed in lists of named objects, in words. */
  readonly words: readonly string[];
  readonly values: readonly NewValue[];
  /** The object as it is. */
  readonly live: JsonObject | undefined;
  /** Of an object that is gone: another one has its id now. */
  readonly hasOther?: boolean;
  /** The change that the audit log shows: of an object that is gone its deletion, of another one its last change. */
  readonly audited?: Change;
}

/**
 * Compares what was applied, what the console has and what the program sets, by the meaning that the definition gives. `hasOther`: the
 * console has another object under the id of one that is gone.
 */
export function compareThree(resource: Resource, live: Live | undefined, hasOther = false): Comparison {
  const nothing = { resource, differences: [], words: [], values: [], live: live?.outputs };
  if (resource.applied === undefined) return { ...nothing, what: "new" };
  if (live === undefined) return { ...nothing, what: "gone", ...(hasOther ? { hasOther } : {}) };
  const compared = comparedFields(resource, live);
  const differences = compared.flatMap(({ places, name }) =>
    places.map((place): Difference => ({ ...place, name, ...marksOf(resource, place) })),
  );
  const shown = differences.filter(({ label, name }) => !isIgnored(resource, label, name));
  const names = new Set(shown.map(({ name }) => name));
  const touched = compared.filter(({ name }) => names.has(name));
  return {
    ...nothing,
    what: resource.wanted === undefined ? "dropped" : shown.length > 0 ? "differs" : "same",
    differences: shown,
    words: touched.flatMap((one) => wordsOf(resource, one)),
    values: touched.flatMap(({ value }) => (value === undefined ? [] : [value])),
  };
}

/** True where somebody changed the object in the console. */
export function isDrift({ what, differences }: Comparison): boolean {
  return what === "gone" || differences.some(({ standing }) => standing === "changed");
}

/** True for a place that somebody in the console and the program have both changed, to different values. */
export function isChangedByBoth({ standing, applied, wanted }: Difference): boolean {
  const isInBoth = applied !== undefined && wanted !== undefined;
  return standing === "changed" && isInBoth && !equalJson(applied, wanted);
}

interface Compared {
  readonly name: string;
  readonly sides: Sides;
  readonly places: readonly Place[];
  readonly value: NewValue | undefined;
}

function comparedFields(resource: Resource, live: Live): Compared[] {
  const { definition, applied, wanted } = resource;
  const inputs = applied?.inputs ?? {};
  const managed = managedBefore(applied?.outputs ?? {});
  const saidNames = managedNames(definition, wanted ?? {});
  const states = stateNames(definition);
  // What another name of the state says now is told there, and what the console owns nowhere.
  const isMoved = (name: string) => states.includes(name) && saidNames.some((one) => states.includes(one));
  const isTheirs = (name: string) => isStatusOfConsole(definition, name, wanted ?? inputs, live.outputs);
  const names = new Set(
    [...saidNames, ...managed.filter((name) => !isMoved(name))].filter((name) => !isTheirs(name)),
  );
  const lastProgram = Object.fromEntries([...managed, ownsOption].map((name) => [name, inputs[name]]));
  const now = managedView(definition, { live: live.outputs, program: wanted, lastProgram });
  const fields = [...names].map((name): Compared => {
    const said = wanted?.[name];
    const sides = {
      applied: appliedArgument(resource, name),
      live: liveArgument(resource, live, now, name),
      wanted: said,
    };
    const isNew = said !== undefined && !isSame(definition, name, sides.live, said);
    const value = isNew || said === undefined ? { name, wanted: said, live: sides.live } : undefined;
    return { name, sides, places: placesOf(definition, name, sides), value };
  });
  const differing = fields.filter(({ places }) => places.length > 0);
  return [...withState(resource, live, differing), ...optionPlaces(resource)];
}

/** What was applied; of an argument that the program sets for the first time, what the console had when it was last seen. */
function appliedArgument({ definition, applied, wanted }: Resource, name: string): unknown {
  const previous = applied?.inputs[name];
  const { remembered, readsOtherId } = definition.fields[name]?.traits ?? {};
  const isManaged = managedBefore(applied?.outputs ?? {}).includes(name);
  if (previous !== undefined || isManaged || remembered === true || readsOtherId === true) return previous;
  return seenArgument(definition, name, applied?.outputs ?? {}, wanted?.[name]);
}

/** What state has of an argument from when the object was last seen, as far as the program would set it. */
export function seenArgument(
  definition: ResourceDefinition,
  name: string,
  outputs: JsonObject,
  argument: unknown,
): unknown {
  const seen = canonicalLive(definition, name, viewOf(definition, outputs)[name]);
  return restrictToArgs(definition, name, seen, argument) ?? undefined;
}

/** What the program would have to say for what the console has. */
export function liveArgument(resource: Resource, live: Live, now: JsonObject, name: string): unknown {
  const { definition, applied, wanted } = resource;
  const { remembered, readsOtherId } = definition.fields[name]?.traits ?? {};
  const previous = applied?.inputs[name];
  // What no read shows is taken to be what was applied.
  if (remembered === true) return previous;
  const said = wanted?.[name] ?? previous;
  const there = now[name];
  if (readsOtherId === true && !isNothing(there) && !isNothing(said)) return previous;
  if (wanted?.[name] === undefined) return live.inputs[name];
  const comparable = restrictToArgs(definition, name, canonicalLive(definition, name, there), said, previous);
  return isSame(definition, name, comparable, said) ? said : (comparable ?? undefined);
}

/** Sets of ids stand here as Pulumi shows them. Their hashes tell them apart; of a large set of an earlier version, the number. */
function isSame(definition: ResourceDefinition, name: string, one: unknown, other: unknown): boolean {
  if (definition.fields[name]?.traits.valueType !== idList) return sameMeaning(definition, name, one, other);
  const isFormer = isFormerDigest(one) || isFormerDigest(other);
  const contentOf = (ids: unknown) =>
    isObject(ids) && ids.count !== 0 ? ids[isFormer ? "count" : "hash"] : undefined;
  return contentOf(one) === contentOf(other);
}

/** The places at which views of an argument differ in meaning; each view is compared with the one before it. */
export function placesOf<Name extends string>(
  definition: ResourceDefinition,
  name: string,
  views: Views<Name>,
): Place<Name>[] {
  const given: [string, unknown][] = Object.entries(views);
  const isAsBefore = (index: number) => isSame(definition, name, given[index - 1]?.[1], given[index]?.[1]);
  // Of ids all that is known is how many there are and that they are others.
  if (definition.fields[name]?.traits.valueType === idList) {
    const isQuiet = given.every((_, index) => index === 0 || isAsBefore(index));
    return isQuiet ? [] : [{ ...views, path: [name], label: name }];
  }
  let before: unknown;
  const meanings = given.map(([view, value], index) => {
    if (index === 0 || !isAsBefore(index)) before = meaning(definition, name, value) ?? undefined;
    return [view, before];
  });
  return differingPlaces(Object.fromEntries(meanings) as Views<Name>, [name], name);
}

/**
 * A move of the object from one state to another, of which the program may be silent, or which it says by another argument
 * (`isEnabled` for `status`) that does not tell all of it.
 */
function withState(resource: Resource, live: Live, fields: readonly Compared[]): Compared[] {
  const { definition, applied, wanted } = resource;
  const field = definition.lifecycle.archived?.field;
  if (field === undefined || wanted === undefined) return [...fields];
  if (isStatusOfConsole(definition, field, wanted, live.outputs)) return [...fields];
  const [from, to] = [applied?.outputs[field], live.outputs[field]];
  if (wanted[field] !== undefined || from === undefined || to === undefined || from === to)
    return [...fields];
  const twins = stateNames(definition).filter((name) => name !== field && wanted[name] !== undefined);
  const isTold = fields.some(({ name }) => twins.includes(name));
  if (isTold && !isArchived(definition, live.outputs)) return [...fields];
  const sides = { applied: from, live: to, wanted: undefined };
  const [instead] = twins;
  const value = { name: field, wanted: undefined, live: to, ...(instead === undefined ? {} : { instead }) };
  const moved = { name: field, sides, places: [{ ...sides, path: [field], label: field }], value };
  return [...fields.filter(({ name }) => !twins.includes(name)), moved];
}

/** Options of the program that have not been applied; the console knows nothing of them. */
function optionPlaces({ definition, applied, wanted }: Resource): Compared[] {
  if (wanted === undefined) return [];
  return Object.keys(optionsOf(definition)).flatMap((name) => {
    const previous = applied?.inputs[name];
    const sides = { applied: previous, live: previous, wanted: wanted[name] };
    if (equalJson(previous, wanted[name])) return [];
    return [{ name, sides, places: [{ ...sides, path: [name], label: name }], value: undefined }];
  });
}

function marksOf(resource: Resource, place: Place): Pick<Difference, "standing" | "secret"> {
  const { applied, live, wanted, path } = place;
  const isSame = (one: unknown, other: unknown) => equalJson(one, other);
  const standing = isSame(applied, live) ? "pending" : isSame(live, wanted) ? "settled" : "changed";
  return { standing, secret: isSecret(resource, path) };
}

/** True for a place that nothing may show. */
export function isSecret({ definition, secrets }: Resource, [name]: Path): boolean {
  return (
    definition.fields[String(name)]?.traits.secret === true ||
    // What is inside a list may stand elsewhere by now: what holds a secret anywhere is not shown at all.
    secrets.some(([first]) => first === name)
  );
}

/** Of an ignored path only its beginning counts: the rest may name elements by their places, which move. `*`: any place. */
export function isIgnored({ ignored }: Resource, label: string, name: string): boolean {
  return ignored.some((path) => {
    if (path === name || path === "*") return true;
    const pattern = escaped(path).replaceAll("\\[\\*\\]", "\\[[^\\]]*\\]").replaceAll("\\.\\*", "[.[].*");
    return new RegExp(`^${pattern}(?:$|[.[])`).test(label);
  });
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function wordsOf({ definition, secrets }: Resource, { name, sides }: Compared): string[] {
  if (definition.fields[name]?.traits.namedList !== true || secrets.some(([first]) => first === name))
    return [];
  const [applied, live, wanted] = [sides.applied, sides.live, sides.wanted].map((list) =>
    meaning(definition, name, list),
  );
  const inConsole = equalJson(applied, live) ? undefined : ruleChangesText(applied, live);
  const isPending = wanted !== undefined && !equalJson(applied, wanted) && !equalJson(live, wanted);
  const inProgram = isPending ? ruleChangesText(applied, wanted) : undefined;
  return [
    ...(inConsole === undefined ? [] : [`${name}: ${inConsole}`]),
    ...(inProgram === undefined ? [] : [`${name}, not applied yet: ${inProgram}`]),
  ];
}
