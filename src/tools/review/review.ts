import type { RuleRow } from "../../provider/words";

/** Weight of a reason. "info" makes nothing riskier by itself. */
export type Level = (typeof levels)[number];

/** Levels, worst first. */
export const levels = ["high", "medium", "low", "info"] as const;

/** A reason why a change is as risky as it is. */
export interface Reason {
  /** Subject, for programs: one of a closed list (`docs/review.md`). */
  readonly about: ReasonAbout;
  readonly level: Level;
  /** In a sentence. */
  readonly text: string;
}

/** The subjects of reasons. */
export type ReasonAbout =
  | "reach"
  | "audience"
  | "order"
  | "unreachable"
  | "value"
  | "state"
  | "results"
  | "end"
  | "replacement"
  | "adoption"
  | "dependents"
  | "traffic"
  | "console"
  | "review"
  | "secret"
  | "address"
  | "warning"
  | "stages"
  | "outcome";

/**
 * Effect on an object. `run`: an action is carried out once. `restore`: it comes back from the archive. `release`: it
 * leaves the program and stays in the console. `empty`: a part of another object is emptied.
 */
export type Act = keyof typeof actTexts;

/** Acts in a few words: in the line of a change, and behind a count such as `3 changed`. */
export const actTexts = {
  create: ["new", "new"],
  adopt: ["taken over from the console", "taken over"],
  update: ["", "changed"],
  replace: ["deleted and made anew", "replaced"],
  restore: ["back from the archive", "back from the archive"],
  archive: ["to the archive", "to the archive"],
  delete: ["deleted for good", "deleted"],
  empty: ["emptied", "emptied"],
  release: ["left to the console", "left to the console"],
  run: ["carried out once", "carried out"],
} as const satisfies Readonly<Record<string, readonly [line: string, counted: string]>>;

/** Something that changes, in a sentence. */
export interface Statement {
  /** `state`: whether it is in use. `reach`: who gets it. `value`: anything else. `rest`: what stays as it is. */
  readonly about: "state" | "reach" | "value" | "rest";
  readonly text: string;
  /** Environments in which it holds, such as `production`; undefined where that does not apply. */
  readonly environments?: string;
}

/** A list of rules, before and after. */
export interface RuleTable {
  /** The argument that holds it, such as `rules`. */
  readonly argument: string;
  readonly rows: readonly RuleRow[];
}

