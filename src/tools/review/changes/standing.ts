import { foundIn } from "../../../provider/decisions/claim";
import { isOpenConflict } from "../../../provider/decisions/console-edits";
import { isArchived } from "../../../provider/decisions/plan";
import { isSameObject } from "../../../provider/decisions/same-object";
import { expectedId } from "../../../provider/schema/object-id";
import { keepingText } from "../../../provider/texts/argument-names";
import { visible } from "../../../provider/texts/issue-text";
import { nameIn } from "../../../provider/words";
import type { PreviewResult } from "../../stack/preview";
import { keyOf, type References } from "../references";
import type { Outcome, Presence } from "../review";
import { objectText, type Subject } from "../subjects";
import type { CreateFinding, LiveChange, ObjectFinding } from "./findings";
import { conflictsText } from "./live-changes";

/** Means of finding the standing of an object. */
interface Around {
  readonly found: ObjectFinding;
  readonly references: References;
  readonly heirs: ReadonlyMap<string, string>;
  /** Reasons that the provider gave in the preview for an update that will fail. */
  readonly failures: readonly string[];
  readonly diagnostics: PreviewResult["diagnostics"];
}

const otherText =
  "it is another object than the one in state: a person deleted and created it again; type `pulumi refresh`, then set adopt: true";
const otherFate = "it is another object than the one in state: it stays as it is, and this stack forgets it";

/** Everything that is known about an object beside the preview's step. */
export type Standing = ReturnType<typeof standingOf>;

/** Finds the standing of the object of a subject. */
export function standingOf(subject: Subject, { found, references, heirs, failures, diagnostics }: Around) {
  const { urn, definition, state, name, step } = subject;
  const { live, edit = { subject, conflicts: [], isAlreadySo: false } } = found;
  const create = found.create ?? foundByPreview(subject, diagnostics);
  const isOther = live && state && isSameObject(definition, state, live) === "other";
  return {
    ...{ ...found, edit, create, presence: presenceOf(subject, create, found) },
    /** Outcome of an update that a change in the console stands against; undefined where none does. */
    conflict: isOther ? fails(otherText) : found.overwrites ? undefined : conflictOf(edit, name),
    taker: isOther ? otherFate : (found.taker ?? heirs.get(urn)),
    /** Why the update of it fails, as the provider said in the preview. */
    announced: failures.find((text) => isAbout(subject, text)),
    /** Objects for which the console refuses its end. */
    users: step.op === "delete" ? references.usersOf(subject) : [],
  };
}

const whatOf = { "in use": "adopts", archived: "revives", nothing: "creates" } as const;

/** Finding of a create by the lines of the preview, which looked for itself; undefined where they show none. */
function foundByPreview(
  { act, definition, called, replacement }: Subject,
  diagnostics: PreviewResult["diagnostics"],
): CreateFinding | undefined {
  if (act !== "create" && act !== "adopt" && replacement !== "in place") return undefined;
  const object = objectText(definition, called);
  const place = diagnostics.map(({ message }) => foundIn(message, object)).find((one) => one !== undefined);
  return place && { what: whatOf[place], place };
}

function presenceOf(
  { definition }: Subject,
  create: CreateFinding | undefined,
  { live, isGone }: ObjectFinding,
): Presence {
  if (create !== undefined) return create.place;
  if (live !== undefined) return isArchived(definition, live) ? "archived" : "in use";
  return isGone ? "nothing" : "not known";
}

const fails = (why: string): Outcome => ({ what: "fails", why });

/** The refusal to overwrite changes of a person, unless values that are known only later turn out as they were; undefined without any. */
function conflictOf({ subject, conflicts, by }: LiveChange, name: string): Outcome | undefined {
  if (conflicts.length === 0) return undefined;
  const why =
    `the object changed in the console after this stack last saw it (${by}), console now: ` +
    `${conflictsText(conflicts)}; to keep the console's values, ${keepingText("them", name)}; otherwise type \`pulumi refresh\` and preview again`;
  const inputs = subject.step.newState?.inputs ?? {};
  return conflicts.every(({ place }) => isOpenConflict(inputs, place))
    ? { what: "not known", why }
    : fails(why);
}

/** True where a text is about an object: it begins with its title and name, as a notice or as an error quotes them. */
function isAbout({ definition, called, id }: Subject, text: string): boolean {
  const names = [called, id].filter((name) => name !== undefined);
  return names
    .flatMap((name) => [nameIn(name), `"${visible(name)}"`])
    .some((name) => text.startsWith(`${definition.title} ${name}`));
}

/** Fates of objects that a new resource of the program names by the same key as one that goes, by the URN of the latter. */
export function heirsOf(subjects: readonly Subject[]): ReadonlyMap<string, string> {
  const isNew = ({ step, state }: Subject) => step.op !== "delete" && state === undefined;
  const heirs = new Map(
    subjects
      .filter(isNew)
      .map(({ definition, program = {}, name }) => [
        keyOf(definition.name, expectedId(definition, program)),
        name,
      ]),
  );
  const fates = subjects.flatMap(({ urn, step, definition, id }) => {
    const heir = step.op !== "delete" || id === undefined ? undefined : heirs.get(keyOf(definition.name, id));
    if (heir === undefined) return [];
    return [[urn, `resource "${heir}" takes its place: only its former resource goes`] as const];
  });
  return new Map(fates);
}
