import { countOf } from "../core/count-text";
import { equalJson, isObject } from "../core/json";
import { type KeptRule, type LoneRule, ruleChanges } from "../core/rule-changes";
import { type DeadRule, isCatchAll, shadowedRules, whyNobody } from "../core/rule-reach";
import { conditionText, type NewObjectName } from "./conditions";
import { type RuleWords, ruleWords, shareText, type Wording } from "./rules";
import { nameIn, percentText, unknownText } from "./text";
import { valueChangesText } from "./values";

/** A rule on one side of a change. */
export interface RuleSide extends RuleWords {
  /** Its place in the list; counts from 1. */
  readonly place: number;
  /** It decides for everybody who comes to it. */
  readonly isForAll: boolean;
}

/** Why nobody gets what a rule gives. */
export interface Unreachable {
  readonly nobody: "reaches" | "can match";
  /** `rule "All" before it takes everyone`. */
  readonly because: string;
}

/** A rule of two lists. `before` is absent for one that is new, `after` for one that goes. */
export interface RuleRow {
  /** "unknown": of which it is not known yet which rule it is. */
  readonly what: "added" | "removed" | "changed" | "unchanged" | "unknown";
  /** Its name now, in quotes; its place where it has none. */
  readonly name: string;
  /** Its name before, in quotes, where that was another. */
  readonly renamedFrom?: string;
  /** It changed places with others. */
  readonly moved: boolean;
  readonly before?: RuleSide;
  readonly after?: RuleSide;
  /** What changed in what a unit gets. */
  readonly gives?: string;
  /** The one of several conditions that changed: `plan is pro → plan is one of pro, team`. */
  readonly condition?: string;
  readonly unreachable?: Unreachable;
  /** That was so before as well. */
  readonly unreachableBefore?: true;
}

/** How the rules of each side are worded. */
export interface Wordings {
  readonly before?: Wording;
  readonly after?: Wording;
}

/** What became of each rule, in the order in which the rules are now; those that go stand where they were. */
export function ruleRows(before: unknown, after: unknown, wordings: Wordings = {}): RuleRow[] {
  const [olds, news] = [listOf(before), listOf(after)];
  const { removed, added, unknown, kept } = ruleChanges(olds, news);
  const [hiddenBefore, hidden] = [olds, news].map(unreachableRules) as [UnreachableRules, UnreachableRules];
  const sideBefore = (at: number) => sideOf(olds, at, wordings.before);
  const sideAfter = (at: number) => sideOf(news, at, wordings.after);
  const lone =
    (what: "added" | "unknown") =>
    (rule: LoneRule): RuleRow => ({
      ...{ what, name: titleOf(rule.name, rule.at), moved: false, after: sideAfter(rule.at) },
      ...hidden.get(rule.at),
    });
  const rows: RuleRow[] = [
    ...removed.map(
      ({ name, at }): RuleRow => ({
        ...{ what: "removed", name: titleOf(name, at), moved: false, before: sideBefore(at) },
      }),
    ),
    ...added.map(lone("added")),
    ...unknown.map(lone("unknown")),
    ...kept.map((rule) => ({
      ...keptRow(rule, [sideBefore(rule.from), sideAfter(rule.to)], [olds, news], wordings.after?.newName),
      ...hidden.get(rule.to),
      ...(hiddenBefore.has(rule.from) ? { unreachableBefore: true as const } : {}),
    })),
  ];
  const placeOf = ({ after: now, before: was }: RuleRow) => now?.place ?? (was?.place ?? 0) - 0.5;
  return rows.sort((one, other) => placeOf(one) - placeOf(other));
}

function keptRow(
  rule: KeptRule,
  [before, after]: readonly [RuleSide, RuleSide],
  [olds, news]: readonly [readonly unknown[], readonly unknown[]],
  newName: NewObjectName | undefined,
): RuleRow {
  const isChanged = rule.members.length > 0 || rule.renamedFrom !== undefined || rule.moved;
  const gives = valueChangesText(givenBy(olds[rule.from]), givenBy(news[rule.to]));
  const condition = conditionChange(olds[rule.from], news[rule.to], newName);
  return {
    what: isChanged ? "changed" : "unchanged",
    name: titleOf(rule.name, rule.to),
    moved: rule.moved,
    ...(rule.renamedFrom === undefined ? {} : { renamedFrom: nameIn(rule.renamedFrom) }),
    ...{ before, after },
    ...(gives === undefined ? {} : { gives }),
    ...(condition === undefined ? {} : { condition }),
  };
}

function givenBy(rule: unknown): unknown {
  if (!isObject(rule)) return undefined;
  const { returnValue, returnValueJson5, variants } = rule;
  return variants ?? returnValue ?? returnValueJson5;
}

/** The one condition that changed, of several. */
function conditionChange(
  before: unknown,
  after: unknown,
  newName: NewObjectName | undefined,
): string | undefined {
  const [olds, news] = [before, after].map((rule) => (isObject(rule) ? listOf(rule.conditions) : []));
  if (olds === undefined || news === undefined || news.length < 2 || olds.length !== news.length)
    return undefined;
  const changed = [...news.keys()].filter((at) => !equalJson(olds[at], news[at]));
  const [at, another] = changed;
  if (at === undefined || another !== undefined) return undefined;
  const [was, is] = [conditionText(olds[at]), conditionText(news[at], newName)];
  return was === is ? undefined : `${was} → ${is}`;
}

