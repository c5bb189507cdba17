import { inputNames, type ResourceDefinition } from "../schema/define";
import { equalJson, type JsonObject, mapped } from "../schema/json";
import { type Path, pathText } from "../schema/path";
import { itemsOf, type Node, propertiesOf, treeOf } from "../schema/tree";
import { UNKNOWN } from "../schema/unknown";
import { escaped } from "../texts/secret-texts";
import { carriedRollouts } from "../values/carried-rollouts";
import { canonicalLive, isNothing, meaning, sameMeaning } from "../values/compare";
import { consoleOwns, isStatusOfConsole, ownsOption } from "../values/console-owned";
import { managedView, objectValues, viewOf } from "../values/managed";
import { optionsOf, overwriteOption } from "../values/options";
import { withUnknownRollout } from "../values/owned-arguments";
import { differingPlaces, namesFor, orderOf, type Place, valueIn } from "../values/places";
import { hasSteps } from "../values/rollout";
import { restrictToArgs } from "../values/sparse-values";
import { exclusiveWith, isArchived, stateNames } from "../values/states";
import type { Values } from "../values/walk";
import { consoleEdits } from "./console-edits";
import { changesInArchive, changesOf, comesBack, isArchivedUnseen, plan } from "./plan";

/** The side whose value counts at a place. */
export type Decider = "program" | "console" | "server";

/** The trait of a field, or the option of a resource, by which a side decides. */
export type DecidingTrait =
  | "ignoreChanges"
  | "option"
  | "output"
  | "serverSet"
  | "owns"
  | "rollout"
  | "archived"
  | "aliasOf"
  | "clearWith"
  | "unset"
  | "writeOnly"
  | "readsOtherId"
  | "replaces"
  | "fixed"
  | "argument";

/** The part of the next update, without a refresh, at one place. */
export type Effect =
  /** The console, or its computation, decides. */
  | "leaves"
  /** Program and console agree, and state takes the value over. */
  | "agrees"
  /** Nothing differs from state but the console: no update looks. */
  | "unseen"
  | "nothing"
  /** Other changes of the object are sent, and the console's value stays here. */
  | "keeps"
  /** A part of the console's value stays, and the program's changes of the rest are sent: of a rule that a person renamed, say. */
  | "joins"
  /** Program and console both changed this place. */
  | "conflicts"
  /** They both changed another one, for which the whole update is refused. */
  | "waits"
  /** The object is archived and stays so, with other arguments. */
  | "refused in the archive"
  | "replaces"
  | "notes the option"
  | "revives"
  /** Another argument of the same meaning decides. */
  | "follows"
  | "clears"
  | "sends"
  /** The last update sent it too, and the console stored another value. */
  | "sends again"
  /** The last update opened a review of it, which is not decided. */
  | "in review";

/** A place at which an object differs from the program, or from what was seen or set last: the one model of a change. */
export interface Change extends Place {
  readonly decidedBy: Decider;
  readonly trait: DecidingTrait;
  readonly effect: Effect;
  /** Places for which the whole update is refused, where this is none of them. */
  readonly waitsFor?: readonly string[];
}

/** An object that is compared. */
export interface ComparedObject {
  readonly definition: ResourceDefinition;
  /** Without `program` the program has no such resource. */
  readonly values: Values<JsonObject> & { readonly live: JsonObject };
  /** Paths of which the program ignores changes. */
  readonly ignored?: readonly string[];
  /** The provider's setting overwriteConsoleEdits. */
  readonly overwrites?: boolean;
  /** Arguments whose last change waits for a review: the console does not have it yet. */
  readonly inReview?: readonly string[];
  /** Pulumi replaces it, and creates first: the create brings an archived object back, whoever archived it. */
  readonly createsFirst?: boolean;
}

/** An argument, and for each source the value that a program would set. */
export interface ArgumentValues extends Values {
  readonly name: string;
}

/** Every place at which the values of an object differ, whoever decides there, with the effect of the next update. Pure. */
export function changes(object: ComparedObject): Change[] {
  const update = updateOf(object);
  return argumentValues(object).flatMap(({ name, ...values }) =>
    differingPlaces(object.definition, name, values).map((place) => changeIn(object, place, update)),
  );
}

/**
 * The same of one place, whether its values differ or not; undefined where none of them has it and no program could set it. A number
 * or a name is the step to an element of a list.
 */
