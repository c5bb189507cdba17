import type { StatsigUser } from "statsig-node";
import { startOn } from "../../src/emulator/evaluation/sdk";
import { type Spec, type SpecDocument, specsOfKind } from "../../src/emulator/evaluation/specs";
import type { FlagUser } from "../../src/emulator/evaluation/types";
import { equalJson } from "../../src/provider/schema/json";
import { crowd } from "../world/draw";
import { touchedIn } from "../world/flags";

/** Environments in which users ask. */
export const environments = ["production", "staging", "development"] as const;

export type Environment = (typeof environments)[number];

/** Those who are asked. */
export const users: readonly FlagUser[] = crowd(900);

/** What one gate or config answers the users, in their order. */
export interface Answers {
  /** Passes the gate; gets another value than the default one; is in a group of the experiment. */
  readonly passes: readonly boolean[];
  /** Name of the rule that decided; undefined where none did. */
  readonly rules: readonly (string | undefined)[];
}

/** What the users get of every gate, config and experiment, by environment. */
export type Evaluation = ReadonlyMap<string, Readonly<Record<Environment, Answers>>>;

/**
 * Asks the vendor's own SDK for every user, every gate and every environment. `known`: what it answered by another document, which
 * stays for what both describe alike.
 */
export async function evaluate(
  document: SpecDocument,
  known?: { readonly document: SpecDocument; readonly evaluation: Evaluation },
): Promise<Evaluation> {
  const touched = known && touchedIn(known.document, document);
  const client = await startOn(document);
  const found = new Map<string, Record<Environment, Answers>>();
  const ask = (kind: "gate" | "config" | "experiment", answer: (user: StatsigUser, spec: Spec) => Given) => {
    for (const spec of specsOfKind(document, kind)) {
      const same = touched?.has(spec.name) === false ? known?.evaluation.get(spec.name) : undefined;
      const names = new Map(spec.rules.map(({ id, groupName }) => [id, groupName]));
      const answersIn = (tier: Environment): Answers => {
        const answers = users.map((user) =>
          answer({ userID: "", ...user, statsigEnvironment: { tier } }, spec),
        );
        return {
          passes: answers.map(({ isGiven }) => isGiven),
          rules: answers.map(({ ruleID }) => names.get(ruleID)),
        };
      };
      const anew = () => Object.fromEntries(environments.map((tier) => [tier, answersIn(tier)]));
      found.set(spec.name, same ?? (anew() as Record<Environment, Answers>));
    }
  };
  ask("gate", (user, { name }) => {
    const { value, ruleID } = client.getFeatureGate(user, name, quiet);
    return { isGiven: value, ruleID };
  });
  ask("config", (user, { name, defaultValue }) => {
    const config = client.getConfig(user, name, quiet);
    return { isGiven: !equalJson(config.value, defaultValue), ruleID: config.getRuleID() };
  });
  ask("experiment", (user, { name, rules }) => {
    const ruleID = client.getExperiment(user, name, quiet).getRuleID();
    return { isGiven: rules.some((rule) => rule.isExperimentGroup && rule.id === ruleID), ruleID };
  });
  client.shutdown();
  return found;
}

/** What one user gets, and by which rule. */
interface Given {
  readonly isGiven: boolean;
  readonly ruleID: string;
}

const quiet = { disableExposureLogging: true };

const none: Answers = { passes: users.map(() => false), rules: users.map(() => undefined) };

/** What a gate answers; nobody passes one that is not there. */
export function answersOf(evaluation: Evaluation, gate: string, environment: Environment): Answers {
  return evaluation.get(gate)?.[environment] ?? none;
}
