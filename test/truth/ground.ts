import type { JsonObject } from "../../src/provider/schema/json";
import type { Change } from "../../src/tools/review";
import type { Played } from "./play";
import type { Environment } from "./users";

/** What sentences about one object are held against. */
export interface Ground {
  readonly played: Played;
  readonly change: Change;
  /** The object in the console before and after; undefined where it is not there. */
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
  /** Users of whom a sentence says that they gain or lose, by environment: of the others none may. */
  readonly named: Map<Environment, Set<number>>;
}

/** Why a sentence is not so; undefined where it is. */
export type Verdict = string | undefined;

/** What a sentence is like, and what must be so where it is said; its parts are the groups of the pattern. */
export type Sentence = readonly [RegExp, (parts: readonly string[], ground: Ground) => Verdict];
