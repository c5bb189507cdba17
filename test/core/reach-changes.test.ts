import { beforeAll, expect, test } from "@jest/globals";
import { startOn } from "../../src/emulator/evaluation/sdk";
import type { SdkClient } from "../../src/emulator/evaluation/types";
import { type Reading, translationOf } from "../../src/emulator/sdk/reading";
import { specConditions } from "../../src/emulator/sdk/spec/conditions";
import { gateSpec } from "../../src/emulator/sdk/spec/gates";
import { gateBetween, ruleOf, type Spec } from "../../src/emulator/sdk/spec/spec";
import { type ReachChange, reachChanges, type Where } from "../../src/provider/words/reach-changes";
import { ruleChanges } from "../../src/provider/words/rule-changes";
import { caseCount } from "../support/sample";
import { Dice } from "../world/dice";
import { type Case, caseOf, now } from "./reach-cases";

/** The vendor's SDK evaluates 300 users for each, before and after. */
const cases = caseCount(60, 3000);

const dice = new Dice(7);
/** Some of these values, drawn; what is undefined is left out. */
const drawn = (values: Readonly<Record<string, readonly unknown[]>>) =>
  Object.fromEntries(
    Object.entries(values)
      .map(([name, choices]) => [name, dice.one(choices)] as const)
      .filter(([, value]) => value !== undefined),
  ) as Record<string, never>;

const users = Array.from({ length: 300 }, (_, at) => ({
  userID: `user-${at}`,
  ...drawn({
    email: [undefined, "ann@example.com", "bob@EXAMPLE.com", "cyd@example.org"],
    country: [undefined, "NZ", "AU", "FJ"],
    appVersion: [undefined, "2.3.9", "2.4", "3.0-beta"],
  }),
  custom: drawn({
    age: [undefined, 12, 18, 40, 65],
    plan: [undefined, "Pro", "pro", "team"],
    tags: [undefined, ["a"], ["b", "c"], []],
  }),
  statsigEnvironment: { tier: dice.one(["production", "staging", "development"]) },
}));

const gates: Spec[] = [];
const reading: Reading = {
  world: { get: () => undefined, list: () => [] } as never,
  ...{ at: now, mostInlineIds: Number.POSITIVE_INFINITY, holdersOf: () => [], holdoutName: (id) => id },
  ...{ tell: () => {}, shut: () => {}, doubt: () => {} },
  addGate: (spec) => {
    if (!gates.some(({ name }) => name === spec.name)) gates.push(spec);
  },
};

const statuses = { rules: "In Progress", nobody: "Disabled", everybody: "Launched" } as const;

/** Rules of a gate as a console keeps them: one that stays keeps the id by which it draws. */
function plant(name: string, { before, after }: Case): void {
  const kept = new Map(ruleChanges(before.rules, after.rules).kept.map(({ from, to }) => [to, from]));
  const gate = (suffix: string, { rules, reach = "rules" }: Case["before"], idOf: (at: number) => string) => {
    const own = rules.map((rule: object, at) => ({
      ...{ ...rule, name: `${at}`, id: `${idOf(at)}:${suffix}`, baseID: idOf(at) },
    }));
    const object = { id: `${name} ${suffix}`, idType: "userID", status: statuses[reach], rules: own };
    gates.push({ ...gateSpec(reading, object), salt: name });
  };
  gate("before", before, (at) => `${name} ${at}`);
  gate("after", after, (at) => `${name} ${kept.get(at) ?? `new ${at}`}`);
}

/** A gate that lets in who meets some conditions. */
function probe(name: string, conditions: readonly unknown[]): void {
  const own = specConditions(translationOf(reading, "gate", {}), { name, conditions });
  gates.push(gateBetween(name, [ruleOf({ id: name, conditions: own, returnValue: true })], "userID"));
}

interface Predicted extends Case {
  readonly name: string;
  readonly changes: readonly ReachChange[];
}

