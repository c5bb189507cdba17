import type { Flags } from "./flags";
import type { Kind } from "./specs";
import type { Decision, FlagUser } from "./types";

/** The answer for one user. */
export interface Evaluation extends Decision {
  readonly user: FlagUser;
  /** Of a gate whether it passes, of everything else its values. */
  readonly value: unknown;
}

/** Evaluates an object for a user. @throws Error where there is none. */
export function evaluate(flags: Flags, kind: Kind, name: string, user: FlagUser): Evaluation {
  if (kind === "layer") {
    const layer = flags.layer(name, user);
    const values = flags.parametersOf(name).map((one) => [one, layer.getValue(one, null)]);
    return { user, value: Object.fromEntries(values), ...decisionIn(layer) };
  }
  const answer = flags[kind](name, user);
  return { user, value: answer.value, ...decisionIn(answer) };
}

const decisionIn = ({ rule, why, met, unmet }: Decision): Decision => ({ rule, why, met, unmet });

/** Numbers of users with one answer by one rule, the most frequent first. */
export function countsOf(evaluations: readonly Evaluation[]) {
  const groups = Map.groupBy(evaluations, ({ value, rule }) => JSON.stringify([value, rule]));
  return [...groups.values()]
    .flatMap(([one, ...same]) =>
      one === undefined ? [] : [{ value: one.value, rule: one.rule, users: same.length + 1 }],
    )
    .sort((one, other) => other.users - one.users);
}
