import { adoptMember } from "../schema/internal";
import type { JsonObject } from "../schema/json";

/**
 * Facts about the place of an object that a resource is about to get, and about its rightful holder.
 * Gathered by the engine, decided on here, acted upon by the engine.
 */
export interface Evidence {
  /** The console has nothing, an object in use, or an archived one that the program sets to be in use. */
  readonly place: "empty" | "live" | "archived";
  /** Which resource of this stack has it, as far as this run knows: none, this very one, or another. */
  readonly holder: "nobody" | "itself" | "another";
  /** Permission of the program to take an object over. */
  readonly permission: "none" | "adopt" | "import";
  /**
   * Origin of the object. `this-stack`: the journal of this stack shows that it came of a create of this resource.
   * `claimed`: nothing else shows it, and the person who runs this says so (FEATURE_CONSOLE_TAKE_OVER). `renamed`: the journal
   * shows that it came of another resource of this stack. `archived-here`: this stack archived it. `brought-back`: a run of
   * this stack was at it when it ended. `kept-elsewhere`: the program of another stack says that it is to be archived.
   * `another-stack`: the journal of another stack shows that a create of its own made it, or that it has taken it over.
   */
  readonly origin:
    | "unknown"
    | "this-stack"
    | "claimed"
    | "renamed"
    | "archived-here"
    | "brought-back"
    | "kept-elsewhere"
    | "another-stack";
  /**
   * Comparison of the object with the program. `equal`: as a create leaves it, whole or half made, and untouched since; of
   * an archived object: as a new one would be. `stuck`: it differs in what no update can change.
   */
  readonly match: "equal" | "differs" | "stuck";
  /** The program says `onImmutableChange: "replace"` and the API can delete. */
  readonly mayReplace: boolean;
}

/** True for arguments of a program that take over what is there. */
export function takesOver(args: JsonObject): boolean {
  return args.adopt === true || args[adoptMember] !== undefined;
}

/** Why an object is not taken. */
export type RefusalReason =
  | "nothing-to-import"
  | "held"
  | "renamed"
  | "exists"
  | "archived"
  | "cannot-be-taken-over"
  | "cannot-come-back";

/** Decision about the place of an object. */
export type Claim =
  /** Nothing is there: the create is sent. */
  | { readonly act: "send" }
  /** The live object becomes the resource's, and is brought in line. */
  | { readonly act: "adopt" }
  /** The archived object is brought back and begins like a new one. */
  | { readonly act: "unarchive" }
  /** The archived object is deleted for ever and created anew. */
  | { readonly act: "recreate" }
  | { readonly act: "refuse"; readonly reason: RefusalReason };

/** A row of a table: the first one that fits decides. A kind of evidence that is left out does not matter. */
export interface Row<Evidence, Decision> {
  readonly when: { readonly [Name in keyof Evidence]?: readonly Evidence[Name][] };
  readonly decide: Decision;
  /** In words, for the documentation. */
  readonly because: string;
}

/** Looks a decision up. The last row fits everything. */
function decided<Evidence extends object, Decision>(
  table: readonly Row<Evidence, Decision>[],
  evidence: Evidence,
): Decision {
  const fits = ({ when }: Row<Evidence, Decision>) =>
    (Object.keys(when) as (keyof Evidence)[]).every((name) => when[name]?.includes(evidence[name]));
  return (table.find(fits) as Row<Evidence, Decision>).decide;
}

const refuse = (reason: RefusalReason): Claim => ({ act: "refuse", reason });
const takingOver = ["adopt", "import"] as const;
const archivedHere = ["archived-here", "brought-back"] as const;