export function changeAt(
  object: ComparedObject,
  { path, label }: Pick<Place, "path" | "label">,
): Change | undefined {
  const { program, lastProgram, seen, live } = object.values;
  const [name] = path;
  const isInput = inputNames(object.definition).includes(String(name));
  const all = { lastProgram: isInput ? lastProgram : undefined, seen, live, program };
  const named = namesFor(program ?? lastProgram, path);
  if (!isPlace(object.definition, Object.values(all), named)) return undefined;
  const place = { ...each(all, (value) => valueIn(value, named)), path: named, label };
  if (decisionAt(object, place).decidedBy !== "program") return changeIn(object, place, updateOf(object));
  // Members that the console adds to an argument are no difference of it.
  const own = argumentValues(object).find((one) => one.name === name);
  const inOwn = each(own ?? {}, (value) => valueIn(value, named.slice(1)));
  if (Object.values(inOwn).some((value) => value !== undefined) || named.length === 1)
    return changeIn(object, { ...place, ...inOwn }, updateOf(object));
  return { ...place, ...by("console", "unset"), effect: "leaves" };
}

/** Values of each source; members beside them are left out. */
function each({ program, lastProgram, seen, live }: Values, pick: (value: unknown) => unknown): Values {
  return { lastProgram: pick(lastProgram), seen: pick(seen), live: pick(live), program: pick(program) };
}

/** False for an element that none of these values has, and for a member that none has and no program could set. */
function isPlace(definition: ResourceDefinition, values: readonly unknown[], path: Path): boolean {
  const [holder, last] = [path.slice(0, -1), path.at(-1) ?? ""];
  if (holder.length === 0 || values.some((one) => valueIn(one, path) !== undefined)) return true;
  const members = propertiesOf(nodesTo(definition, holder).at(-1) ?? {});
  return members?.[last] !== undefined && isPlace(definition, values, holder);
}

/** The arguments that the program sets or set last time, those that show a state which it does not set, and its options. */
export function argumentValues(object: ComparedObject): ArgumentValues[] {
  const { definition, values } = object;
  const { program, lastProgram = {}, seen = {}, live } = values;
  const views = { seen: viewOf(definition, seen), live: managedView(definition, values) };
  const state = isMoved(object, views.live) ? definition.lifecycle.archived?.field : undefined;
  // The state tells more than a switch that shows it too.
  const twins = state === undefined || seen[state] === live[state] ? [] : stateNames(definition);
  const names = inputNames(definition).filter((name) => {
    if (name === state) return true;
    if (twins.includes(name)) return false;
    return program?.[name] !== undefined || name in lastProgram || isSwitchedOff(object, views.live, name);
  });
  const options = program === undefined ? [] : Object.keys(optionsOf(definition));
  return [
    ...names.map((name) => ({
      name,
      lastProgram: lastProgram[name],
      seen: argumentIn(object, name, views.seen),
      live: argumentIn(object, name, views.live),
      program: program?.[name],
    })),
    // The console stores no option.
    ...options.map((name) => {
      const last = seen[name];
      return { name, lastProgram: last, seen: last, live: last, program: program?.[name] };
    }),
  ];
}

/** The value that a program would set for what a view of the object has, as far as it sets it or set it last time. */
function argumentIn({ definition, values }: ComparedObject, name: string, view: JsonObject): unknown {
  const last = values.lastProgram?.[name];
  const argument = values.program?.[name] ?? last;
  const { remembered, readsOtherId } = definition.fields[name]?.traits ?? {};
  // A value that no read shows counts as it was set last.
  if (remembered === true) return last;
  if (readsOtherId === true && !isNothing(view[name]) && !isNothing(argument)) return last;
  const shown = canonicalLive(definition, name, view[name]);
  const own = restrictToArgs(definition, name, { program: argument, lastProgram: last, live: shown });
  return sameMeaning(definition, name, own, argument) ? argument : (own ?? undefined);
}

/** True for an object in another state than was seen, or in the archive, of which the program sets nothing that shows it. */
function isMoved({ definition, values }: ComparedObject, view: JsonObject): boolean {
  const field = definition.lifecycle.archived?.field;
  const { program, lastProgram = {}, seen = {}, live } = values;
  if (field === undefined || program === undefined || program[field] !== undefined) return false;
  if (isStatusOfConsole(definition, field, program, live)) return false;
  if (isArchived(definition, live)) return true;
  const [from, to] = [seen[field], live[field]];
  if (from === undefined || to === undefined || from === to) return false;
  // The other argument that the program sets may show the move itself.
  return !stateNames(definition).some(
    (name) =>
      program[name] !== undefined &&
      [view, lastProgram].some((one) => !sameMeaning(definition, name, one[name], program[name])),
  );
}

