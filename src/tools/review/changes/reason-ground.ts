import type { Overclaim } from "../../../provider/decisions/declared-shares";
import type { Change as AuditedChange } from "../../../provider/schema/audit";
import type { ArgumentChange, Change, Outcome, Presence, RuleTable, Statement } from "../review";
import type { Subject } from "../subjects";
import type { LiveChange, ObjectFinding } from "./findings";
import type { Consequence } from "./passing";
import type { StateMove } from "./state-moves";

/** Changes of an object: in sentences, in tables, and by argument. */
export interface Description {
  readonly statements: readonly Statement[];
  readonly tables: readonly RuleTable[];
  readonly values: readonly ArgumentChange[];
  readonly moves: readonly StateMove[];
  /** Effect of a change of state, or of an end, on units. */
  readonly consequence?: Consequence | undefined;
}

/** Everything that is known about an object beside the preview's step. */
export interface Standing extends ObjectFinding {
  readonly edit: LiveChange;
  readonly presence: Presence;
  /** Outcome of an update that a change in the console stands against; undefined where none does. */
  readonly conflict: Outcome | undefined;
  /** Objects for which the console refuses its end. */
  readonly users: readonly string[];
  /** Why the update of it fails, as the provider said in the preview. */
  readonly announced: string | undefined;
}

/** Everything that the reasons of one change follow from. */
export interface ReasonGround extends Standing {
  readonly subject: Subject;
  readonly said: Description;
  readonly dependents: Change["dependents"];
  readonly checksPerHour: number | undefined;
  /** True for the name of an environment that counts as production. */
  readonly isProduction: (environment: string) => boolean;
  /** It and others ask for more than all of something that they share. */
  readonly overclaim: Overclaim | undefined;
  /** So it was before the update. */
  readonly wasOverclaimed: boolean;
  /** Warnings of the preview about places of the object. */
  readonly warnings: readonly string[];
  /** Milliseconds since 1970; undefined: any time counts. */
  readonly now: number | undefined;
  readonly outcome: Outcome;
  readonly lastChange: AuditedChange;
}