/** An argument that changes, or a place inside one. Secrets are `[secret]`. */
export interface ArgumentChange {
  readonly argument: string;
  /** Inside the argument, such as `limits.maxItems`. */
  readonly place?: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** Another object that refers to one. */
export interface Dependent {
  /** `gate "pay_later"`. */
  readonly object: string;
  /**
   * "program": a resource of the stack. "console": only the console has it. "unknown": the console has it, and the preview does not
   * show what stays as it is.
   */
  readonly where: "program" | "console" | "unknown";
  /** The object through which it refers to that one: `segment "staff"`. Absent: by itself. */
  readonly through?: string;
}

/**
 * End of a change when the update is carried out. "changes": as the report describes it. "fails": the update of this object is
 * refused or fails. "left": nothing of it is sent. "not known": neither the preview nor the console shows it.
 */
export interface Outcome {
  readonly what: "changes" | "fails" | "left" | "not known";
  /** In a sentence; absent where it changes. */
  readonly why?: string;
}

/** Place of an object in the console; "not known" where the report did not ask, or got no answer. */
export type Presence = "in use" | "archived" | "nothing" | "not known";

/** Exposures to an object. */
export interface Exposures {
  readonly pastDay: number;
  readonly past7Days: number;
}

/** One object that changes. */
export interface Change {
  readonly urn: string;
  /** Its name in the program. */
  readonly name: string;
  /** PascalCase, as in programs. */
  readonly kind: string;
  /** `gate`. */
  readonly title: string;
  /** Name in the console: its key or name, or its id. */
  readonly called: string;
  readonly act: Act;
  /** Effect of Pulumi's replacement; absent where there is none. "in place": as an update. */
  readonly replacement?: "in place" | "revived" | "another" | "anew" | undefined;
  readonly outcome: Outcome;
  /** The object's place in the console, as it is now. */
  readonly inConsole: Presence;
  /** Everything that one line says, without the name: `production: 10 % → 50 % of users in NZ, AU; ...`. */
  readonly headline: string;
  readonly statements: readonly Statement[];
  readonly tables: readonly RuleTable[];
  /** Changes beside lists of rules. */
  readonly values: readonly ArgumentChange[];
  /** Environments in which users may see a difference; null: all of them, or not known. */
  readonly environments: readonly string[] | null;
  /** The worst level of its reasons. */
  readonly risk: Level;
  /** True for a change that takes something out of use: off, archived, deleted, an experiment that ends. */
  readonly endsUse?: boolean;
  /** Why, worst first. */
  readonly facts: readonly Reason[];
  readonly dependents: readonly Dependent[];
  /** Checks of it by applications. */
  readonly checksPerHour?: number | undefined;
  /** Exposures of applications to it, as the console counts. */
  readonly exposures?: Exposures | undefined;
  /** The team, or else the person, that it belongs to. */
  readonly owner?: string | undefined;
  /** Author and time (ISO 8601) of the last change, as far as the console shows them. */
  readonly lastChange?: { readonly by?: string; readonly at?: string } | undefined;
  /** Place in the program: `index.ts:9:18`. */
  readonly position?: string | undefined;
  /** Its page in the console. */
  readonly page?: string | undefined;
  /** Lines of the provider about it in the preview. */
  readonly notices: readonly string[];
}

/** The least and the most users, 98 times in 100. */
export type UserInterval = readonly [least: number, most: number];

/** Numbers of users who get something else. */
export interface UserMoves {
  /** Users who did not pass before and pass after; of gates. */
  readonly gains: number;
  readonly loses: number;
  /** Users who get another value; of everything but gates. */
  readonly otherValue: number;
}

/** Users who get something else of one flag. */
export interface FlagUsers extends UserMoves {
  /** `gate`. */
  readonly kind: string;
  readonly id: string;
  /** Environment in which these counts hold; null: any that no rule names; absent: all. */
  readonly environment?: string | null;
  /** The same by what users have: column -> value -> users. Absent where nobody asked. */
  readonly by?: Readonly<Record<string, Readonly<Record<string, UserMoves>>>>;
  /** The most frequent moves from value to value. */
  readonly values?: readonly { readonly before: unknown; readonly after: unknown; readonly users: number }[];
  /** Present where only the update draws users: the counts are then those of one draw. */
  readonly drawn?: {
    /** Draws of the update: `rule "New"`, `experiment "colour"`. */
    readonly draws: readonly string[];
    readonly gains: UserInterval;
    readonly loses: UserInterval;
    readonly otherValue: UserInterval;
  };
}

/** Numbers of some users who get something else by the changes. */
export interface UserCounts {
  readonly of: number;
  /** The environment in which all are counted; absent: each that a rule names, and any other. */
  readonly environment?: string;
  /** Flags of which at least one user gets another answer, or may. */
  readonly flags: readonly FlagUsers[];
  /** False where a change is not counted: a note says which, and why. */
  readonly isComplete: boolean;
  /** Changes that are not counted, and other notes. */
  readonly notes: readonly string[];
}

/** The changes of a preview, for people who decide about it; `--format json` prints these members, whose names stay. */
export interface Review {
  /** Of this shape. */
  readonly format: 1;
  readonly project?: string;
  readonly stack?: string;
  /** Worst first. */
  readonly changes: readonly Change[];
  readonly counts: {
    /** By what happens; only what does. */
    readonly acts: Readonly<Partial<Record<Act, number>>>;
    readonly risks: Readonly<Record<Level, number>>;
    /** Changes that are not carried out as the preview shows them; they are in no count of acts. */
    readonly outcomes: Readonly<Partial<Record<Outcome["what"], number>>>;
    /** Resources of this package that stay as they are. */
    readonly unchanged: number;
    /** Changing resources of other packages, which are not described. */
    readonly others: number;
  };
  /** Users of `--users`; absent where none were given. */
  readonly users?: UserCounts;
  /** Answers of the console: of all kinds, of some, or none. */
  readonly console: "asked" | "partly" | "not asked";
  /** Notes on the report itself, and warnings and errors of the preview. */
  readonly notes: readonly string[];
  /** Why the update will fail, as far as it is known; `object` is absent where a reason is about none that changes. */
  readonly willFail: readonly { readonly object?: string; readonly why: string }[];
  /** True for a preview that failed: then this is not all. */
  readonly failed: boolean;
}