/** True for a switch that is off, and that the program does not set. */
function isSwitchedOff(
  { definition, values, ignored }: ComparedObject,
  view: JsonObject,
  name: string,
): boolean {
  const { program, lastProgram = {}, live } = values;
  if (definition.fields[name]?.traits.isSwitch !== true || program === undefined) return false;
  if (view[name] !== false || isArchived(definition, live)) return false;
  return ![name, ...exclusiveWith(definition, name)].some(
    (one) => program[one] !== undefined || one in lastProgram || isIgnored(ignored, one, one),
  );
}

/** Of an ignored path only its beginning counts: the rest may name elements by their places, which move. `*`: any place. */
function isIgnored(ignored: readonly string[] = [], label: string, name: string): boolean {
  return ignored.some((path) => {
    if (path === name || path === "*") return true;
    const pattern = escaped(path).replaceAll("\\[\\*\\]", "\\[[^\\]]*\\]").replaceAll("\\.\\*", "[.[].*");
    return new RegExp(`^${pattern}(?:$|[.[])`).test(label);
  });
}

/** The next update of a whole object, without a refresh. */
interface Update {
  readonly how: "nothing" | "update" | "replace";
  /** Arguments that only the console changed. */
  readonly left: readonly string[];
  /** Values to send of arguments that both changed, where the console's stay in part. */
  readonly merged: JsonObject;
  /** Places for which the update is refused. */
  readonly conflicts: readonly Path[];
  /** The argument that shows that the object was archived since it was seen: for that the update is refused, too. */
  readonly archived?: string;
  readonly isInArchive: boolean;
}

/** Decided as the engine decides it. */
function updateOf({ definition, values, overwrites, createsFirst }: ComparedObject): Update {
  const { program = {}, seen = {}, live } = values;
  const planned = plan(definition, seen, program);
  const isRevived = createsFirst && comesBack(definition, live, program);
  if (planned.how !== "update" || isRevived)
    return { how: planned.how, left: [], merged: {}, conflicts: [], isInArchive: false };
  const known = objectValues(program, seen, live);
  const open = changesOf(definition, known);
  const sent = planned.names.filter((name) => name in open);
  const { left, merged, conflicts } = consoleEdits(definition, known);
  const isOverwritten = (program[overwriteOption] ?? overwrites) === true;
  const isUnseen = isArchivedUnseen(definition, { seen, live, program });
  const archived = isUnseen ? definition.lifecycle.archived?.field : undefined;
  return {
    ...{ how: "update", left },
    merged: mapped(merged, (value, name) => meaning(definition, name, value)),
    ...(archived === undefined ? {} : { archived }),
    conflicts: [
      ...(archived === undefined ? [] : [[archived]]),
      ...(isOverwritten ? [] : conflicts.map(({ path }) => path)),
    ],
    isInArchive: changesInArchive(definition, live, program, sent).length > 0,
  };
}

function changeIn(object: ComparedObject, place: Place, update: Update): Change {
  const decision = decisionAt(object, place);
  const again = effectAt(place, decision, update);
  const isInReview = again === "sends again" && object.inReview?.includes(String(place.path[0])) === true;
  const effect = isInReview ? "in review" : again;
  const waitsFor = effect === "waits" ? { waitsFor: update.conflicts.map(pathText) } : {};
  return { ...place, ...decision, effect, ...waitsFor };
}

type Decision = Pick<Change, "decidedBy" | "trait">;

const by = (decidedBy: Decider, trait: DecidingTrait): Decision => ({ decidedBy, trait });