const planted: Predicted[] = [];
let sdk: SdkClient;

beforeAll(async () => {
  for (let seed = 1; seed <= cases; seed++) {
    const given = caseOf(seed);
    const name = `case ${seed}`;
    const changes = reachChanges(given.before, given.after, now) ?? [];
    plant(name, given);
    for (const [at, { conditions }] of changes.entries()) probe(`${name} ${at}`, conditions);
    planted.push({ ...given, name, changes });
  }
  const beta = users.slice(0, 90).map(({ userID }) => userID);
  for (const [name, ids] of Object.entries({ staff: ["user-1", "user-2"], beta }))
    probe(`segment:${name}`, [{ type: "user_id", operator: "any", targetValue: ids }]);
  const documents = { feature_gates: gates, dynamic_configs: [], layer_configs: [] };
  sdk = await startOn({ has_updates: true, time: now, ...documents } as never);
});

const isIn = ({ all, names }: Where, tier: string) => names.includes(tier) !== all;

/** What is untrue of what a case was predicted to be. */
function untrueOf({ name, changes, before, after }: Predicted): string[] {
  const untrue = new Set<string>();
  const groups = changes.map(() => ({ count: 0, was: 0, is: 0, moved: 0 }));
  /** Place of the rule that decides about a user; -1 without one. */
  const placeOf = (side: Case["before"], decided: { ruleID?: string }, suffix: string) => {
    if (side.reach !== "rules") return -1;
    const spec = gates.find((gate) => gate.name === `${name} ${suffix}`);
    return Number(spec?.rules.find(({ id }) => id === decided.ruleID)?.groupName ?? -1);
  };
  for (const user of users) {
    const tier = user.statsigEnvironment.tier;
    const was = sdk.getFeatureGate(user, `${name} before`);
    const is = sdk.getFeatureGate(user, `${name} after`);
    const [from, to] = [placeOf(before, was, "before"), placeOf(after, is, "after")];
    const own: number[] = [];
    for (const [at, change] of changes.entries()) {
      if (!isIn(change.where, tier) || !sdk.checkGate(user, `${name} ${at}`)) continue;
      if ((change.before ?? -1) === from && (change.after ?? -1) === to) own.push(at);
      else if (!change.isRest) untrue.add(`${at}: tells ${user.userID}, whom ${from} and ${to} decide`);
    }
    if (own.length === 0) untrue.add(`${tier} ${JSON.stringify(user)}: ${from}, ${to} is in no slice`);
    const group = own.length === 1 ? groups[own[0] as number] : undefined;
    if (group === undefined) continue;
    group.count += 1;
    if (was.value) group.was += 1;
    if (is.value) group.is += 1;
    if (was.value && !is.value) group.moved += 1;
  }
  for (const [at, { count, was, is, moved }] of groups.entries()) {
    const { from = 0, to = 0, isSameRule } = changes[at] as ReachChange;
    if (!isNear(was, from, count)) untrue.add(`${at}: ${was} of ${count} before, not ${from} %`);
    if (!isNear(is, to, count)) untrue.add(`${at}: ${is} of ${count} after, not ${to} %`);
    if (isSameRule && to >= from && moved > 0) untrue.add(`${at}: ${moved} lose it`);
  }
  return [...untrue];
}

/** Exact for nobody and everybody, else within five standard deviations. */
function isNear(passing: number, percent: number, count: number): boolean {
  if (percent === 0 || percent === 100) return passing === (count * percent) / 100;
  const share = percent / 100;
  return Math.abs(passing - count * share) <= 5 * Math.sqrt(count * share * (1 - share)) + 1;
}

test(`the SDK finds ${cases} changes of gates to be as predicted, with 300 users each`, () => {
  const found = planted.flatMap((one) =>
    untrueOf(one).map((text) => `${one.name}: ${text}\n${JSON.stringify(one)}`),
  );
  expect(found.slice(0, 3)).toEqual([]);
});
