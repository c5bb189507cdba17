import { elementName, equalJson, isObject, type JsonObject, stableText } from "../schema/json";
import type { Path } from "../schema/path";
import { UNKNOWN } from "../schema/unknown";
import { matchedPlaces, unnamed, type Way } from "../values/matching";

/** A member of a rule that changed; undefined where there is none. */
export interface MemberChange {
  /** Inside the rule. */
  readonly path: Path;
  readonly before: unknown;
  readonly after: unknown;
}

/** A rule that is in both lists. `from` and `to` are its places, counted from 0. */
export interface KeptRule {
  readonly from: number;
  readonly to: number;
  /** Its name now. */
  readonly name: string | undefined;
  /** Its name before, where that was another. */
  readonly renamedFrom?: string;
  readonly members: readonly MemberChange[];
  /** It changed places with others; what only made room for others or closed up behind them did not. */
  readonly moved: boolean;
}

/** A rule that is in one of the lists. `at` is its place there, counted from 0. */
export interface LoneRule {
  readonly at: number;
  readonly name: string | undefined;
  readonly rule: unknown;
}

/**
 * Changes of each rule. From the list before without `removed`, with the changes of `kept`, whose moved ones are put
 * in their new places together with `added` and `unknown`, follows the list after.
 */
export interface RuleChanges {
  readonly removed: readonly LoneRule[];
  readonly added: readonly LoneRule[];
  /** Rules of which it is not known yet who they are: each may be new, or one that seems to be removed. */
  readonly unknown: readonly LoneRule[];
  readonly kept: readonly KeptRule[];
}

/** Compares two lists of rules. Matches rules by name, and the rest of them by content. */
export function ruleChanges(before: readonly unknown[], after: readonly unknown[]): RuleChanges {
  const pairs = matched(before, after);
  const steady = steadyPlaces(pairs);
  const kept = pairs.map(([from, to]) => keptRule(before[from], after[to], { from, to, steady }));
  const matchedBefore = new Set(pairs.map(([from]) => from));
  const matchedAfter = new Set(pairs.map(([, to]) => to));
  const unmatched = (rules: readonly unknown[], taken: ReadonlySet<number>): LoneRule[] =>
    rules.flatMap((rule, at) => (taken.has(at) ? [] : [{ at, name: elementName(rule), rule }]));
  const unmatchedAfter = unmatched(after, matchedAfter);
  return {
    removed: unmatched(before, matchedBefore),
    added: unmatchedAfter.filter(({ rule }) => !isUnknown(rule)),
    unknown: unmatchedAfter.filter(({ rule }) => isUnknown(rule)),
    kept,
  };
}

/** True for a rule of which it is not known yet which one it is. */
function isUnknown(rule: unknown): boolean {
  return rule === UNKNOWN || elementName(rule) === UNKNOWN;
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

type Pair = readonly [from: number, to: number];

/** Places of rules that are in both lists, in the order of the list before. */
function matched(before: readonly unknown[], after: readonly unknown[]): Pair[] {
  return matchedPlaces(before, after, [byText(elementName), byText(contentOf)]).flatMap((to, from): Pair[] =>
    to === undefined ? [] : [[from, to]],
  );
}

/** A rule that may turn out to be any other matches none. */
function byText(textOf: (rule: unknown) => string | undefined): Way<unknown> {
  return { key: (rule) => (isUnknown(rule) ? undefined : textOf(rule)) };
}

function contentOf(rule: unknown): string {
  return stableText(isObject(rule) ? unnamed(rule) : rule);
}

/** Places before of the longest row of rules that kept their order: the fewest possible others have moved. */
function steadyPlaces(pairs: readonly Pair[]): ReadonlySet<number> {
  // ends[n]: the pair with the smallest place after that ends a row of n + 1.
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  pairs.forEach(([, to], index) => {
    const found = ends.findIndex((end) => (pairs[end]?.[1] ?? 0) > to);
    const length = found < 0 ? ends.length : found;
    previous[index] = ends[length - 1];
    ends[length] = index;
  });
  const steady = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) steady.add(pairs[at]?.[0] ?? 0);
  return steady;
}

interface Places {
  readonly from: number;
  readonly to: number;
  readonly steady: ReadonlySet<number>;
}

function keptRule(before: unknown, after: unknown, { from, to, steady }: Places): KeptRule {
  const [was, name] = [elementName(before), elementName(after)];
  const isRenamed = was !== undefined && name !== undefined && was !== name;
  // Rules that are no objects are matched by content, so they are equal.
  const changed = isObject(before) && isObject(after) ? changedMembers(before, after) : [];
  const members = changed
    .filter((member) => member !== "name" || !isRenamed)
    .map((member) => narrowed([member], memberOf(before, member), memberOf(after, member)));
  return { from, to, name, ...(isRenamed ? { renamedFrom: was } : {}), members, moved: !steady.has(from) };
}

function changedMembers(before: JsonObject, after: JsonObject): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !equalJson(memberOf(before, name), memberOf(after, name)));
}

/** The change, at the one element and its one member that it is about, where that is so. */
function narrowed(path: Path, before: unknown, after: unknown): MemberChange {
  const whole = { path, before, after };
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return whole;
  const different = before.flatMap((item, at) => (equalJson(item, after[at]) ? [] : [at]));
  const [at, more] = different;
  if (at === undefined || more !== undefined) return whole;
  const [old, next]: unknown[] = [before[at], after[at]];
  if (!isObject(old) || !isObject(next)) return whole;
  const [name, another] = changedMembers(old, next);
  if (name === undefined || another !== undefined) return { path: [...path, at], before: old, after: next };
  return { path: [...path, at, name], before: memberOf(old, name), after: memberOf(next, name) };
}
