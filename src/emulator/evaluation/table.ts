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

/** Number of users with one answer by one rule. */
export interface Count {
  readonly value: unknown;
  readonly rule: string | null;
  readonly users: number;
}

/** Counts answers, the most frequent first. */
export function countsOf(evaluations: readonly Evaluation[]): Count[] {
  const groups = new Map<string, Count>();
  for (const { value, rule } of evaluations) {
    const key = JSON.stringify([value, rule]);
    groups.set(key, { value, rule, users: (groups.get(key)?.users ?? 0) + 1 });
  }
  return [...groups.values()].sort((one, other) => other.users - one.users);
}
