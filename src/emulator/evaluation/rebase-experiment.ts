import { equalJson } from "../../provider/schema/json";
import { type Allocation, allBuckets, allocate } from "../sdk/spec/buckets";
import { type Condition, type Rule, type Spec, saltOf, withSalt } from "./specs";

/** An object as it is live, and as a rehearsal has it before and after a change. */
export interface Forms<Form = Spec> {
  readonly live: Form;
  readonly before: Form;
  readonly after: Form;
}

/** Buckets of a layer that an experiment has after a change. */
export interface LayerShare {
  readonly salt: string | undefined;
  readonly buckets: readonly number[];
}

/** The rules of a layer that give an experiment its share: without those for the units that overrides name. */
const assigning = ({ rules }: Spec): Rule[] =>
  rules.filter(
    ({ configDelegate, conditions }) =>
      configDelegate !== undefined &&
      conditions.every(({ type }) => type === "user_bucket" || type === "public"),
  );

/** Shares of the experiments of a layer after a change: each keeps its live buckets, as far as its allocation reaches. */
export function sharesOf(live: Spec, after: Spec): Map<string, LayerShare> {
  const bucketsIn = (spec: Spec): Allocation =>
    Object.fromEntries(
      assigning(spec).map(({ configDelegate = "", conditions: [one] }) => [
        configDelegate,
        Array.isArray(one?.targetValue) ? (one.targetValue as number[]) : allBuckets,
      ]),
    );
  const salt = saltOf(assigning(live)[0]?.conditions[0]) ?? saltOf(assigning(after)[0]?.conditions[0]);
  const claims = Object.entries(bucketsIn(after)).map(([id, { length }]) => claimOn(id, length));
  const given = Object.entries(allocate(bucketsIn(live), claims));
  return new Map(given.map(([name, buckets]) => [name, { salt, buckets }]));
}

const claimOn = (id: string, buckets: number) => ({ id, allocation: buckets / 10, preferred: [] });

/** A condition on the buckets of a layer, of those that an experiment has. */
export function withShare(condition: Condition, share: LayerShare | undefined): Condition {
  const isOnBuckets = condition.type === "user_bucket" && condition.operator !== "lt";
  if (!isOnBuckets || share === undefined) return condition;
  return { ...withSalt(condition, share.salt), targetValue: share.buckets };
}

/**
 * Carries the change of an experiment over to the live one: values and sizes of its groups, its targeting, its end. Groups keep the live
 * salts. Which buckets a start or another allocation gives is drawn by the update. Undefined where the live rules are others.
 * @param share its buckets, where it is in a layer
 * @returns its rules, and whether the update draws users for some of them
 */
export function rebasedExperiment({ live, before, after }: Forms, share: LayerShare | undefined) {
  if (!equalJson(live.rules.map(roleOf), before.rules.map(roleOf))) return undefined;
  const lived = new Map(
    before.rules.flatMap(({ conditions }, at) =>
      conditions.map((was, place) => [saltOf(was), live.rules[at]?.conditions[place]] as const),
    ),
  );
  const free = new Set(before.rules.keys());
  let isDrawn = false;
  const withLiveSalt = (condition: Condition): Condition => {
    if (condition.type !== "user_bucket") return condition;
    const now = lived.get(saltOf(condition));
    const salt = saltOf(now);
    // Groups are drawn by running sums; lists of buckets are what an allocation gave.
    if (salt === undefined || condition.operator !== "lt") isDrawn = true;
    return withShare(
      withSalt(condition, salt),
      share ?? ownShare(salt, now?.targetValue, condition.targetValue),
    );
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

/** Share of an experiment in no layer: it keeps its live buckets. */
function ownShare(salt: string | undefined, live: unknown, after: unknown): LayerShare | undefined {
  if (!Array.isArray(live) || !Array.isArray(after)) return undefined;
  const { own = [] } = allocate({ own: live as number[] }, [claimOn("own", after.length)]);
  return { salt, buckets: own };
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
