import type { EditConflict } from "../../../provider/decisions/console-edits";
import type { PossibleUser } from "../../../provider/engine";
import type { JsonObject } from "../../../provider/schema/json";
import type { CreateLook } from "../../stack/live";
import type { Change, Exposures, Presence } from "../review";
import type { Subject } from "../subjects";

/** Effect of a create on the object that is in its place. */
export type CreateFinding = { readonly place: Presence } & (
  | { readonly what: "creates" }
  /** `taken` is absent where the preview alone found the object. */
  | { readonly what: "adopts" | "revives"; readonly taken?: CreateLook["taken"] | undefined }
  /** Why it fails, in the words of the update; or may fail, where nobody can tell it from the preview alone. */
  | { readonly what: "fails" | "not known"; readonly why: string }
);

/** A place that both the program and a person in the console changed since state last saw it, in words. */
export interface ConsoleConflict {
  readonly place: EditConflict;
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
  /** Authors and times of the console's side of the conflicts. */
  readonly by?: string;
  /** The console has all of it already. */
  readonly isAlreadySo: boolean;
}

/** Findings about the object of a resource that changes. */
export interface ObjectFinding {
  /** Undefined where it is not there, or was not read. */
  readonly live?: JsonObject | undefined;
  /** The console does not have it any more. */
  readonly isGone?: boolean;
  readonly create?: CreateFinding | undefined;
  /** Fate of an object that goes and that another stack has taken over. */
  readonly taker?: string | undefined;
  readonly edit?: LiveChange | undefined;
  readonly exposures?: Exposures;
  /** The update overwrites what people changed. */
  readonly overwrites?: boolean;
}

/** Answers of the console. */
export interface ConsoleFindings {
  readonly asked: "asked" | "partly" | "not asked";
  /** Also those that are archived. */
  readonly objects: readonly PossibleUser[];
  /** By URN. */
  readonly of: ReadonlyMap<string, ObjectFinding>;
  /** Failures to read. */
  readonly notes: readonly string[];
  /** Changes of the stack's settings that lead to another console. */
  readonly settings?: readonly Change[];
  /** Resources of the stack that the preview does not show, because they stay as they are; undefined where its state was not read. */
  readonly unchanged?: readonly Subject[];
}

/** A report that asked no console. */
export const notAsked: ConsoleFindings = { asked: "not asked", objects: [], of: new Map(), notes: [] };
