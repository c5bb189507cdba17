import type { Declared, Held } from "../world/programs";
import type { Run } from "../world/steps";
import type { InterruptedCreates } from "./allowances";
import type { Received, Snapshot, Stored } from "./console";
import type { StackName } from "./history";
import type { Facts } from "./ledger";

/** What one process of the provider did. */
export interface Act {
  readonly run: Run;
  /** Lines that the user saw. */
  readonly lines: readonly string[];
  readonly requests: readonly Received[];
}

/** One command of a stack: its preview, and what came of it. */
export interface Episode {
  readonly stack: StackName;
  readonly command: "up" | "destroy" | "refresh";
  readonly program: readonly Declared[];
  /** What the stack held before; what the other one holds. */
  readonly before: readonly Held[];
  readonly others: readonly Held[];
  readonly preview: Act | undefined;
  /** The console when the preview began. */
  readonly seen: Snapshot;
  /** The stack's own objects as it last saw them, of those that somebody else has changed since. */
  readonly editedSince: ReadonlyMap<string, Stored>;
  /** Something happened between the preview and the update. */
  readonly disturbed: boolean;
  /** The console when the update began. */
  readonly start: Snapshot;
  /** Undefined: the preview failed, so that there was none. */
  readonly update: Act | undefined;
  /** It was told that what is equal is this stack's. */
  readonly takesOver: boolean;
  /** State was refreshed first. */
  readonly refreshes: boolean;
  /** A run of the stack was killed before, or failed. */
  readonly wasKilled: boolean;
  /** The run that was killed last, if any, was of the same program. */
  readonly continues: boolean;
  /** An answer got lost on the way. */
  readonly lost: boolean;
  /** The console refused its writes from some moment on. */
  readonly refused: boolean;
  readonly end: Snapshot;
  /** What the stack holds now. */
  readonly after: readonly Held[];
  /** What was true when the update began, and what is now. */
  readonly factsBefore: Facts;
  readonly facts: Facts;
  /** Objects that the stack does not know to be other than its state says, because it was killed. */
  readonly unsure: ReadonlySet<string>;
  /** Those of them of which its notes were removed. */
  readonly unremembered: ReadonlySet<string>;
  /** Objects that an action of the stack has acted on, and that it has not refreshed since. */
  readonly actedOn: ReadonlySet<string>;
  /** Objects that the other stack was the last to adopt, as notes in this stack's folder tell. */
  readonly adoptedAway: ReadonlySet<string>;
  /** Objects that the stack's state has ever held. */
  readonly everHeld: ReadonlySet<string>;
  /** Creates that were under way when a run before this one ended. */
  readonly interruptedCreates: InterruptedCreates;
  /** Objects of the stack that others in use referred to when the update began. */
  readonly users: ReadonlySet<string>;
  /** A kind about which the console answered 404. */
  readonly hidden?: string | undefined;
  /** URNs that were to be replaced whatever their diff says. */
  readonly replaced: readonly string[];
  /** Objects that went out of use -> those in use that still refer to them. */
  readonly asked: ReadonlyMap<string, readonly string[]>;
  /** Objects in use that were out of use for a moment although another resource of the program goes on with them. */
  readonly interrupted: readonly string[];
  /** Preview right after a success. */
  readonly again: Act | undefined;
}

/** What should not have happened. */
export interface Violation {
  readonly rule: Rule;
  /** The object, or the resource where there is none. */
  readonly object: string;
  readonly text: string;
}

/** What is held against every command. */
export type Rule =
  | "a preview and a refresh write nothing"
  | "a preview asks only about what it creates, adopts, imports, replaces or deletes"
  | "what another stack or a person holds is left alone"
  | "what another console has is left alone"
  | "what another stack or a person holds is not taken into state"
  | "what changes was named by the preview"
  | "what somebody changed is not overwritten unseen"
  | "a removal leaves what another stack has adopted since"
  | "what a stack archived comes back from any checkout"
  | "a key is declared once"
  | "what goes on being declared stays in use"
  | "what goes on being declared is in use at every moment"
  | "a lost permission empties no state"
  | "a replacement that fails leaves the old object"
  | "what others ask is not taken away"
  | "after an up the console holds what the program says"
  | "what comes into being begins at the beginning"
  | "after an up the next preview is empty"
  | "the update does what the preview said"
  | "nothing is left that nobody holds"
  | "after a kill the same command ends well, or says what to type"
  | "a green preview is followed by a green up"
  | "no error is an accident"
  | "an interrupted run is spoken of only where there was one";
