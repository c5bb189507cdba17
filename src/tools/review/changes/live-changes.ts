import { consoleEdits, type EditConflict } from "../../../provider/decisions/console-edits";
import { changesOf, isArchived, stateNames } from "../../../provider/decisions/plan";
import { type JsonObject, picked } from "../../../provider/schema/json";
import { sameMeaning } from "../../../provider/values/compare";
import { managedView, objectValues } from "../../../provider/values/managed";
import { argumentText, isHidden, listText, nameIn, percentText, valueText } from "../../../provider/words";
import type { Subject } from "../subjects";
import { comparable } from "./unread-edits";

/** A place that both the program and somebody in the console changed since state last saw it, in words. */
export interface ConsoleConflict {
  /** `"All" 0 %`: what the console has now. */
  readonly now: string;
  /** `50 %`: what state saw last. */
  readonly seen: string;
}

/** A change as an update would make it of the live object. */
export interface LiveChange {
  /** Changed from what the console has now to what the update leaves. */
  readonly subject: Subject;
  readonly conflicts: readonly ConsoleConflict[];
  /** The console has all of it already. */
  readonly isAlreadySo: boolean;
}

/**
 * The change of an object from what the console has now: places that only people changed stay, as in the update
 * (`provider/decisions/console-edits.ts`), and what both changed is told from what is there.
 */
export function liveChangeOf(subject: Subject, live: JsonObject | undefined): LiveChange {
  const { definition, step } = subject;
  const [state, program] = [step.oldState?.outputs, step.newState?.inputs];
  const unchanged = { subject, conflicts: [], isAlreadySo: false };
  const isUpdate = step.op === "update" || subject.replacement === "in place";
  if (!isUpdate || live === undefined || state === undefined || program === undefined) return unchanged;
  if (isArchived(definition, live) || isArchived(definition, state)) return unchanged;
  const values = { program, state, live: comparable(definition, state, live) };
  const { merged, conflicts } = consoleEdits(definition, values);
  const view = managedView(definition, objectValues(program, state, values.live));
  const edited = editedNames(subject, view);
  const left = leftNames(subject, view);
  if (edited.length + left.length === 0) return unchanged;
  const sent = changesOf(definition, objectValues({ ...program, ...merged }, state, values.live));
  const changes = Object.entries({ ...subject.changes, ...picked(merged, Object.keys(subject.changes)) });
  const sending = changes.filter(([name]) => !edited.includes(name) || name in sent);
  return {
    subject: {
      ...subject,
      // Values that only people changed stay, whatever the program sets.
      program: {
        ...subject.program,
        ...picked(
          view,
          left.filter((name) => program[name] !== undefined),
        ),
      },
      before: { ...subject.before, ...picked(view, [...edited, ...left, ...stateNames(definition)]) },
      changes: Object.fromEntries(sending),
    },
    conflicts: conflicts.map(conflictText),
    isAlreadySo: changes.length > 0 && sending.length === 0,
  };
}

/** States and rules that only people changed: who is let in, before and after, depends on them. */
function leftNames({ definition, before, changes }: Subject, view: JsonObject): string[] {
  const lists = Object.entries(definition.fields).flatMap(([name, { traits }]) =>
    traits.namedList === true && !isHidden(before[name]) ? [name] : [],
  );
  return [...stateNames(definition), ...lists].filter(
    (name) => !(name in changes) && !sameMeaning(definition, name, before[name], view[name]),
  );
}

/** Arguments that change and that somebody changed in the console too. What no read shows as it is set is left out. */
function editedNames({ definition, before, changes }: Subject, view: JsonObject): string[] {
  return Object.keys(changes).filter((name) => {
    const { remembered, readsOtherId, valueType } = definition.fields[name]?.traits ?? { remembered: true };
    if (remembered === true || readsOtherId === true || valueType !== undefined) return false;
    if (isHidden(before[name]) || isHidden(changes[name])) return false;
    return !sameMeaning(definition, name, before[name], view[name]);
  });
}

/** Members that say how many, in percent. */
const shares: ReadonlySet<unknown> = new Set(["passPercentage", "size", "allocation"]);

function conflictText({ path, within, seen, live, isOrder }: EditConflict): ConsoleConflict {
  const member = path.at(-1);
  const place = [
    ...within.map((name) => nameIn(name)),
    ...(shares.has(member) || typeof member !== "string" ? [] : [argumentText(member)]),
    ...(isOrder === true ? ["in the order"] : []),
  ];
  const text = (value: unknown) => {
    if (value === undefined || value === null) return "not there";
    if (isHidden(value)) return "[secret]";
    if (shares.has(member) && typeof value === "number") return percentText(value);
    return typeof value === "boolean" ? (value ? "yes" : "no") : valueText(value);
  };
  return { now: [...place, text(live)].join(" "), seen: text(seen) };
}

/** `"All" 0 %, "Staff" 10 %`. */
export function conflictsText(conflicts: readonly ConsoleConflict[]): string {
  return listText(
    conflicts.map(({ now }) => now),
    3,
  );
}
