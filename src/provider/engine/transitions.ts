import { archivedText, type Changes, changesInArchive, isArchived } from "../decisions/plan";
import { acceptedFields, routeOf } from "../schema/define";
import { ConsoleError, changeRefused } from "../schema/errors";
import { isGiven, type JsonObject, kept, listIn, mapped, objectsIn, picked, textOf } from "../schema/json";
import type { Machine, Move, Switch } from "../schema/verbs";
import { elementBy } from "../schema/wire-names";
import { placeText } from "../texts/argument-names";
import { quote } from "../texts/issue-text";
import { machineOf, moveFields, planPath, type TransitionPath } from "../values/machine";
import { nameOf } from "./context";
import { observe, type Sent, send, sendFields, step, type WriteTarget, withReason } from "./send";

/**
 * Brings fields, switches and state in line, in the order that the states ask for.
 * @throws ConsoleError "refused", before anything is sent, when there is no legal way.
 */
export async function sendMachine(start: WriteTarget, machine: Machine, changes: Changes): Promise<Sent> {
  const planned = pathFrom(start, machine, textOf(start.live[machine.field]), changes);
  if (planned instanceof ConsoleError) throw planned;
  const { moves, editAt, switchAt } = planned;
  let target = start;
  for (let stop = 0; stop <= moves.length; stop += 1) {
    const move = moves[stop - 1];
    if (move !== undefined)
      target = await sendMove(target, machine, move, stop < moves.length || stop === switchAt);
    if (stop === editAt) target = await sendEdits(target, machine, changes);
    if (stop === switchAt)
      for (const one of machine.switches) target = await sendSwitch(target, one, changes);
  }
  // A field that only a move sends counts as done when the move was made, or when the program alone remembers it.
  const sent = moves.flatMap(({ body }) => Object.values(body ?? {}));
  const { fields } = start.definition;
  const isDone = (name: string) => sent.includes(name) || fields[name]?.traits.remembered === true;
  const names = Object.keys(changes).filter((name) => !moveFields(machine).includes(name) || isDone(name));
  return { target, names };
}

/** An object, and the program that it is to match. */
type Becoming = Pick<WriteTarget, "definition" | "id" | "live" | "program">;

/** Why an object, archived or not, cannot become what it is to be; undefined where it can. */
export function refusalOf(object: Becoming, changes: Changes): ConsoleError | undefined {
  const { definition, live } = object;
  const kept = refusalInArchive(object, Object.keys(changes));
  const machine = machineOf(definition);
  if (kept !== undefined || machine === undefined) return kept;
  const from = isArchived(definition, live) ? machine.restored.of(live) : textOf(live[machine.field]);
  const planned = pathFrom(object, machine, from, changes);
  return planned instanceof ConsoleError ? planned : undefined;
}

/** Refusal of a change of an object that is archived and is to stay so; undefined where nothing else of it changes. */
export function refusalInArchive(
  { definition, id, live, program }: Becoming,
  names: readonly string[],
): ConsoleError | undefined {
  const changed = changesInArchive(definition, live, program, names);
  if (changed.length === 0) return undefined;
  return changeRefused(`${nameOf(definition, id)} ${archivedText}. It differs in ${changed.join(", ")}.`);
}

function pathFrom(
  object: Becoming,
  machine: Machine,
  from: string,
  changes: Changes,
): TransitionPath | ConsoleError {
  const { definition, program, id, live } = object;
  const to = String(changes[machine.field] ?? from);
  const passing = moveFields(machine).filter((name) => definition.fields[name]?.traits.remembered === true);
  const edits = Object.keys(changes).filter((name) => !passing.includes(name));
  const planned = planPath(definition, machine, { from, to, args: program, edits });
  if ("path" in planned) return planned.path;
  const found = planned.problems.map(({ path, message }) => `${placeText(definition, path)}: ${message}`);
  const is = isArchived(definition, live) ? `is archived and would come back as` : "is";
  return changeRefused(`${nameOf(definition, id)} ${is} ${quote(from)} in the console. ${found.join("; ")}.`);
}

