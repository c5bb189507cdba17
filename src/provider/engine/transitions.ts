import { archivedText, type Changes, changesInArchive, isArchived } from "../decisions/plan";
import { acceptedFields, type ResourceDefinition, routeOf } from "../schema/define";
import { ConsoleError, isConsoleError } from "../schema/errors";
import { type JsonObject, objectsIn, textOf } from "../schema/json";
import { pathText } from "../schema/path";
import type { Machine, Move, Switch } from "../schema/verbs";
import { elementBy } from "../schema/wire-names";
import { quote } from "../texts/issue-text";
import { machineOf, moveFields, planPath, type TransitionPath } from "../values/machine";
import { nameOf } from "./context";
import { readLive } from "./read";
import { type Subject, send, sendFields, withReason } from "./send";

/**
 * Brings fields, switches and state in line, in the order that the states ask for. Returns the names that it took care
 * of. @throws ConsoleError "refused", before anything is sent, when there is no legal way.
 */
export async function sendMachine(subject: Subject, machine: Machine, changes: Changes): Promise<string[]> {
  const { moves, editAt, switchAt } = pathOf(subject, machine, changes);
  for (let stop = 0; stop <= moves.length; stop += 1) {
    const move = moves[stop - 1];
    if (move !== undefined) await sendMove(subject, machine, move, stop < moves.length || stop === switchAt);
    if (stop === editAt) await sendEdits(subject, machine, changes);
    if (stop === switchAt) for (const one of machine.switches) await sendSwitch(subject, one, changes);
  }
  return Object.keys(changes).filter((name) => isDone(subject.definition, machine, moves, name));
}

/** What only a move sends counts as done when the move was made, or when the program alone remembers it. */
function isDone(
  definition: ResourceDefinition,
  machine: Machine,
  moves: readonly Move[],
  name: string,
): boolean {
  const used = moves.some(({ body }) => Object.values(body ?? {}).includes(name));
  return used || !moveFields(machine).includes(name) || definition.fields[name]?.traits.remembered === true;
}

/** Why an object, archived or not, cannot become what it is to be; undefined where it can. */
export function refusalOf(subject: Subject, changes: Changes): ConsoleError | undefined {
  const { definition, id, live, program } = subject;
  const kept = refusalInArchive(definition, id, live, program, Object.keys(changes));
  const machine = machineOf(definition);
  if (kept !== undefined || machine === undefined) return kept;
  const from = isArchived(definition, live) ? machine.restored.of(live) : textOf(live[machine.field]);
  const planned = pathFrom(subject, machine, from, changes);
  return planned instanceof ConsoleError ? planned : undefined;
}

/** Refusal of a change of an object that is archived and is to stay so; undefined where nothing else of it changes. */
export function refusalInArchive(
  definition: ResourceDefinition,
  id: string,
  live: JsonObject,
  program: JsonObject,
  names: readonly string[],
): ConsoleError | undefined {
  const changed = changesInArchive(definition, live, program, names);
  if (changed.length === 0) return undefined;
  return new ConsoleError(`${nameOf(definition, id)} ${archivedText}. It differs in ${changed.join(", ")}.`, {
    category: "refused",
  });
}

/** Refuses what an object cannot become, before anything is sent. */
export function refuseIllegal(subject: Subject, changes: Changes): void {
  const refusal = refusalOf(subject, changes);
  if (refusal !== undefined) throw refusal;
}

function pathOf(subject: Subject, machine: Machine, changes: Changes): TransitionPath {
  const planned = pathFrom(subject, machine, textOf(subject.live[machine.field]), changes);
  if (planned instanceof ConsoleError) throw planned;
  return planned;
}

function pathFrom(
  subject: Subject,
  machine: Machine,
  from: string,
  changes: Changes,
): TransitionPath | ConsoleError {
  const { definition, program, id, live } = subject;
  const to = String(changes[machine.field] ?? from);
  const passing = moveFields(machine).filter((name) => definition.fields[name]?.traits.remembered === true);
  const edits = Object.keys(changes).filter((name) => !passing.includes(name));
  const planned = planPath(definition, machine, { from, to, args: program, edits });
  if ("path" in planned) return planned.path;
  const found = planned.problems.map(({ path, message }) => `${pathText(path)}: ${message}`);
  const is = isArchived(definition, live) ? `is archived and would come back as` : "is";
  return new ConsoleError(
    `${nameOf(definition, id)} ${is} ${quote(from)} in the console. ${found.join("; ")}.`,
    {
      category: "refused",
    },
  );
}

