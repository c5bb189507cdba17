import { foundIn } from "../../../provider/decisions/claim";
import {
  archivedText,
  changesInArchive,
  changesOf,
  isArchived,
  wantsArchived,
} from "../../../provider/decisions/plan";
import type { JsonObject } from "../../../provider/schema/json";
import { holdsUnknown } from "../../../provider/schema/unknown";
import { visible } from "../../../provider/texts/issue-text";
import { inUseText, nameIn } from "../../../provider/words";
import type { PreviewResult } from "../../stack/preview";
import type { ConsoleObject } from "../references";
import type { Change, Exposures, Outcome, Presence } from "../review";
import { objectText, type Subject } from "../subjects";
import type { Description } from "./reason-ground";

/** Effect of a create on the object that is in its place. */
export interface CreateFinding {
  /** "fails": it is refused, or nobody can tell it from the preview alone. */
  readonly what: "creates" | "adopts" | "revives" | "fails" | "not known";
  readonly place: Presence;
  /** The object that it takes over or brings back, and the fields that it sends to it. */
  readonly taken?: { readonly live: JsonObject; readonly changes: Subject["changes"] };
  /** Why it fails, in the words of the update. */
  readonly why?: string;
}

/** Answers of the console. */
export interface ConsoleFindings {
  readonly asked: "asked" | "partly" | "not asked";
  /** Also those that are archived. */
  readonly objects: readonly ConsoleObject[];
  /** Failures to read. */
  readonly notes: readonly string[];
  /** URNs of the resources whose object the console does not have any more. */
  readonly gone?: ReadonlySet<string>;
  /** Changes of the stack's settings that lead to another console. */
  readonly settings?: readonly Change[];
  /** Findings of creates, by URN. */
  readonly creates?: ReadonlyMap<string, CreateFinding>;
  /** Fates of objects that go and that another stack has taken over, by URN. */
  readonly takers?: ReadonlyMap<string, string>;
  /** Authors and times of changes in the console to which an update gives other values, by URN. */
  readonly authors?: ReadonlyMap<string, string>;
  /** Exposures to the objects of resources, by URN. */
  readonly exposures?: ReadonlyMap<string, Exposures>;
  /** URNs of the resources whose update overwrites what people changed. */
  readonly overwrites?: ReadonlySet<string>;
  /** Resources of the stack that the preview does not show, because they stay as they are; undefined where its state was not read. */
  readonly unchanged?: readonly Subject[];
}

/** Facts about an object beside the preview's step. */
export interface Standing {
  readonly live: JsonObject | undefined;
  readonly presence: Presence;
  readonly create: CreateFinding | undefined;
  /** Why the object stays although its resource goes: another stack has taken it over. */
  readonly taker: string | undefined;
  /** Reason for which the update is refused after a change in the console; undefined where it is not. */
  readonly conflict: string | undefined;
  /** The console has all of it already. */
  readonly isAlreadySo: boolean;
  /** Objects for which the console refuses its end. */
  readonly users: readonly string[];
  /** Why the update of it fails, as the provider said in the preview. */
  readonly announced: string | undefined;
}

/** Finding of a create by the lines of the preview, which looked for itself; undefined where they show none. */
export function foundByPreview(
  { act, definition, called }: Subject,
  diagnostics: PreviewResult["diagnostics"],
): CreateFinding | undefined {
  if (act !== "create" && act !== "adopt") return undefined;
  const object = objectText(definition, called);
  const place = diagnostics.map(({ message }) => foundIn(message, object)).find((one) => one !== undefined);
  return place && { what: place === "archived" ? "revives" : "adopts", place };
}

/** Place of the object of a subject. */
export function presenceOf(
  subject: Subject,
  create: CreateFinding | undefined,
  { gone }: ConsoleFindings,
  live: JsonObject | undefined,
): Presence {
  if (create !== undefined) return create.place;
  if (live !== undefined) return isArchived(subject.definition, live) ? "archived" : "in use";
  return gone?.has(subject.urn) ? "nothing" : "not known";
}

const goneText = "it is gone from the console; `pulumi up --refresh` makes it anew";
const archivedSinceText =
  "it was archived in the console; after `pulumi refresh`, an update brings it back, or remove it from the program";

/** Outcome of the change of a subject. */
export function outcomeOf(subject: Subject, standing: Standing): Outcome {
  const { definition, act, step, program } = subject;
  const { presence, create, announced } = standing;
  if (announced !== undefined) return { what: "fails", why: announced };
  if (create?.what === "fails") return { what: "fails", why: create.why ?? "its place is taken" };
  if (create?.what === "not known") return { what: "not known", why: create.why ?? "its place is taken" };
  if (create?.what === "creates" || create?.what === "revives") return { what: "changes" };
  if (step.op === "update" || subject.replacement === "in place") {
    if (presence === "nothing" && definition.lifecycle.read.how !== "remember")
      return fails(subject, goneText);
    if (standing.conflict !== undefined) return { what: "fails", why: standing.conflict };
    if (standing.isAlreadySo) return { what: "left", why: "the console has it already" };
    if (presence !== "archived") return { what: "changes" };
    if (!wantsArchived(definition, program ?? {}))
      return isArchived(definition, subject.outputs)
        ? { what: "changes" }
        : fails(subject, archivedSinceText);
    // The update sends no value that the program and the console changed alike.
    const now = { ...subject.outputs, ...standing.live };
    const open = changesOf(definition, { program: program ?? {}, live: now });
    const names = Object.keys(subject.changes).filter((name) => name in open);
    if (changesInArchive(definition, now, program ?? {}, names).length > 0)
      return fails(subject, `it ${archivedText}`);
    return act === "archive" ? { what: "left", why: "it is already archived" } : { what: "changes" };
  }
  if (step.op !== "delete" || act === "release") return { what: "changes" };
  if (presence === "nothing") return { what: "left", why: "it is gone from the console already" };
  if (standing.taker !== undefined) return { what: "left", why: standing.taker };
  if (presence === "archived" && act === "archive") return { what: "left", why: "it is already archived" };
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

/** Description of an object whose change is not carried out as the preview shows it. */
export function describeInstead(
  { what }: Outcome,
  presence: Presence,
  act: Subject["act"],
): Description | undefined {
  const text =
    presence === "nothing" && act !== "create" && act !== "adopt"
      ? "it is gone from the console"
      : (what === "fails" || what === "not known") && presence === "archived" && act !== "create"
        ? "it is archived: no unit gets it, before or after"
        : what === "left"
          ? ""
          : undefined;
  if (text === undefined) return undefined;
  const statements = text === "" ? [] : [{ about: "state" as const, text }];
  return { statements, tables: [], values: [], moves: [] };
}

/** True where a text is about an object: it begins with its title and name, as a notice or as an error quotes them. */
export function isAbout({ definition, called, id }: Subject, text: string): boolean {
  const names = [called, id].filter((name) => name !== undefined);
  return names
    .flatMap((name) => [nameIn(name), `"${visible(name)}"`])
    .some((name) => text.startsWith(`${definition.title} ${name}`));
}
