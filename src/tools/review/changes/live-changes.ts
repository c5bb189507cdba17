import { consoleEdits, type EditConflict } from "../../../provider/decisions/console-edits";
import { changesOf, isArchived, stateNames } from "../../../provider/decisions/plan";
import { lastMarkOf } from "../../../provider/schema/audit";
import { inputNames, type ResourceDefinition } from "../../../provider/schema/define";
import { type JsonObject, mapped, membersOf, picked, remade } from "../../../provider/schema/json";
import { type Path, valueAt } from "../../../provider/schema/path";
import { carriedRollouts } from "../../../provider/values/carried-rollouts";
import { sameMeaning } from "../../../provider/values/compare";
import { consoleOwns, isStatusOfConsole } from "../../../provider/values/console-owned";
import {
  managedMember,
  managedView,
  objectValues,
  refreshFinds,
  viewOf,
} from "../../../provider/values/managed";
import { optionsOf } from "../../../provider/values/options";
import { withUnknownRollout } from "../../../provider/values/owned-arguments";
import {
  argumentText,
  hiddenValue,
  isHidden,
  listText,
  nameIn,
  percentText,
  valueText,
} from "../../../provider/words";
import type { CreateLook } from "../../stack/live";
import type { Act } from "../review";
import { isUpdated, publicValues, type Subject } from "../subjects";
import type { ConsoleConflict, CreateFinding, LiveChange, ObjectFinding } from "./findings";

/**
 * The change of an object from what the console has now: places that only people changed stay, as in the update
 * (`provider/decisions/console-edits.ts`), and the change of a place that both changed begins at the live value.
 */
export function liveChangeOf(subject: Subject, live: JsonObject | undefined): LiveChange {
  const { definition, step, state } = subject;
  const program = step.newState?.inputs;
  const unchanged = { subject, conflicts: [], isAlreadySo: false };
  if (!isUpdated(subject) || live === undefined || state === undefined || program === undefined)
    return unchanged;
  if (isArchived(definition, live) || isArchived(definition, state)) return unchanged;
  const values = objectValues(program, state, comparable(definition, state, live));
  const { merged, conflicts } = consoleEdits(definition, values);
  const view = managedView(definition, values);
  const moved = movedNames(subject, view);
  if (moved.length === 0) return unchanged;
  const sent = changesOf(definition, { ...values, program: { ...program, ...merged } });
  // As it is sent: members of rules that neither state nor the program has stay as a person set them.
  const asSent = { ...merged, ...picked(sent, moved) };
  const changes = Object.entries({ ...subject.changes, ...picked(asSent, Object.keys(subject.changes)) });
  const sending = changes.filter(([name]) => !moved.includes(name) || name in sent);
  // Values that only people changed stay, whatever the program sets.
  const left = moved.filter((name) => !(name in subject.changes) && program[name] !== undefined);
  return {
    subject: {
      ...subject,
      program: { ...subject.program, ...picked(view, left) },
      before: { ...subject.before, ...picked(view, [...moved, ...stateNames(definition)]) },
      changes: Object.fromEntries(sending),
    },
    conflicts: conflicts.map(conflictText),
    isAlreadySo: changes.length > 0 && sending.length === 0,
  };
}

/** Arguments that a person changed in the console, but for those that no read shows as they are set. */
function movedNames({ definition, before, changes }: Subject, view: JsonObject): string[] {
  return inputNames(definition).filter((name) => {
    const { remembered, readsOtherId, valueType } = definition.fields[name]?.traits ?? {};
    if (remembered === true || readsOtherId === true || valueType !== undefined) return false;
    if (isHidden(before[name]) || isHidden(changes[name])) return false;
    return !sameMeaning(definition, name, before[name], view[name]);
  });
}

/** Members that say how many, in percent. */
const shares: ReadonlySet<unknown> = new Set(["passPercentage", "size", "allocation"]);

function conflictText(conflict: EditConflict): ConsoleConflict {
  const { path, within, seen, live, isOrder } = conflict;
  const member = path.at(-1);
  const place = [
    ...within.map((name) => nameIn(name)),
    ...(shares.has(member) || typeof member !== "string" ? [] : [argumentText(member)]),
    ...(isOrder === true ? ["in the order"] : []),
  ];
  const text = (value: unknown) => {
    if (value === undefined || value === null) return "not there";
    if (isHidden(value)) return hiddenValue;
    if (shares.has(member) && typeof value === "number") return percentText(value);
    return typeof value === "boolean" ? (value ? "yes" : "no") : valueText(value);
  };
  return { place: conflict, now: [...place, text(live)].join(" "), seen: text(seen) };
}

/** `"All" 0 %, "Staff" 10 %`. */
export function conflictsText(conflicts: readonly ConsoleConflict[]): string {
  return listText(
    conflicts.map(({ now }) => now),
    3,
  );
}

/** Acts that are about the whole object, also about what no program sets. */
const wholeActs: ReadonlySet<Act> = new Set(["archive", "delete", "restore", "replace"]);