async function sendEdits(subject: Subject, machine: Machine, changes: Changes): Promise<void> {
  const { definition } = subject;
  const later = new Set([machine.field, ...moveFields(machine)]);
  const accepted = acceptedFields(definition, routeOf(definition, machine.edit));
  const isNamed = (name: string) => definition.fields[name]?.traits.idOf !== undefined;
  const pick = (wanted: (name: string) => boolean) =>
    Object.entries(changes).filter(([name]) => !later.has(name) && wanted(name));
  const plain = pick((name) => accepted.includes(name) && !isNamed(name));
  if (plain.length > 0) await sendFields(subject, machine.edit, Object.fromEntries(plain));
  // The id of a new element is known only after it was made.
  const named = pick(isNamed);
  if (named.length === 0) return;
  const ids = await Promise.all(
    named.map(async ([name, value]) => [name, await idOf(subject, name, value)] as const),
  );
  await sendFields(subject, machine.edit, Object.fromEntries(ids));
}

/** The console's id of the element that an argument names. */
async function idOf(subject: Subject, name: string, value: unknown): Promise<unknown> {
  const list = subject.definition.fields[name]?.traits.idOf;
  if (list === undefined || value === null || value === undefined) return value;
  const find = () => elementBy("name", value, subject.live[list])?.id;
  if (find() === undefined) await readAgain(subject);
  const id = find();
  if (id !== undefined) return id;
  throw new ConsoleError(
    `${name}: ${nameOf(subject.definition, subject.id)} has nothing called ${quote(value)} in ${list}. ` +
      `Correct ${name}, or add it to ${list}.`,
    { category: "refused" },
  );
}

/** Makes a move. `goesOn`: what follows needs to know the object as it then is; answers of moves do not show it. */
async function sendMove(subject: Subject, machine: Machine, move: Move, goesOn: boolean): Promise<void> {
  try {
    await send(subject, move.route, await bodyOf(subject, move));
  } catch (error) {
    if (!isConsoleError(error, "refused")) throw error;
    // A request whose answer was lost is repeated, and refused the second time: what counts is where the object is.
    await readAgain(subject);
    if (subject.live[machine.field] !== move.to) throw error;
    return;
  }
  if (goesOn && subject.live[machine.field] !== move.to) await readAgain(subject);
}

async function bodyOf(subject: Subject, { route, body = {} }: Move): Promise<JsonObject | undefined> {
  if (routeOf(subject.definition, route).body === undefined) return undefined;
  const archives = subject.definition.lifecycle.delete.archive?.route === route;
  const program = archives ? withReason(subject) : subject.program;
  const members = Object.entries(body).filter(([, name]) => program[name] !== undefined);
  return Object.fromEntries(
    await Promise.all(
      members.map(async ([member, name]) => [member, await idOf(subject, name, program[name])] as const),
    ),
  );
}

async function sendSwitch(subject: Subject, one: Switch, changes: Changes): Promise<void> {
  const declared = one.field in changes ? changes[one.field] : subject.program[one.field];
  if (declared === undefined) return;
  const wanted = Array.isArray(declared) ? declared : [];
  const elements = subject.live[one.of];
  const current = objectsIn(elements).flatMap((element) =>
    element[one.member] === true ? [element.name] : [],
  );
  const steps = [
    { route: one.on, names: wanted.filter((name) => !current.includes(name)) },
    { route: one.off, names: current.filter((name) => !wanted.includes(name)) },
  ];
  for (const { route, names } of steps) {
    if (names.length > 0) await send(subject, route, { [one.body]: names });
  }
}

async function readAgain(subject: Subject): Promise<void> {
  const { context, definition, id } = subject;
  const current = await readLive(context, definition, id, []);
  if (current !== undefined) subject.live = { ...subject.live, ...current };
}