/** Every decision about an object that a resource is about to get, in order. Nothing live is taken without a reason here. */
export const claimTable: readonly Row<Evidence, Claim>[] = [
  {
    when: { place: ["empty"], permission: ["import"] },
    decide: refuse("nothing-to-import"),
    because: "`import` names an object that does not exist.",
  },
  { when: { place: ["empty"] }, decide: { act: "send" }, because: "No such object exists." },
  {
    when: { holder: ["another"] },
    decide: refuse("held"),
    because: "Another resource of this stack has it.",
  },
  {
    when: { place: ["live"], holder: ["itself"] },
    decide: { act: "adopt" },
    because: "State shows that it is this resource's: Pulumi replaces it without deleting it first.",
  },
  {
    when: { place: ["live"], permission: takingOver, match: ["stuck"] },
    decide: refuse("cannot-be-taken-over"),
    because: "The program adopts it, but sets a value that no update can change.",
  },
  {
    when: { place: ["live"], permission: takingOver },
    decide: { act: "adopt" },
    because: "The program adopts it.",
  },
  {
    when: { place: ["live"], origin: ["this-stack"], match: ["equal"] },
    decide: { act: "adopt" },
    because: "An interrupted run of this stack created it for this resource, and it shows no other change.",
  },
  {
    when: { place: ["live"], origin: ["claimed"], match: ["equal"] },
    decide: { act: "adopt" },
    because: "It is as this stack would create it, and this run is allowed to adopt it.",
  },
  {
    when: { place: ["live"], origin: ["brought-back"] },
    decide: { act: "adopt" },
    because: "An interrupted run of this stack was reviving it.",
  },
  {
    when: { place: ["live"], origin: ["renamed"] },
    decide: refuse("renamed"),
    because: "This stack created it for a resource of another name.",
  },
  {
    when: { place: ["live"] },
    decide: refuse("exists"),
    because: "No evidence shows that it is this stack's.",
  },
  {
    when: { permission: takingOver, match: ["stuck"], mayReplace: [true] },
    decide: { act: "recreate" },
    because: "Archived; the program adopts it and allows a replacement.",
  },
  {
    when: { permission: takingOver, match: ["stuck"] },
    decide: refuse("cannot-come-back"),
    because: "Archived; no update can make it equal to the program.",
  },
  {
    when: { permission: takingOver },
    decide: { act: "unarchive" },
    because: "Archived; the program adopts it.",
  },
  {
    when: { origin: archivedHere, match: ["stuck"], mayReplace: [true] },
    decide: { act: "recreate" },
    because: "Archived by this stack; the program allows a replacement.",
  },
  {
    when: { origin: archivedHere, match: ["stuck"] },
    decide: refuse("cannot-come-back"),
    because: "Archived by this stack; no update can make it equal to the program.",
  },
  {
    when: { origin: archivedHere },
    decide: { act: "unarchive" },
    because: "Archived by this stack.",
  },
  {
    when: { origin: ["kept-elsewhere"] },
    decide: refuse("archived"),
    because: "The program of another stack keeps it archived.",
  },
  {
    when: { match: ["equal"] },
    decide: { act: "unarchive" },
    because: "Archived, not kept so by another stack, and equal to a new object.",
  },
  { when: {}, decide: refuse("archived"), because: "Archived, by an unknown stack or person; it differs." },
];

/** Looks the decision up. Pure. */
export function decideClaim(evidence: Evidence): Claim {
  return decided(claimTable, evidence);
}

/** True where the decision is the same whether or not values that are not known yet turn out to be those of the object. */
export function isClaimCertain(evidence: Evidence): boolean {
  if (evidence.match === "stuck") return true;
  return (
    decideClaim({ ...evidence, match: "equal" }).act === decideClaim({ ...evidence, match: "differs" }).act
  );
}

/** Facts about an object that its resource is about to give up. */
export interface ReleaseEvidence {
  /** Console of the object by its state. `elsewhere-let-go`: the person who runs this leaves it there (FEATURE_CONSOLE_MOVE). */
  readonly console: "here" | "elsewhere" | "elsewhere-let-go";
  /** Another resource of this stack has the same object. */
  readonly heldByAnother: boolean;
  /** A journal shows that another stack took the object over after this resource had it. */
  readonly takenSince: boolean;
  /** The console has another object under this id than state has: a person deleted and created it again. */
  readonly isOther: boolean;
  /** Another resource of this program declares it, and its create has failed in this run. */
  readonly declaredByAnother: boolean;
  readonly onDelete: "archive" | "delete" | "retain";
  /** The same resource goes on with the object in this run, and what is archived of its kind stays archived. */
  readonly endsWhatGoesOn: boolean;
  /** Something refers to it that stays, and the program does not say that this is meant. */
  readonly inUse: boolean;
}

