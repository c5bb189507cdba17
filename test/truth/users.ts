import type { StatsigUser } from "statsig-node";
import type { Emulator } from "../../src/emulator";
import { startOn } from "../../src/emulator/evaluation/sdk";
import { type Spec, type SpecDocument, specsOfKind } from "../../src/emulator/evaluation/specs";
import type { FlagUser } from "../../src/emulator/evaluation/types";
import { equalJson } from "../../src/provider/schema/json";

/** Environments in which users ask. */
export const environments = ["production", "staging", "development"] as const;

export type Environment = (typeof environments)[number];

/** How many users are asked. */
const crowd = 900;

const countries = ["NZ", "AU", "US", "DE", undefined];

/** People of several countries, of this company and others, on two plans. */
export const users: readonly FlagUser[] = Array.from({ length: crowd }, (_, number) => {
  const country = countries[number % countries.length];
  return {
    userID: `user-${number}`,
    email: number % 3 === 0 ? `user-${number}@example.com` : `user-${number}@mail.test`,
    ...(country === undefined ? {} : { country }),
    custom: { plan: number % 7 < 2 ? "pro" : "free", company: number % 4 === 0 ? "ours" : "another" },
  };
});

/** What one gate or config answers the users, in their order. */
export interface Answers {
  /** Passes the gate; gets another value than the default one; is in a group of the experiment. */
  readonly passes: readonly boolean[];
  /** Name of the rule that decided; undefined where none did. */
  readonly rules: readonly (string | undefined)[];
}

/** What the users get of every gate, config and experiment, by environment. */
export type Evaluation = ReadonlyMap<string, Readonly<Record<Environment, Answers>>>;

/** Asks the vendor's own SDK for every user, every gate and every environment. */
export async function evaluate(emulator: Emulator): Promise<Evaluation> {
  const document = JSON.parse(emulator.sdkDocuments().v1) as SpecDocument;
  const client = await startOn(document);
  const found = new Map<string, Record<Environment, Answers>>();
  const ask = (
    { name, rules }: Spec,
    answer: (user: StatsigUser) => { isGiven: boolean; ruleID: string },
  ) => {
    const names = new Map(rules.map(({ id, groupName }) => [id, groupName]));
    const answersIn = (tier: Environment): Answers => {
      const answers = users.map((user) => answer({ userID: "", ...user, statsigEnvironment: { tier } }));
      return {
        passes: answers.map(({ isGiven }) => isGiven),
        rules: answers.map(({ ruleID }) => names.get(ruleID)),
      };
    };
    found.set(name, {
      production: answersIn("production"),
      staging: answersIn("staging"),
      development: answersIn("development"),
    });
  };
  for (const spec of specsOfKind(document, "gate"))
    ask(spec, (user) => {
      const { value, ruleID } = client.getFeatureGate(user, spec.name, quiet);
      return { isGiven: value, ruleID };
    });
  for (const spec of specsOfKind(document, "config"))
    ask(spec, (user) => {
      const config = client.getConfig(user, spec.name, quiet);
      return { isGiven: !equalJson(config.value, spec.defaultValue), ruleID: config.getRuleID() };
    });
  for (const spec of specsOfKind(document, "experiment")) {
    const groups = new Set(spec.rules.filter((rule) => rule.isExperimentGroup).map(({ id }) => id));
    ask(spec, (user) => {
      const ruleID = client.getExperiment(user, spec.name, quiet).getRuleID();
      return { isGiven: groups.has(ruleID), ruleID };
    });
  }
  client.shutdown();
  return found;
}

const quiet = { disableExposureLogging: true };

const none: Answers = { passes: users.map(() => false), rules: users.map(() => undefined) };

/** What a gate answers; nobody passes one that is not there. */
export function answersOf(evaluation: Evaluation, gate: string, environment: Environment): Answers {
  return evaluation.get(gate)?.[environment] ?? none;
}
