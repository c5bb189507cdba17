import type { Flags, FlagUser, SpecDocument } from "../../src/emulator/evaluation";
import { evaluate } from "../../src/emulator/evaluation";
import { type Kind, kinds, specsOfKind } from "../../src/emulator/evaluation/specs";

/** Something that can be asked for. */
export interface Question {
  readonly kind: Kind;
  readonly name: string;
}

/** Everything that a document answers. */
export function questionsOf(document: SpecDocument): Question[] {
  return kinds.flatMap((kind) => specsOfKind(document, kind).map(({ name }) => ({ kind, name })));
}

/** What a user gets, with the rule and the reason, as one text. */
export function answerTo({ kind, name }: Question, flags: Flags, user: FlagUser): string {
  const { value, rule, why } = evaluate(flags, kind, name, user);
  return JSON.stringify({ value, rule, why });
}

/** What a place answers a user. */
export type Ask = (user: FlagUser) => string;

const standardErrors = 4;

/**
 * Compares what two places answer where each draws by itself: how often each answer comes, of so many users with ids of their own.
 * What is beyond 4 standard errors counts where it is so for a second lot of ids too. An answer that all get in one place is forced,
 * and all have to get it in the other.
 * @returns what differs, a line for each
 */
export function differencesOf(
  one: Ask,
  other: Ask,
  { user, ids }: { readonly user: FlagUser; readonly ids: number },
): string[] {
  return differencesAmong(one, other, user, [0, ids]).length === 0
    ? []
    : differencesAmong(one, other, user, [ids, 2 * ids]);
}

function differencesAmong(one: Ask, other: Ask, user: FlagUser, range: readonly [number, number]): string[] {
  const counts = [one, other].map((ask) => countsOf(ask, user, range));
  const [first = new Map(), second = new Map()] = counts;
  const total = range[1] - range[0];
  const isForced = first.size === 1 || second.size === 1;
  return [...new Set([...first.keys(), ...second.keys()])].flatMap((answer) => {
    const [a, b] = [first.get(answer) ?? 0, second.get(answer) ?? 0];
    const share = (a + b) / (2 * total);
    const error = Math.sqrt(2 * total * share * (1 - share));
    const isSame = isForced ? a === b : Math.abs(a - b) <= standardErrors * error;
    return isSame ? [] : [`${answer}: ${a} and ${b} of ${total} for ${JSON.stringify(user)}`];
  });
}

function countsOf(ask: Ask, user: FlagUser, [from, to]: readonly [number, number]): Map<string, number> {
  const counts = new Map<string, number>();
  for (let number = from; number < to; number += 1) {
    const ids = { userID: `person-${number}`, customIDs: { companyID: `company-${number}` } };
    const answer = ask({ ...ids, ...user });
    counts.set(answer, (counts.get(answer) ?? 0) + 1);
  }
  return counts;
}

/** A parameter of a store, as SDKs read it. */
export interface StoreParameter {
  readonly name: string;
  readonly ref_type: string;
  readonly value?: unknown;
  readonly gate_name?: string;
  readonly pass_value?: unknown;
  readonly fail_value?: unknown;
  readonly config_name?: string;
  readonly experiment_name?: string;
  readonly layer_name?: string;
  readonly param_name?: string;
}

/** What a parameter of a store has to be, by what it refers to. */
export function referred(parameter: StoreParameter, flags: Flags, user: FlagUser): unknown {
  const { ref_type, value, gate_name, pass_value, fail_value, param_name = "" } = parameter;
  const { config_name, experiment_name, layer_name } = parameter;
  if (gate_name !== undefined) return flags.gate(gate_name, user).value ? pass_value : fail_value;
  if (config_name !== undefined) return flags.config(config_name, user).value[param_name] ?? null;
  if (experiment_name !== undefined) return flags.experiment(experiment_name, user).value[param_name] ?? null;
  if (layer_name !== undefined) return flags.layer(layer_name, user).getValue(param_name, null);
  if (ref_type === "static") return value;
  throw new Error(`a parameter that refers to nothing known: ${JSON.stringify(parameter)}`);
}
