import type { Answers, Flag, FlagUser } from "../../emulator/evaluation";
import type { UserMoves } from "../review";

/** A user who gets something else of a flag. */
export interface Move {
  readonly flag: Flag;
  readonly user: FlagUser;
  readonly environment: Tally["environment"];
  readonly before: unknown;
  readonly after: unknown;
}

/** Number of users by their answers before and after, both as JSON: `[20,30]`. */
export type Pairs = ReadonlyMap<string, number>;

/** Users who get something else of one flag, all together and by columns. */
export interface Tally {
  readonly flag: Flag;
  /** Environment of the users; null: any that no rule names; undefined where no rule names one. */
  readonly environment: string | null | undefined;
  readonly pairs: Map<string, number>;
  /** Part of a user as which each counts: several draws make one. */
  readonly weight: number;
  /** Column -> value -> pairs. */
  readonly by: ReadonlyMap<string, Map<string, Map<string, number>>>;
}

export const tallyOf = (
  flag: Flag,
  columns: readonly string[],
  environment: Tally["environment"],
): Tally => ({
  ...{ flag, environment },
  pairs: new Map(),
  weight: 1,
  by: new Map(columns.map((column) => [column, new Map()])),
});

/** Counts some users by their answers before and after: as many in each environment, one after the other. @returns who moved */
export function addMoves(
  inEach: readonly (readonly Tally[])[],
  users: readonly FlagUser[],
  answers: readonly Answers[],
): Move[] {
  const moves: Move[] = [];
  users.forEach((user, row) => {
    const tallies = inEach[Math.floor((row * inEach.length) / users.length)] ?? [];
    tallies.forEach((tally, column) => {
      const at = row * tallies.length + column;
      const [was = "", will = ""] = answers.map(({ texts, places }) => texts[places[at] ?? 0]);
      if (was === will) return;
      addOne(tally, user, `[${was},${will}]`);
      const { flag, environment } = tally;
      moves.push({ flag, user, environment, before: JSON.parse(was), after: JSON.parse(will) });
    });
  });
  return moves;
}

function addOne({ pairs, by, weight }: Tally, user: FlagUser, pair: string): void {
  raise(pairs, pair, weight);
  for (const [column, groups] of by) {
    const value = fieldOf(user, column);
    if (value === undefined) continue;
    const group = groups.get(value) ?? new Map<string, number>();
    groups.set(value, group);
    raise(group, pair, weight);
  }
}

const raise = (pairs: Map<string, number>, pair: string, by: number): void => {
  pairs.set(pair, (pairs.get(pair) ?? 0) + by);
};

/** Value of a user by a name, as a text: a field of the SDK's, a custom field or an id. */
export function fieldOf(user: FlagUser, name: string): string | undefined {
  const { custom, customIDs } = user;
  const value = [user, custom, customIDs].map((one) => (one as Record<string, unknown> | undefined)?.[name]);
  const found = value.find((one) => one !== undefined && one !== null && typeof one !== "object");
  return found === undefined ? undefined : String(found);
}

/** The pairs, the most frequent first. */
export const pairsInOrder = (pairs: Pairs) =>
  [...pairs]
    .map(([pair, users]) => ({ pair: JSON.parse(pair) as [before: unknown, after: unknown], users }))
    .sort((one, other) => other.users - one.users);

/** The same in the words of a report. */
export function movesOf(pairs: Pairs): UserMoves {
  const sum = (is: (after: unknown) => boolean): number =>
    Math.round(pairsInOrder(pairs).reduce((total, { pair, users }) => total + (is(pair[1]) ? users : 0), 0));
  return {
    gains: sum((after) => after === true),
    loses: sum((after) => after === false),
    otherValue: sum((after) => typeof after !== "boolean"),
  };
}
