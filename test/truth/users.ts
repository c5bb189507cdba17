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

export type Group = readonly number[];

export const everybody: Group = users.map((_, at) => at);

/** What each part of an audience says of a user. */
const parts: readonly (readonly [RegExp, (found: RegExpExecArray, at: number) => boolean])[] = [
  [/^in segment "staff"$/, (_, at) => users[at]?.custom?.company === "ours"],
  [/^in gate "circle"$/, (_, at) => users[at]?.country === "US"],
  [/^after 2020-01-01.*$/, () => true],
  [/^before 2020-01-01.*$/, () => false],
  [
    /^(not )?in ((?:NZ|AU|US|DE)(?:, (?:NZ|AU|US|DE))*)$/,
    ([, not, list = ""], at) => list.split(", ").includes(String(users[at]?.country)) === (not === undefined),
  ],
  [/^whose e-mail contains @example\.com$/, (_, at) => users[at]?.email?.endsWith("@example.com") === true],
  [/^whose plan is pro$/, (_, at) => users[at]?.custom?.plan === "pro"],
];

/** Some of the users, as a sentence calls them. */
export interface Audience {
  readonly group: Group;
  /** Only those of them for whom no rule before decides. */
  readonly isRest: boolean;
}

/** True for words about somebody whom only the update tells. */
export const isOpen = (words: string): boolean => words.includes("not known yet");

/** Who is meant by `everyone else`, `other users in NZ and whose plan is pro`; undefined for words that are not known here. */
export function audienceOf(words: string): Audience | undefined {
  if (words === "everyone") return { group: everybody, isRest: false };
  if (words === "everyone else") return { group: everybody, isRest: true };
  const [, other, about] = /^(other )?users (.+)$/.exec(words) ?? [];
  if (about === undefined) return undefined;
  let group = everybody;
  for (const part of about.split(" and ")) {
    const [pattern, holds] = parts.find(([one]) => one.test(part)) ?? [];
    const found = pattern?.exec(part);
    if (found === undefined || found === null || holds === undefined) return undefined;
    group = group.filter((at) => holds(found, at));
  }
  return { group, isRest: other !== undefined };
}

/** Environments that a sentence names; undefined for words that are not known here. */
export function environmentsIn(words: string): readonly Environment[] | undefined {
  const bare = words.replace(/^in /, "");
  if (bare === "all environments") return environments;
  if (bare === "no environment") return [];
  const [, outside, list = ""] = /^(outside )?([a-z]+(?:(?:, | and )[a-z]+)*)$/.exec(bare) ?? [];
  const names = list.split(/, | and /);
  if (!names.every((name) => environments.some((one) => one === name))) return undefined;
  return environments.filter((one) => names.includes(one) !== (outside !== undefined));
}

/** How a gate answers in one environment, before and after. */
export interface TwoAnswers {
  readonly before: Answers;
  readonly after: Answers;
}

/** Percent of a group that passes. */
export function shareOf(group: Group, { passes }: Answers): number {
  return (100 * group.filter((at) => passes[at]).length) / Math.max(group.length, 1);
}

/** How far a counted share may be from one of so many percent by chance: 0 and 100 percent leave nothing to chance. */
export function slack(percent: number, count: number): number {
  const share = percent / 100;
  if (share === 0 || share === 1) return 0;
  // Of few people two more or less are nothing rare.
  return (100 * (5 * Math.sqrt(share * (1 - share) * count) + 2)) / Math.max(count, 1);
}