type UnreachableRules = ReadonlyMap<number, Pick<RuleRow, "unreachable">>;

/** What a percentage of 0 does is said by the percentage. */
const deadTexts: Readonly<Partial<Record<DeadRule["why"], string>>> = {
  environments: "it holds in no environment",
  "empty list": "a condition asks for one of no values",
  contradiction: "two of its parts exclude each other",
};

/** Rules that give nobody anything, by their places, and why. */
function unreachableRules(rules: readonly unknown[]): UnreachableRules {
  const shadowed = shadowedRules(rules).map(({ at, after }): [number, Unreachable] => {
    const names = after.map((one) => titleAt(rules, one));
    const before =
      names.length === 1 ? `rule ${names[0]} before it takes` : `rules ${names.join(" and ")} before it take`;
    return [at, { nobody: "reaches", because: `${before} everyone` }];
  });
  const dead = rules.flatMap((rule, at): [number, Unreachable][] => {
    const because = deadTexts[whyNobody(rule)?.why ?? "share"];
    return because === undefined ? [] : [[at, { nobody: "can match", because }]];
  });
  return new Map([...dead, ...shadowed].map(([at, unreachable]) => [at, { unreachable }]));
}

function sideOf(rules: readonly unknown[], at: number, wording: Wording | undefined): RuleSide {
  return { ...ruleWords(rules[at], wording), place: at + 1, isForAll: isCatchAll(rules[at]) };
}

function titleAt(rules: readonly unknown[], at: number): string {
  const rule = rules[at];
  return titleOf(isObject(rule) && typeof rule.name === "string" ? rule.name : undefined, at);
}

function titleOf(name: string | undefined, at: number): string {
  return name === undefined ? `no. ${at + 1}` : nameIn(name);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A row in a sentence; undefined for one that did not change. The environments in which it holds are said apart. */
export function ruleRowText(row: RuleRow): string | undefined {
  const { what, before, after, name } = row;
  if (what === "unchanged") return undefined;
  if (what === "unknown") return `rule ${name} ${unknownText}`;
  if (after === undefined) return `rule ${name} is removed (it let in ${sideText(before as RuleSide)})`;
  if (before === undefined) return `new rule ${name}: ${sideText(after)}${coveredText(row)}`;
  const changes = [...reachChange(row, before, after), ...otherChanges(row, before, after)];
  // Long lists are cut, so that their difference may not show in words.
  return `${changes.length > 0 ? changes.join(", ") : `the conditions of rule ${name} change`}${coveredText(row)}`;
}

function coveredText({ unreachable, unreachableBefore }: RuleRow): string {
  return unreachable === undefined || unreachableBefore === true
    ? ""
    : `, where ${unreachableText(unreachable, "it")}`;
}

/** Why nobody gets what a rule gives, in a sentence: `nobody reaches it: rule "All" before it takes everyone`. */
export function unreachableText({ nobody, because }: Unreachable, rule: string): string {
  return `nobody ${nobody} ${rule}: ${because}`;
}

function sideText(side: RuleSide): string {
  return [shareText(side), ...(side.gives === undefined ? [] : [`which get ${side.gives}`])].join(", ");
}

/** The rule is named where the audience does not tell which one it is. */
function inRule({ name, after }: RuleRow): string {
  const audience = after?.audience ?? "";
  return name.toLowerCase() === `"${audience}"` ? "" : ` (rule ${name})`;
}

function reachChange(row: RuleRow, before: RuleSide, after: RuleSide): string[] {
  const isSameAudience = before.audience === after.audience;
  if (before.share === after.share && isSameAudience) return [];
  if (isSameAudience && before.share !== undefined && after.share !== undefined)
    return [`${percentText(before.share)} → ${percentText(after.share)} of ${after.audience}${inRule(row)}`];
  if (before.share === after.share && row.condition !== undefined && after.share !== undefined)
    return [`${row.condition} (rule ${row.name}, ${percentText(after.share)})`];
  return [`${shareText(before)} → ${shareText(after)}${inRule(row)}`];
}

function otherChanges(row: RuleRow, before: RuleSide, after: RuleSide): string[] {
  const { name, moved, renamedFrom, gives } = row;
  const said = [
    ...(before.environments === after.environments
      ? []
      : [`(${shareText(after)}) holds in ${after.environments} instead of ${before.environments}`]),
    ...(gives === undefined ? [] : [`gives ${gives}`]),
    ...(moved ? [`moves from place ${before.place} to ${after.place}`] : []),
    ...(renamedFrom === undefined ? [] : [`was called ${renamedFrom}`]),
  ];
  return said.length === 0 ? [] : [`rule ${name} ${said.join(", ")}`];
}

/** `rule "Staff" unchanged`, `3 other rules unchanged`; undefined where there is none. */
export function unchangedText(rows: readonly RuleRow[]): string | undefined {
  const names = rows.filter(({ what }) => what === "unchanged").map(({ name }) => name);
  if (names.length === 0) return undefined;
  if (names.length > 2) return `${countOf(names.length, "other rule")} unchanged`;
  return `${names.length === 1 ? "rule" : "rules"} ${names.join(" and ")} unchanged`;
}
