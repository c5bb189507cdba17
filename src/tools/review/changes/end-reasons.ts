import { inPlaceText, replacementOrder } from "../../../provider/decisions/replacement-order";
import type { JsonObject } from "../../../provider/schema/json";
import { programId } from "../../../provider/schema/object-id";
import { endedInArchive } from "../../../provider/values/machine";
import { onDeleteOf } from "../../../provider/values/options";
import { countOf, listText, nameIn, replacementText } from "../../../provider/words";
import { nameInUrn } from "../../stack/stack";
import type { Act, Change, Level, Reason } from "../review";
import { objectText, type Subject } from "../subjects";
import type { ReasonGround } from "./reason-ground";

/** A reason in one line. */
export function reason(about: Reason["about"], level: Level, text: string): Reason {
  return { about, level, text };
}

const ends: ReadonlySet<Act> = new Set(["archive", "delete", "replace", "empty"]);

/** True for what takes an object out of use, if only for a while. */
export function endsUse(act: Act | undefined): boolean {
  return act !== undefined && ends.has(act);
}

const releasedText = "it stays in the console as it is, and no program manages it any more";

const endTexts: Readonly<Partial<Record<Act, readonly [Level, string]>>> = {
  archive: ["low", "it goes to the archive, from which the console can bring it back"],
  delete: ["medium", "it is deleted for good, with its history"],
  empty: ["medium", "its lists of units are emptied"],
  release: ["low", releasedText],
};

/** Reasons that follow from the end of an object, and from its users. */
export function endReasons(ground: ReasonGround): Reason[] {
  const { act = "update", step } = ground.subject;
  if (step.forgottenWith !== undefined) {
    const keeper = nameIn(nameInUrn(step.forgottenWith));
    const text = `${releasedText}: its deletedWith names ${keeper}, which goes too`;
    return [reason("end", "medium", text)];
  }
  const [level, text] = (act === "archive" ? archiveText(ground) : endTexts[act]) ?? [];
  const facts = level === undefined || text === undefined ? [] : [reason("end", level, text)];
  return endsUse(act) ? [...facts, ...useReasons(ground, true)] : facts;
}

/** From so many checks an hour on, a change that asks for attention does so more. */
const busy = 1000;

/** Reasons that follow from those who use the object, which a change that ends its use takes it from. */
export function useReasons(
  { subject: { act }, dependents, checksPerHour = 0 }: ReasonGround,
  isRisky: boolean,
): Reason[] {
  const level = endsUse(act) ? "high" : undefined;
  const checks = checksText(checksPerHour);
  const traffic = level === undefined ? checks : `code still asks for it: ${checks}`;
  const ofTraffic = level ?? (isRisky && checksPerHour >= busy ? "medium" : "info");
  return [
    ...(checksPerHour > 0 ? [reason("traffic", ofTraffic, traffic)] : []),
    ...(dependents.length > 0
      ? [reason("dependents", level ?? "info", `${dependentsText(dependents)} on it`)]
      : []),
  ];
}

/** True for an object that runs and goes: it does not come back running. */
export function endsForGood({ definition, outputs, act }: Pick<Subject, "definition" | "outputs" | "act">) {
  return act === "archive" && endedInArchive(definition, outputs) !== undefined;
}

function archiveText({ subject, live }: ReasonGround): readonly [Level, string] | undefined {
  const { definition, outputs } = subject;
  if (endsForGood({ ...subject, outputs: live ?? outputs }))
    return ["high", "it ends for good and cannot run again: its results stay in the archive"];
  return definition.lifecycle.archived?.undo === undefined
    ? ["medium", "it goes to the archive, and the console cannot bring it back"]
    : endTexts.archive;
}

/** Reasons that follow from a replacement. */
export function replacementReasons({ subject }: ReasonGround): Reason[] {
  const { definition, replacement, act } = subject;
  if (replacement === undefined) return [];
  const level = replacement === "in place" ? "low" : "high";
  const facts = [reason("replacement", level, orderText(subject))];
  const renamedFrom = act === "replace" ? keyBefore(subject) : undefined;
  if (renamedFrom !== undefined && onDeleteOf(definition, stateAtEnd(subject)) !== "retain") {
    const gone = definition.whenGone ?? "it is gone";
    const text = `code that asks for ${nameIn(renamedFrom)} finds nothing any more: ${gone}`;
    facts.push(reason("replacement", "high", text));
  }
  return facts;
}

/** The state by which the old object ends: Pulumi asks no provider about one that its own option keeps. */
function stateAtEnd({ outputs, step }: Subject): JsonObject {
  return step.oldState?.retainOnDelete === true ? { ...outputs, onDelete: "retain" } : outputs;
}

/** The words of the preview, which knows the order by the same rule. */
function orderText(subject: Subject): string {
  const { definition, replacement, program = {}, step, called, id = "" } = subject;
  if (replacement === "in place")
    return `${objectText(definition, called)} ${inPlaceText(definition, program)}`;
  const shown = step.createsFirst === true ? "create-first" : "delete-first";
  const order = step.createsFirst === undefined ? replacementOrder(definition, id, program) : shown;
  return replacementText(definition, { id, state: stateAtEnd(subject), order }, program);
}

/** The key that code asks for until then, where a replacement gets another one. */
function keyBefore({ definition, outputs, called }: Subject): string | undefined {
  const before = programId(definition, outputs);
  return definition.identity.how === "key" && typeof before === "string" && before !== called
    ? before
    : undefined;
}

/** `48,000 checks an hour`. */
export function checksText(checksPerHour: number): string {
  return `${countOf(checksPerHour, "check")} an hour`;
}

/** True where {@link dependentsText} leaves none out. */
export const namesEach = (dependents: Change["dependents"]): boolean => dependents.length < 5;

/** `gate "pay_later" and config "prices" depend`, before "on it". */
export function dependentsText(dependents: Change["dependents"]): string {
  const names = dependents.map(dependentText);
  const isShort = names.length > 1 && namesEach(dependents);
  const text = isShort ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : listText(names, 3);
  return `${text} ${names.length === 1 ? "depends" : "depend"}`;
}

const whereTexts = {
  program: [],
  console: ["console only"],
  unknown: ["not known whether a program has it"],
};

/** `gate "pay_later" (through segment "staff")`. */
export function dependentText({ object, where, through }: Change["dependents"][number]): string {
  const notes = [...(through === undefined ? [] : [`through ${through}`]), ...whereTexts[where]];
  return notes.length === 0 ? object : `${object} (${notes.join(", ")})`;
}
