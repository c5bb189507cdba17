import { elementName, isObject } from "../schema/json";
import { valueAt } from "../schema/path";
import { listText } from "../texts/count-text";
import { conditionText } from "./conditions";
import {
  type Audience,
  type ReachChange,
  reachChanges,
  type Slice,
  shadowedRules,
  slicesOf,
  type Where,
} from "./reach-changes";
import type { KeptRule } from "./rule-changes";
import { isCatchAll, whyNobody } from "./rule-reach";
import { audienceText, restText, type Wording, whereText } from "./rules";
import { nameIn } from "./text";

/** Why nobody gets what a rule gives. */
export interface Unreachable {
  readonly nobody: "reaches" | "can match";
  /** `rule "All" before it takes everyone`. */
  readonly because: string;
}

/** Whom each rule of a list decides for, by its place; empty where there is too much to tell apart. */
export interface ListReach {
  readonly slices: readonly (readonly Slice[])[] | undefined;
  readonly unreachable: ReadonlyMap<number, Unreachable>;
}

/** The units that come to each rule of a list. `now`: milliseconds since 1970. */
export function listReach(rules: readonly unknown[], now: number | undefined): ListReach {
  return { slices: slicesOf(rules, now), unreachable: unreachableRules(rules, now) };
}

/** True for a rule that is only for those for whom no rule before it decides. */
export function isForRest({ slices }: ListReach, at: number): boolean {
  if (slices === undefined) return at > 0;
  return (slices[at] ?? []).some(({ isWhole }) => !isWhole);
}

/** Environments in which units come to a rule; undefined where none do, and where that is not known. */
export function whereReached({ slices }: ListReach, at: number): Where | undefined {
  const found = slices?.[at] ?? [];
  return found.length === 0 ? undefined : found.map(({ where }) => where).reduce(eitherWhere);
}

/** Both environments of one and of another. */
export function eitherWhere(one: Where, other: Where): Where {
  if (one.all && other.all)
    return { all: true, names: one.names.filter((name) => other.names.includes(name)) };
  if (!one.all && !other.all) return { all: false, names: [...new Set([...one.names, ...other.names])] };
  const [most, some] = one.all ? [one, other] : [other, one];
  return { all: true, names: most.names.filter((name) => !some.names.includes(name)) };
}

/** Some of the units in words: `users in NZ`, `everyone else`. */
export function someText({ conditions, isRest }: Audience, wording: Wording = {}): string {
  const text = audienceText(conditions, wording);
  return isRest ? restText(text) : text;
}

/** Rules that give nobody anything, by their places, and why. */
function unreachableRules(rules: readonly unknown[], now: number | undefined): Map<number, Unreachable> {
  const shadowed = shadowedRules(rules, now).map(({ at, after }): [number, Unreachable] => {
    const names = after.map((one) => titleAt(rules, one));
    const before =
      names.length === 1
        ? `rule ${names[0]} before it takes`
        : `rules ${names.length < 4 ? names.join(" and ") : listText(names, 3)} before it take`;
    return [at, { nobody: "reaches", because: `${before} ${takenText(rules, at, after)}` }];
  });
  const never = rules.flatMap((rule, at): [number, Unreachable][] => {
    const because = deadText(rule, now);
    return because === undefined ? [] : [[at, { nobody: "can match", because }]];
  });
  return new Map([...never, ...shadowed]);
}

/** Why a rule is for nobody. What a percentage of 0 does is said by the percentage. */
function deadText(rule: unknown, now: number | undefined): string | undefined {
  const dead = whyNobody(rule, now);
  switch (dead?.why) {
    case "environments":
      return "it holds in no environment";
    case "empty list":
      return "a condition asks for one of no values";
    case "condition":
      return dead.paths
        .map((path) => `its condition "${conditionText(valueAt(rule, path))}" never holds`)
        .join(" and ");
    case "contradiction":
      return dead.paths.length > 2
        ? "its conditions exclude each other"
        : "two of its parts exclude each other";
    default:
      return undefined;
  }
}

function takenText(rules: readonly unknown[], at: number, takers: readonly number[]): string {
  const rule = rules[at];
  if (takers.every((one) => isCatchAll(rules[one]))) return "everyone";
  const audience = isObject(rule) ? audienceText(rule.conditions) : "";
  return audience === "everyone" ? audience : `all ${audience}`;
}

/** The name of a rule, in quotes; its place where it has none. */
export function titleAt(rules: readonly unknown[], at: number): string {
  return titleOf(elementName(rules[at]), at);
}

/** The name of a rule, in quotes; its place where it has none. */
export function titleOf(name: string | undefined, at: number): string {
  return name === undefined ? `no. ${at + 1}` : nameIn(name);
}

/** Whom a rule that stays no longer decides for, and whom it does now. */
export interface Shift {
  readonly lost: readonly ReachChange[];
  readonly gained: readonly ReachChange[];
  /** Those for whom it decides before and after. */
  readonly kept: readonly ReachChange[];
}

/** Shifts of rules, by their places before and after; undefined where there is too much to tell apart. */
export function shiftsBetween(
  olds: readonly unknown[],
  news: readonly unknown[],
  now: number | undefined,
): ((from: number, to: number) => Shift) | undefined {
  const changes = reachChanges({ rules: olds }, { rules: news }, now);
  if (changes === undefined) return undefined;
  return (from, to) => ({
    lost: changes.filter(({ before, after }) => before === from && after !== to),
    gained: changes.filter(({ before, after }) => before !== from && after === to),
    kept: changes.filter(({ before, after }) => before === from && after === to),
  });
}

/** `users in NZ in production and everyone else`. */
export function audiencesText(changes: readonly ReachChange[], wording: Wording = {}): string {
  const byText = new Map<string, Where>();
  for (const change of changes) {
    const text = someText(change, wording);
    const known = byText.get(text);
    byText.set(text, known === undefined ? change.where : eitherWhere(known, change.where));
  }
  const texts = [...byText].map(([text, where]) =>
    where.all && where.names.length === 0 ? text : `${text} ${whereText(where)}`,
  );
  return texts.length > 3 ? `${texts.slice(0, 2).join(", ")} and others` : texts.join(" and ");
}

/** Compares the order of rules where places differ because rules came and went. */
export function movedPastText({ from, to }: KeptRule, kept: readonly KeptRule[]): string {
  const passed = kept.filter((other) => other.from < from !== other.to < to && other.to !== to);
  const [nearest] = passed.sort((one, other) => Math.abs(one.to - to) - Math.abs(other.to - to));
  if (nearest === undefined) return "changes places";
  return `now comes ${nearest.to < to ? "after" : "before"} rule ${titleOf(nearest.name, nearest.to)}`;
}
