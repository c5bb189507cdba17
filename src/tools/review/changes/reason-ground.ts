import type { Overclaim } from "../../../provider/decisions/declared-shares";
import type { JsonObject } from "../../../provider/schema/json";
import type { ArgumentChange, Change, Outcome, Presence, RuleTable, Statement } from "../review";
import type { Subject } from "../subjects";
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

/** A place that both the program and a person in the console changed since state last saw it, in words. */
export interface ConsoleConflict {
  /** The argument that holds the place. */
  readonly argument: string;
  /** `"All" 0 %`: what the console has now. */
  readonly now: string;
  /** `50 %`: what state saw last. */
  readonly seen: string;
}

/** Everything that the reasons of one change follow from. */
export interface ReasonGround {
  readonly subject: Subject;
  readonly said: Description;
  readonly dependents: Change["dependents"];
  readonly checksPerHour: number | undefined;
  /** True for the name of an environment that counts as production. */
  readonly isProduction: (environment: string) => boolean;
  /** The object in the console; undefined where the report did not ask. */
  readonly live: JsonObject | undefined;
  /** It and others ask for more than all of something that they share. */
  readonly overclaim: Overclaim | undefined;
  /** So it was before the update. */
  readonly wasOverclaimed: boolean;
  /** Milliseconds since 1970; undefined: any time counts. */
  readonly now: number | undefined;
  readonly outcome: Outcome;
  readonly presence: Presence;
  /** Places that both the program and a person in the console changed. `overwrites`: the update overwrites the latter. */
  readonly edits: { readonly conflicts: readonly ConsoleConflict[]; readonly overwrites: boolean };
  readonly lastChange: { readonly by?: string; readonly at?: number } | undefined;
}
