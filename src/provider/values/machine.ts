import {
  acceptedFields,
  fieldsWith,
  inputNames,
  type Problem,
  type ResourceDefinition,
  routeOf,
} from "../schema/define";
import { type JsonObject, textOf } from "../schema/json";
import { holdsUnknown, UNKNOWN } from "../schema/unknown";
import type { Machine, Move } from "../schema/verbs";
import { assignment } from "../texts/argument-names";
import { quote } from "../texts/issue-text";
import { sameMeaning } from "./compare";

/** From where to where, and what has to change on the way. */
export interface Transition {
  readonly from: string;
  readonly to: string;
  /** Arguments: what moves need, and the options that they ask for. */
  readonly args: JsonObject;
  /** Names of the fields that change. */
  readonly edits: readonly string[];
}

/** A way that the console takes. Stop 0 is where it begins, stop n is reached by move n. */
export interface TransitionPath {
  readonly moves: readonly Move[];
  /** Stop at which fields are sent, as soon as may be. */
  readonly editAt: number;
  /** Stop at which elements are switched: as late as may be, because switching is for what runs. */
  readonly switchAt: number;
}

/** A path, or why there is none. */
export type PlannedPath =
  | { readonly path: TransitionPath }
  | { readonly problems: readonly [Problem, ...Problem[]] };

/** The machine of a kind that has states; undefined for any other. */
export function machineOf(definition: ResourceDefinition): Machine | undefined {
  return definition.lifecycle.update.find((part) => part.how === "machine");
}

/** Options that the moves of a kind ask for. They matter only in the moment of a move. */
export function moveOptions(definition: ResourceDefinition): Machine["options"] {
  return machineOf(definition)?.options ?? {};
}

/** Fields that only a move sends. */
export function moveFields(machine: Machine): string[] {
  return [...new Set(machine.moves.flatMap(({ body }) => Object.values(body ?? {})))];
}

/** Names of the fields that a create sends. What belongs to states comes later, in its order. */
export function createdFields(definition: ResourceDefinition, route: string): string[] {
  const accepted = acceptedFields(definition, routeOf(definition, route));
  const machine = machineOf(definition);
  if (machine === undefined) return accepted;
  const later = new Set([machine.field, ...moveFields(machine)]);
  return accepted.filter((name) => !later.has(name));
}

/** Fields that count as sent after a create: those that it sends, and those whose change starts something. */
export function sentAtCreation(definition: ResourceDefinition, route: string): string[] {
  const starting = fieldsWith(definition, ({ traits }) => traits.startsAction === true);
  return [...createdFields(definition, route), ...starting];
}

/** Fields that cannot change in the state that an object is in, and could before. */
export function lockedNames(definition: ResourceDefinition, values: JsonObject): readonly string[] {
  const machine = machineOf(definition);
  const state = machine?.states[textOf(values[machine.field])];
  return machine === undefined || state === undefined || state.edits === "all" ? [] : machine.locked;
}

/** True for an object in whose state nothing can change. */
export function isClosed(definition: ResourceDefinition, live: JsonObject): boolean {
  const machine = machineOf(definition);
  return machine !== undefined && machine.states[textOf(live[machine.field])]?.edits === "none";
}

/** The state of an object that an archive ends, and to which it does not come back from there; undefined for any other object. */
export function endedInArchive(definition: ResourceDefinition, live: JsonObject): string | undefined {
  const machine = machineOf(definition);
  const { archived } = definition.lifecycle;
  if (machine === undefined || archived === undefined) return undefined;
  const state = textOf(live[machine.field]);
  const isLasting = [archived.is, ...machine.restored.to].includes(state) || !(state in machine.states);
  return isLasting ? undefined : state;
}

/** Arguments of an object that does not exist yet, or that is to be like new: silence means the first state. */
export function asNew(definition: ResourceDefinition, program: JsonObject): JsonObject {
  const machine = machineOf(definition);
  return machine === undefined ? program : { [machine.field]: machine.initial, ...program };
}

/** The states that can be reached, without what has to be allowed or with it. */
function reachable(
  machine: Machine,
  from: string,
  allowed: (option: string) => boolean,
): Map<string, Move[]> {
  const ways = new Map<string, Move[]>([[from, []]]);
  for (const [state, way] of ways) {
    for (const move of machine.moves) {
      const usable = move.from.includes(state) && (move.option === undefined || allowed(move.option));
      if (usable && !ways.has(move.to)) ways.set(move.to, [...way, move]);
    }
  }
  return ways;
}

/**
 * The shortest legal way for a transition, with the places where fields and switches are sent. Pure: the check asks it from
 * the arguments of last time, the engine again from the live object.
 */
export function planPath(
  definition: ResourceDefinition,
  machine: Machine,
  transition: Transition,
): PlannedPath {
  const { from, to, args, edits } = transition;
  const ways = reachable(machine, from, (option) => args[option] === true || args[option] === UNKNOWN);
  const moves = ways.get(to);
  if (moves === undefined) return { problems: [illegal(definition, machine, transition, [...ways.keys()])] };
  const used = new Set(moves.flatMap(({ body }) => Object.values(body ?? {})));
  const open = [from, ...moves.map((move) => move.to)].map((stop) => machine.states[stop]?.edits ?? "none");
  const sent = edits.filter((name) => name !== machine.field && !used.has(name));
  const whole = open.indexOf("all");
  const locked = whole < 0 ? sent.filter((name) => machine.locked.includes(name)) : [];
  const editAt = whole < 0 ? open.indexOf("most") : whole;
  const stuck = editAt < 0 ? sent : locked;
  const [first, ...rest] = [
    ...missing(definition, machine, moves, args),
    ...stuck.map((name) => frozen(definition, machine, from, name)),
  ];
  if (first !== undefined) return { problems: [first, ...rest] };
  return { path: { moves, editAt, switchAt: open.findLastIndex((one) => one !== "none") } };
}

