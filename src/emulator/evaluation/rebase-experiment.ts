import { equalJson } from "../../provider/schema/json";
import { type Condition, type Rule, type Spec, saltOf, withSalt } from "./specs";

/** Rules after a change, and whether the update draws users for some of them. */
export interface RebasedExperiment {
  readonly rules: readonly Rule[];
  readonly isDrawn: boolean;
}

/**
 * Carries the change of an experiment over to the live one: values and sizes of its groups, its targeting, its end. Groups keep the live
 * salts. Which buckets a start or another allocation gives is drawn by the update. Undefined where the live rules are others.
 */
export function rebasedExperiment(live: Spec, before: Spec, after: Spec): RebasedExperiment | undefined {
  if (!equalJson(live.rules.map(roleOf), before.rules.map(roleOf))) return undefined;
  const lived = new Map(
    before.rules.flatMap(({ conditions }, at) =>
      conditions.map((was, place) => [saltOf(was), { was, now: live.rules[at]?.conditions[place] }] as const),
    ),
  );
  const free = new Set(before.rules.keys());
  let isDrawn = false;
  const withLiveSalt = (condition: Condition): Condition => {
    if (condition.type !== "user_bucket") return condition;
    const { was, now } = lived.get(saltOf(condition)) ?? {};
    const salt = saltOf(now);
    // Groups are drawn by running sums; lists of buckets are what an allocation gave.
    if (salt === undefined || condition.operator !== "lt") isDrawn = true;
    if (salt === undefined) return condition;
    const targetValue = rebasedBuckets(now?.targetValue, was?.targetValue, condition.targetValue);
    return { ...withSalt(condition, salt), targetValue };
  };
  const rules = after.rules.map((rule) => {
    const at = [...free].find((place) => roleOf(before.rules[place]) === roleOf(rule));
    const [was, now] = at === undefined ? [] : [before.rules[at], live.rules[at]];
    if (at !== undefined) free.delete(at);
    if (now !== undefined && equalJson(was, rule)) return now;
    const isSame = now !== undefined && equalJson(was?.conditions, rule.conditions);
    const conditions = isSame ? now.conditions : rule.conditions.map(withLiveSalt);
    return {
      ...rule,
      ...now,
      passPercentage: rule.passPercentage,
      returnValue: rule.returnValue,
      conditions,
    };
  });
  return { rules, isDrawn };
}

/**
 * Key of a rule by its purpose: a group by its name, a condition on a gate alone by that gate, since a holdout's rule has an id of its own, and others by
 * their ids; the groups of an end are drawn by nothing.
 */
function roleOf(rule: Rule | undefined): string {
  const { groupName, id, conditions = [] } = rule ?? {};
  const [asked] = conditions.length === 1 ? conditions : [];
  const isAsking = asked?.type === "pass_gate" && asked.operator === "any";
  return JSON.stringify([
    groupName ?? (isAsking ? asked.targetValue : id),
    conditions.map(({ type }) => type),
  ]);
}

/** As many buckets more or fewer than the live ones as the rehearsal shows: who is in a live bucket that stays, stays. */
function rebasedBuckets(live: unknown, before: unknown, after: unknown): unknown {
  if (!Array.isArray(live) || !Array.isArray(before) || !Array.isArray(after)) return after;
  const kept = live.slice(0, Math.max(0, live.length - before.filter((one) => !after.includes(one)).length));
  const others = [...new Set([...after, ...Array(1000).keys()])].filter((one) => !kept.includes(one));
  return [...kept, ...others.slice(0, after.filter((one) => !before.includes(one)).length)];
}