/** Why an object is not given up. */
export type ReleaseRefusal = "elsewhere" | "declared" | "in-use";

/** Why an object stays although its resource goes. */
export type LeaveReason = "elsewhere" | "held" | "kept" | "adopted" | "another-object" | "in-place";

/** The end of an object whose resource goes. */
export type Release =
  | { readonly act: "archive" | "delete" }
  | { readonly act: "leave"; readonly reason: LeaveReason }
  | { readonly act: "refuse"; readonly reason: ReleaseRefusal };

/** Every decision about an object whose resource goes, in order. */
export const releaseTable: readonly Row<ReleaseEvidence, Release>[] = [
  {
    when: { console: ["elsewhere-let-go"] },
    decide: { act: "leave", reason: "elsewhere" },
    because: "It is in another console, and this run leaves it there.",
  },
  {
    when: { console: ["elsewhere"] },
    decide: { act: "refuse", reason: "elsewhere" },
    because: "It is in another console than the one that the settings lead to.",
  },
  {
    when: { heldByAnother: [true] },
    decide: { act: "leave", reason: "held" },
    because: "Another resource of this stack has it now.",
  },
  {
    when: { onDelete: ["retain"] },
    decide: { act: "leave", reason: "kept" },
    because: "The program keeps it.",
  },
  {
    when: { takenSince: [true] },
    decide: { act: "leave", reason: "adopted" },
    because: "A journal shows that another stack has adopted or created it since.",
  },
  {
    when: { isOther: [true] },
    decide: { act: "leave", reason: "another-object" },
    because: "The console created it at another time than the object in state: it is another object.",
  },
  {
    when: { declaredByAnother: [true] },
    decide: { act: "refuse", reason: "declared" },
    because: "Another resource of this program declares it, and its create has failed in this run.",
  },
  {
    when: { inUse: [true] },
    decide: { act: "refuse", reason: "in-use" },
    because: "An object that stays still uses it.",
  },
  {
    when: { onDelete: ["archive"], endsWhatGoesOn: [true] },
    decide: { act: "leave", reason: "in-place" },
    because:
      "It is replaced under its own key, and could not come back from the archive: it is changed in place.",
  },
  {
    when: { onDelete: ["archive"] },
    decide: { act: "archive" },
    because: "It can be revived, or the program forces it.",
  },
  {
    when: {},
    decide: { act: "delete" },
    because: "The kind cannot be revived, or the program deletes it.",
  },
];

/** Looks the decision up. Pure. */
export function decideRelease(evidence: ReleaseEvidence): Release {
  return decided(releaseTable, evidence);
}

/** Part of a preview's sentence about removals, where no journal shows who has the objects by now. */
export const unknownAdopter = "this preview cannot know whether another stack has adopted";

/** Places in which a create finds an object, as a preview's line names them behind the object: reports know such lines by them. */
const foundMarks = { "in use": "exists: ", archived: "is archived: ", nothing: "is gone: " } as const;

/** A place in which a create finds an object. */
export type FoundPlace = keyof typeof foundMarks;

/** A line of a preview about an object that a create finds, and what it does about it. */
export function foundText(object: string, place: FoundPlace, does: string): string {
  return `${object} ${foundMarks[place]}${does}`;
}

/** The place in such a line about an object; undefined for any other line. */
export function foundIn(line: string, object: string): FoundPlace | undefined {
  const places = Object.keys(foundMarks) as FoundPlace[];
  return places.find((place) => line.startsWith(foundText(object, place, "")));
}