async function sendEdits(target: WriteTarget, machine: Machine, changes: Changes): Promise<WriteTarget> {
  const { definition } = target;
  const later = new Set([machine.field, ...moveFields(machine)]);
  const accepted = acceptedFields(definition, routeOf(definition, machine.edit));
  const isNamed = (name: string) => definition.fields[name]?.traits.idOf !== undefined;
  const pick = (wanted: (name: string) => boolean) =>
    kept(changes, (name) => !later.has(name) && wanted(name));
  const [plain, named] = [pick((name) => accepted.includes(name) && !isNamed(name)), pick(isNamed)];
  const edited = isEmpty(plain) ? target : await sendFields(target, machine.edit, plain);
  // The id of a new element is known only after it was made.
  return isEmpty(named)
    ? edited
    : withElementIds(edited, named, (found, ids) => sendFields(found, machine.edit, ids));
}

const isEmpty = (values: JsonObject) => Object.keys(values).length === 0;

/** Carries on with the console's ids of the elements that arguments name. Fails for an element that is not there. */
async function withElementIds(
  target: WriteTarget,
  values: JsonObject,
  work: (target: WriteTarget, ids: JsonObject) => Promise<WriteTarget>,
): Promise<WriteTarget> {
  const { definition, id: object } = target;
  const named = Object.entries(values).flatMap(([name, value]) => {
    const list = definition.fields[name]?.traits.idOf;
    return list === undefined || !isGiven(value) ? [] : [{ name, value, list }];
  });
  const idIn = ({ live }: WriteTarget, { value, list }: (typeof named)[number]) =>
    elementBy("name", value, live[list])?.id;
  const isKnown = named.every((one) => idIn(target, one) !== undefined);
  return step(isKnown ? target : await observe(target), async (found) => {
    const missing = named.find((one) => idIn(found, one) === undefined);
    if (missing === undefined)
      return work(found, {
        ...values,
        ...Object.fromEntries(named.map((one) => [one.name, idIn(found, one)])),
      });
    const { name, value, list } = missing;
    throw changeRefused(
      `${name}: ${nameOf(definition, object)} has nothing called ${quote(value)} in ${list}. ` +
        `Correct ${name}, or add it to ${list}.`,
    );
  });
}

/** Makes a move. `goesOn`: the next step needs to know the object as it then is; answers of moves do not show it. */
async function sendMove(
  target: WriteTarget,
  machine: Machine,
  move: Move,
  goesOn: boolean,
): Promise<WriteTarget> {
  const hasMoved = ({ live }: WriteTarget) => live[machine.field] === move.to;
  const { failure, ...sent } = await sendMoveNow(target, move);
  if (target.failure !== undefined || (failure !== undefined && failure.category !== "refused"))
    return { ...sent, failure };
  if (failure === undefined)
    return goesOn && sent.waiting === undefined && !hasMoved(sent) ? observe(sent) : sent;
  // A request whose answer was lost is repeated, and refused the second time: what counts is where the object is.
  const current = await observe(sent);
  return current.failure !== undefined || hasMoved(current) ? current : { ...current, failure };
}

function sendMoveNow(target: WriteTarget, { route, body = {} }: Move): Promise<WriteTarget> {
  const { definition } = target;
  if (routeOf(definition, route).body === undefined) return send(target, route, undefined);
  const archives = definition.lifecycle.delete.archive?.route === route;
  const program = archives ? withReason(target) : target.program;
  const members = kept(body, (_, name) => program[name] !== undefined);
  return withElementIds(target, picked(program, Object.values(members)), (found, ids) => {
    const given = mapped(members, (name) => ids[name]);
    return send(found, route, given);
  });
}

async function sendSwitch(target: WriteTarget, one: Switch, changes: Changes): Promise<WriteTarget> {
  const declared = one.field in changes ? changes[one.field] : target.program[one.field];
  if (declared === undefined) return target;
  const wanted = listIn(declared);
  const current = objectsIn(target.live[one.of]).flatMap((element) =>
    element[one.member] === true ? [element.name] : [],
  );
  const on = wanted.filter((name) => !current.includes(name));
  const off = current.filter((name) => !wanted.includes(name));
  const switched = on.length === 0 ? target : await send(target, one.on, { [one.body]: on });
  return off.length === 0 ? switched : send(switched, one.off, { [one.body]: off });
}
