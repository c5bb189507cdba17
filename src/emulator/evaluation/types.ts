// biome-ignore lint/suspicious/noTsIgnore: it stays in the declarations, where whoever has no SDK gets `any` and no error
/** @ts-ignore: the SDK is an optional peer */
import type { DynamicConfig, FeatureGate, Layer, StatsigServer, StatsigUser } from "statsig-node";

/** A user as `statsig-node` takes one; ids may be left out. */
export type FlagUser = Partial<StatsigUser>;

/** The reason of an answer. */
export interface Decision {
  /** The name of the rule or group that decided, in a layer `experiment / group`; null where none did, or where it was an override, a holdout or the like. */
  readonly rule: string | null;
  /** One sentence for a person, such as `checkout_v2 passes: rule "Staff" (1 of 3), 100 % of users in NZ`. */
  readonly why: string;
  /** The conditions of that rule, all of which the user meets, in words: `e-mail contains @example.com`. Empty for everyone. */
  readonly met: readonly string[];
  /** The rules before it that people wrote, each with the first of its conditions that the user does not meet. */
  readonly unmet: readonly UnmetRule[];
}

/** A rule that is not for a user. */
export interface UnmetRule {
  readonly rule: string;
  /** In words: `in segment "staff"`. */
  readonly condition: string;
}

/** The SDK's answer for a gate, and what decided it. */
export type GateAnswer = FeatureGate & Decision;
/** The SDK's answer for a dynamic config or an experiment, and what decided it. */
export type ConfigAnswer = DynamicConfig & Decision;
/** The SDK's answer for a layer, and what decided it. */
export type LayerAnswer = Layer & Decision;
/** The client of `statsig-node`. */
export type SdkClient = StatsigServer;