function missing(
  definition: ResourceDefinition,
  machine: Machine,
  moves: readonly Move[],
  args: JsonObject,
): Problem[] {
  const needs = moves.flatMap((move) => (move.needs ?? []).map((name) => ({ name, to: move.to })));
  return needs.flatMap(({ name, to }) =>
    args[name] === undefined || args[name] === ""
      ? [{ path: [name], message: `missing; ${machine.field} ${quote(to)} of ${definition.title} needs it` }]
      : [],
  );
}

function illegal(
  definition: ResourceDefinition,
  machine: Machine,
  { from, to }: Transition,
  ways: readonly string[],
): Problem {
  const listed = (states: readonly string[]) => states.map(quote).join(", ");
  const legal = ways.filter((state) => state !== from);
  const other = Object.entries(machine.options).flatMap(([option, { loses }]) => {
    const more = [...reachable(machine, from, (one) => one === option).keys()].filter(
      (state) => state !== from && !legal.includes(state),
    );
    return more.length === 0 ? [] : [`with ${assignment(option, true)} (${loses}) also ${listed(more)}`];
  });
  const can = legal.length === 0 ? "nothing else" : listed(legal);
  const message =
    `cannot change from ${quote(from)} to ${quote(to)}: the ${definition.title} ${stateText(machine, from)}. ` +
    `From there it can become ${[can, ...other].join("; ")}`;
  return { path: [machine.field], message };
}

function stateText({ states }: Machine, state: string): string {
  return states[state]?.says ?? "is in a state that this version does not know";
}

function frozen({ title }: ResourceDefinition, machine: Machine, from: string, name: string): Problem {
  const opened = Object.keys(machine.states).filter((state) => machine.states[state]?.edits === "all");
  const [why, advice] = machine.locked.includes(name)
    ? [
        `changes in ${opened.map(quote).join(", ")} only`,
        `, set ${assignment("onImmutableChange", "replace")} to remove the ${title} and create it anew,`,
      ]
    : ["changes no more", ""];
  return {
    path: [name],
    message: `${why}: the ${title} ${stateText(machine, from)}. Put back what was there${advice} or copy it under another key`,
  };
}

/**
 * Findings about a change of state, from the arguments of last time to those of now. An archived object comes back in a
 * state that arguments do not tell: what any of them allows passes, and the engine decides.
 */
export function machineProblems(
  definition: ResourceDefinition,
  olds: JsonObject,
  args: JsonObject,
): Problem[] {
  const machine = machineOf(definition);
  if (machine === undefined || args[machine.field] === UNKNOWN) return [];
  const from = olds[machine.field];
  const to = args[machine.field] ?? from;
  if (!isState(machine, to)) return [];
  // The program gave no state last time: what leads there is known, from where is not.
  const last = machine.moves.filter((move) => move.to === to).slice(0, 1);
  if (!isState(machine, from)) return missing(definition, machine, last, args);
  const archived = definition.lifecycle.archived?.is;
  // The diff refuses that of every kind alike.
  if (from === archived && to === archived) return [];
  const edits = editsBetween(definition, olds, args);
  const starts = from === archived && to !== from ? machine.restored.to : [from];
  const planned = starts.map((start) => planPath(definition, machine, { from: start, to, args, edits }));
  const refusal = planned.find((one) => "problems" in one);
  return refusal === undefined || planned.some((one) => "path" in one) ? [] : [...refusal.problems];
}

/** Findings about bringing an archived object back, which what state has of it tells: whether it ever ran, say. */
export function restoredProblems(
  definition: ResourceDefinition,
  state: JsonObject,
  args: JsonObject,
): Problem[] {
  const machine = machineOf(definition);
  const archived = definition.lifecycle.archived?.is;
  if (machine === undefined || archived === undefined || state[machine.field] !== archived) return [];
  const to = args[machine.field];
  if (to === UNKNOWN || to === archived || !isState(machine, to)) return [];
  const from = machine.restored.of(state);
  const planned = planPath(definition, machine, { from, to, args, edits: [] });
  if (!("problems" in planned)) return [];
  const back = `comes back from the archive as ${quote(from)}, and `;
  return planned.problems.map(({ path, message }) => ({ path, message: back + message }));
}

function isState(machine: Machine, value: unknown): value is string {
  return typeof value === "string" && Object.hasOwn(machine.states, value);
}

/** Fields whose arguments changed. One that was not given before may well be as the object is. */
function editsBetween(definition: ResourceDefinition, olds: JsonObject, args: JsonObject): string[] {
  return inputNames(definition).filter((name) => {
    const { mode, traits } = definition.fields[name] ?? {};
    if (mode === "writeOnly" || traits?.fixed || olds[name] === undefined || holdsUnknown(args[name]))
      return false;
    const wanted =
      args[name] ?? (traits !== undefined && "clearWith" in traits ? traits.clearWith : olds[name]);
    return !sameMeaning(definition, name, olds[name], wanted);
  });
}