/** The side that decides at a place, and the trait of the field or the option of the resource by which it does. */
function decisionAt(object: ComparedObject, place: Place): Decision {
  const { definition, values, ignored } = object;
  const { program = {}, lastProgram = {}, live } = values;
  const { path, label } = place;
  const name = String(path[0]);
  const args = values.program ?? lastProgram;
  const nodes = nodesTo(definition, path);
  const rollout = nodes.at(-1)?.rollout;
  if (Object.hasOwn(optionsOf(definition), name)) return by("program", "option");
  if (!inputNames(definition).includes(name)) return by("server", "output");
  if (isIgnored(ignored, label, name)) return by("console", "ignoreChanges");
  if (nodes.some(({ serverSet }) => serverSet !== undefined)) return by("server", "serverSet");
  if (isStatusOfConsole(definition, name, args, live)) return by("console", "owns");
  const holder = valueIn(live, path.slice(0, -1));
  // The first share of a new rule is the program's.
  const isThere = () => {
    const marked = withUnknownRollout(definition, { ...live, [ownsOption]: args[ownsOption] });
    const values = { program: args, live: marked };
    const carried = carriedRollouts(definition, values, { into: "program", all: true });
    // The console may have the element under another name.
    return holder !== undefined || valueIn(Object.fromEntries(carried), path) === UNKNOWN;
  };
  if (rollout !== undefined && consoleOwns(args, "rollout") && isThere()) return by("console", "owns");
  if (rollout !== undefined && hasSteps(holder, rollout.scheduledBy)) return by("console", "rollout");
  if (program[name] === undefined && path.length === 1) return decisionOnUnset(object, name);
  const { remembered, readsOtherId, replaces, fixed } = definition.fields[name]?.traits ?? {};
  if (remembered === true) return by("program", "writeOnly");
  if (readsOtherId === true) return by("program", "readsOtherId");
  if (replaces === true) return by("program", "replaces");
  return by("program", fixed === true ? "fixed" : "argument");
}

/** The same for an argument that the program does not set. */
function decisionOnUnset({ definition, values }: ComparedObject, name: string): Decision {
  const { program = {}, lastProgram = {}, live } = values;
  const isState = name === definition.lifecycle.archived?.field;
  if (isState && comesBack(definition, live, program)) return by("program", "archived");
  const isSet = lastProgram[name] !== undefined;
  const others = exclusiveWith(definition, name).filter((other) => program[other] !== undefined);
  // A switch that stays leaves several states to the console.
  const view = viewOf(definition, live);
  const moves = (other: string) => !sameMeaning(definition, other, view[other], program[other]);
  if (others.length > 0 && (isSet || !isState || others.some(moves))) return by("program", "aliasOf");
  const traits = definition.fields[name]?.traits ?? {};
  return isSet && "clearWith" in traits ? by("program", "clearWith") : by("console", "unset");
}

function effectAt(place: Place, { decidedBy, trait }: Decision, update: Update): Effect {
  const { path, program, lastProgram, seen, live } = place;
  if (decidedBy !== "program") return "leaves";
  if (update.isInArchive) return "refused in the archive";
  if (trait === "aliasOf" && update.how === "update" && update.conflicts.length === 0) return "follows";
  if (equalJson(program, live))
    return equalJson(seen, live) && equalJson(lastProgram, live) ? "nothing" : "agrees";
  if (update.how === "replace") return "replaces";
  if (trait === "option") return "notes the option";
  const isSeen = equalJson(seen, live);
  if (update.how === "nothing") return isSeen ? "nothing" : "unseen";
  const isBefore = equalJson(program, seen);
  const name = String(path[0]);
  if (name === update.archived) return "conflicts";
  if (update.conflicts.length > 0)
    return !isSeen && !isBefore && update.conflicts.some(([one]) => one === name) ? "conflicts" : "waits";
  if (name in update.merged) {
    const part = valueIn(update.merged, path);
    const joined = place.isOrder === true ? orderOf(part) : part;
    if (equalJson(joined, live)) return "keeps";
    // A value without parts is one of the two, also where a person gave its rule another name.
    if (!equalJson(joined, program)) return joined instanceof Object ? "joins" : "keeps";
  }
  if (update.left.includes(name) || (!isSeen && isBefore)) return "keeps";
  if (trait === "archived") return "revives";
  if (program === undefined) return "clears";
  return isSeen && equalJson(program, lastProgram) ? "sends again" : "sends";
}

/** The nodes of the schema on the way to a place, the field's first. A name leads to an element of a list, too. */
function nodesTo(definition: ResourceDefinition, [name, ...steps]: Path): Node[] {
  const nodes: Node[] = [treeOf(definition)[String(name)]?.node ?? {}];
  for (const step of steps) {
    const node = nodes.at(-1) ?? {};
    nodes.push(itemsOf(node) ?? propertiesOf(node)?.[step] ?? {});
  }
  return nodes;
}
