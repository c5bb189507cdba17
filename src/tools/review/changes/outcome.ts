import {
  archivedText,
  changesInArchive,
  changesOf,
  isArchivedUnseen,
} from "../../../provider/decisions/plan";
import { holdsUnknown } from "../../../provider/schema/unknown";
import { inUseText } from "../../../provider/words";
import type { Outcome, Presence } from "../review";
import { isUpdated, objectText, type Subject } from "../subjects";
import type { Description } from "./reason-ground";
import type { Standing } from "./standing";

const goneText = "it is gone from the console; `pulumi up --refresh` makes it anew";
const archivedSinceText =
  "it was archived in the console; after `pulumi refresh`, an update brings it back, or remove it from the program";
const archivedAlready: Outcome = { what: "left", why: "it is already archived" };

/** Outcome of the change of a subject. */
export function outcomeOf(subject: Subject, standing: Standing): Outcome {
  const { definition, act, step, program = {} } = subject;
  const { presence, create, announced } = standing;
  if (announced !== undefined) return { what: "fails", why: announced };
  if (create?.what === "fails" || create?.what === "not known") return { what: create.what, why: create.why };
  if (create !== undefined) return { what: "changes" };
  if (isUpdated(subject)) {
    if (presence === "nothing" && definition.lifecycle.read.how !== "remember")
      return fails(subject, goneText);
    if (standing.conflict !== undefined) return standing.conflict;
    if (standing.edit.isAlreadySo) return { what: "left", why: "the console has it already" };
    const { outputs: seen } = subject;
    if (isArchivedUnseen(definition, { program, seen, live: standing.live }))
      return fails(subject, archivedSinceText);
    // The update sends no value that the program and the console changed alike.
    const live = { ...seen, ...standing.live };
    const open = changesOf(definition, { program, live });
    const names = Object.keys(subject.changes).filter((name) => name in open);
    if (presence === "archived" && changesInArchive(definition, live, program, names).length > 0)
      return fails(subject, `it ${archivedText}`);
    return presence === "archived" && act === "archive" ? archivedAlready : { what: "changes" };
  }
  if (step.op !== "delete") return { what: "changes" };
  if (presence === "nothing") return { what: "left", why: "it is gone from the console already" };
  if (standing.taker !== undefined) return { what: "left", why: standing.taker };
  if (act === "release") return { what: "changes" };
  if (presence === "archived" && act === "archive") return archivedAlready;
  if (standing.users.length === 0) return { what: "changes" };
  const gone = {
    definition,
    label: objectText(definition, subject.called),
    how: act === "archive" ? act : "delete",
  } as const;
  return { what: "fails", why: inUseText(gone, standing.users) };
}

/** A failure, if there is an update at all: what is known only later may turn out as it was. */
function fails({ step, changes }: Subject, why: string): Outcome {
  const values = Object.values(changes);
  const isOpen = step.op === "update" && values.length > 0 && values.every(holdsUnknown);
  return { what: isOpen ? "not known" : "fails", why };
}

/** Description of an object whose change is not carried out as the preview shows it; undefined where it is. */
export function describeInstead(
  { what }: Outcome,
  presence: Presence,
  act: Subject["act"],
): Description | undefined {
  const isNew = act === "create" || act === "adopt";
  const isGone = presence === "nothing" && !isNew;
  const isUnused = what !== "changes" && what !== "left" && presence === "archived" && act !== "create";
  if (!isGone && !isUnused && what !== "left") return undefined;
  const text = isGone
    ? "it is gone from the console"
    : isUnused && "it is archived: no unit gets it, before or after";
  return { statements: text ? [{ about: "state", text }] : [], tables: [], values: [], moves: [] };
}
