import type { Snapshot, Stored } from "../world/console";
import type { Held } from "../world/programs";
import type { Act } from "../world/stage";
import type { StackName } from "./history";
import type { Facts } from "./ledger";
import type { PlayedStack } from "./stage";

/** What is true about a stack when its command has ended. */
type StackFacts = Pick<
  PlayedStack,
  "program" | "wasKilled" | "unsure" | "actedOn" | "everHeld" | "interruptedCreates"
>;

/** One command of a stack: its preview, and what came of it. */
export interface Episode extends StackFacts {
  readonly stack: StackName;
  readonly command: "up" | "destroy" | "refresh";
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
  readonly refreshes: boolean;
  /** The run that was killed last, if any, was of the same program. */
  readonly continues: boolean;
  /** An answer got lost on the way. */
  readonly lost: boolean;
  /** The console refused its writes from some moment on. */
  readonly refused: boolean;
  readonly end: Snapshot;
  readonly after: readonly Held[];
  /** What was true when the update began, and what is now. */
  readonly factsBefore: Facts;
  readonly facts: Facts;
  /** Objects that the other stack was the last to adopt, as notes in this stack's folder tell. */
  readonly adoptedAway: ReadonlySet<string>;
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

/** Looks at a command for what breaks one rule. */
export type Check = (episode: Episode) => Violation[];

export function violation(rule: Rule, object: string, text: string): Violation {
  return { rule, object, text };
}
