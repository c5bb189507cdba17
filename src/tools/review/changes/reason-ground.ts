import type { Overclaim } from "../../../provider/decisions/declared-shares";
import type { Change as AuditedChange } from "../../../provider/schema/audit";
import type { ArgumentChange, Change, Outcome, RuleTable, Statement } from "../review";
import type { Subject } from "../subjects";
import type { Consequence } from "./passing";
import type { Standing } from "./standing";
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