/** A change as it is made of what the console has, where that is known. */
export function asFound(subject: Subject, { live, create }: ObjectFinding): Subject {
  if (subject.replacement === "in place") return replacedAsFound(subject, live, create);
  const { act } = subject;
  if (create?.what === "creates") return { ...subject, act: "create" };
  if (create?.what === "adopts") return takenOver({ ...subject, act: "adopt" }, create.taken);
  if (create?.what === "revives")
    return takenOver({ ...subject, act: "restore", changes: subject.program ?? {} }, create.taken);
  return live !== undefined && act !== undefined && wholeActs.has(act) ? wholeOf(subject, live) : subject;
}

/**
 * A change with the shares that the program leaves to the console as they are there, before and after: no update changes them, and state
 * does not know them. Not asked, they are not known.
 */
export function withConsoleShares(subject: Subject, live: JsonObject | undefined): Subject {
  const { definition, step, state, before, program, changes } = subject;
  const args = step.newState?.inputs ?? state ?? {};
  if (state === undefined || subject.act === "adopt" || !consoleOwns(args, "rollout")) return subject;
  const known = live ?? withUnknownRollout(definition, { ...viewOf(definition, state), owns: args.owns });
  const kept = (values: JsonObject) => ({
    ...values,
    ...Object.fromEntries(
      carriedRollouts(definition, { program: values, live: known }, { into: "program", all: true }),
    ),
  });
  if (!isUpdated(subject) || program === undefined) return { ...subject, before: kept(before) };
  return { ...subject, before: kept(before), program: kept(program), changes: kept(changes) };
}

/** Pulumi calls the old object and the new one by one key: the create updates the object, or finds where it was. */
function replacedAsFound(
  subject: Subject,
  live: JsonObject | undefined,
  create: CreateFinding | undefined,
): Subject {
  const fresh = { ...subject, replacement: undefined };
  if (create?.what === "creates")
    return { ...fresh, act: "create", outputs: {}, before: {}, changes: subject.program ?? {} };
  // Told to replace it, Pulumi shows the provider no state: the object is found, and keeps what the program no longer sets.
  if (create?.what === "adopts")
    return { ...subject, changes: picked(subject.changes, Object.keys(subject.program ?? {})) };
  if (create?.what !== "revives") return subject;
  // Not asked, the archive has what state shows.
  const { field, is } = subject.definition.lifecycle.archived ?? {};
  const inArchive = field === undefined ? subject.state : { ...subject.state, [field]: is };
  return wholeOf({ ...fresh, act: "restore" }, live ?? inArchive ?? {});
}

/** An object that is taken over, or comes back, is changed from what the console has. */
function takenOver(subject: Subject, taken: CreateLook["taken"]): Subject {
  // Nobody has seen it: the program alone shows how it will be.
  if (taken === undefined) return subject;
  const { definition, program = {} } = subject;
  const { live, changes } = taken;
  // A secret of the program is one in the console too.
  const hidden = (value: unknown, name: string) => (isHidden(program[name]) ? hiddenValue : value);
  return { ...subject, outputs: live, before: mapped(viewOf(definition, live), hidden), changes };
}

/** The audience of an object that goes or comes back depends on all that the console has of it. */
function wholeOf(subject: Subject, live: JsonObject): Subject {
  const { definition, act, outputs, program, changes, state = {} } = subject;
  const shown = comparable(definition, outputs, publicValues(definition, live));
  // The console stores no option: state alone has them.
  const options = picked(subject.before, Object.keys(optionsOf(definition)));
  const found = { ...subject, before: { ...viewOf(definition, shown), ...options } };
  if (program === undefined || act === "archive") return found;
  const kept = Object.keys(changes).filter(
    (name) => definition.fields[name] === undefined || isHidden(changes[name]),
  );
  const seen = { ...shown, ...picked(state, [managedMember]) };
  const sent = changesOf(definition, objectValues(program, seen));
  return { ...found, changes: { ...sent, ...picked(changes, kept) } };
}

/**
 * True for an object that a person changed in the console since state was last read, where a refresh would show the change. What is left to
 * the console is no such change: a refresh passes it over, and keeps the time of the last change as it was.
 */
export function hasUnreadEdit(definition: ResourceDefinition, state: JsonObject, live: JsonObject): boolean {
  const [known, now] = [state, live].map((values) => lastMarkOf(definition, values));
  if (known === undefined || now === undefined || now <= known) return false;
  return refreshFinds(definition, state, comparable(definition, state, live));
}

/** The live object as a list shows it, with what the state alone holds, and without what is the console's own or hidden. */
function comparable(definition: ResourceDefinition, state: JsonObject, live: JsonObject): JsonObject {
  const values = membersOf(Object.keys(definition.fields), (name) => {
    const isOfState = live[name] === undefined || isStatusOfConsole(definition, name, state, live);
    // A live value is hidden where the state hides it: whether a secret changed, nobody can tell.
    const shown = (one: unknown, path: Path) =>
      valueAt(state[name], path) === hiddenValue ? hiddenValue : one;
    return isOfState ? state[name] : remade(live[name], shown);
  });
  return { ...live, ...values };
}
