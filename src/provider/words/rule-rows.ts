import { equalJson, isObject, listIn } from "../schema/json";
import { UNKNOWN } from "../schema/unknown";
import { conditionText, type NewObjectName } from "./conditions";
import type { ReachChange, Where } from "./reach-changes";
import {
  audiencesText,
  eitherWhere,
  isForRest,
  type ListReach,
  listReach,
  movedPastText,
  type Shift,
  shiftsBetween,
  titleOf,
  type Unreachable,
  whereReached,
} from "./reach-words";
import { type KeptRule, type LoneRule, ruleChanges } from "./rule-changes";
import { isCatchAll } from "./rule-reach";
import { type RuleWords, restText, ruleWords, type Wording } from "./rules";
import { nameIn } from "./text";
import { valueChangesText } from "./values";

/** A rule on one side of a change. */
export interface RuleSide extends RuleWords {
  /** Its place in the list; counts from 1. */
  readonly place: number;
  /** It decides for everybody who comes to it. */
  readonly isForAll: boolean;
  /** Environments in which units come to it; undefined where none do, and where that is not known. */
  readonly where?: Where | undefined;
}

/** A rule of two lists. `before` is absent for one that is new, `after` for one that goes. */
export interface RuleRow {
  /**
   * "touched": it stays as it is and decides for others, because other rules changed. "unknown": of which it is not known yet which
   * rule it is.
   */
  readonly what: "added" | "removed" | "changed" | "touched" | "unchanged" | "unknown";
  /** Its name now, in quotes; its place where it has none. */
  readonly name: string;
  /** Its name before, in quotes, where that was another. */
  readonly renamedFrom?: string | undefined;
  /** It changed places with others. */
  readonly moved: boolean;
  /** Of one that goes: it may be another that is not known yet. */
  readonly isOpen?: true | undefined;
  /** The nearest rule that it changed places with, where its place has the same number: `now comes after rule "NZ"`. */
  readonly movedPast?: string | undefined;
  readonly before?: RuleSide | undefined;
  readonly after?: RuleSide | undefined;
  /** The change of the value that a unit gets. */
  readonly gives?: string | undefined;
  /** The one of several conditions that changed: `plan is pro → plan is one of pro, team`. */
  readonly condition?: string | undefined;
  readonly unreachable?: Unreachable | undefined;
  /** That was so before as well. */
  readonly unreachableBefore?: true | undefined;
  /** Whom it decides for no longer, or only now, because of other rules: `no longer reaches users in NZ`. */
  readonly shift?: string | undefined;
  /** Whom it decides for before and after, and where. */
  readonly kept?: { readonly whom: string; readonly where: Where } | undefined;
}

/** Wording of the rules on each side. */
export interface Wordings {
  readonly before?: Wording;
  readonly after?: Wording;
  /** Milliseconds since 1970: what conditions say of times before it is settled. Left out: any time counts. */
  readonly now?: number;
}

/** A row for each rule, in the present order; removed rules come at their former places. */
export function ruleRows(before: unknown, after: unknown, wordings: Wordings = {}): RuleRow[] {
  const [olds, news] = [listIn(before), listIn(after)];
  const { removed, added, unknown, kept } = ruleChanges(olds, news);
  const reach = listReach(news, wordings.now);
  const is: Side = { rules: news, reach, wording: wordings.after };
  const formerReach = before === after ? reach : listReach(olds, wordings.now);
  const was: Side = { rules: olds, reach: formerReach, wording: wordings.before };
  const lone =
    (what: "added" | "unknown") =>
    ({ name, at }: LoneRule): RuleRow => ({
      ...{ what, name: titleOf(name === UNKNOWN ? undefined : name, at), moved: false },
      ...{ after: ruleOn(is, at), unreachable: reach.unreachable.get(at) },
    });
  const shifts = before === after ? undefined : shiftsBetween(olds, news, wordings.now);
  const rows: RuleRow[] = [
    ...removed.map(
      ({ name, at }): RuleRow => ({
        ...{ what: "removed", name: titleOf(name, at), moved: false, before: ruleOn(was, at) },
        isOpen: unknown.length > 0 || undefined,
      }),
    ),
    ...added.map(lone("added")),
    ...unknown.map(lone("unknown")),
    ...kept.map((rule) => keptRow(rule, { was, is, kept, shift: shifts?.(rule.from, rule.to) })),
  ];
  const placeOf = (row: RuleRow) => row.after?.place ?? (row.before?.place ?? 0) - 0.5;
  return rows.sort((one, other) => placeOf(one) - placeOf(other));
}

/** A list of rules before or after a change. */
interface Side {
  readonly rules: readonly unknown[];
  readonly reach: ListReach;
  readonly wording: Wording | undefined;
}

interface KeptGround {
  readonly was: Side;
  readonly is: Side;
  readonly shift: Shift | undefined;
  readonly kept: readonly KeptRule[];
}

function keptRow(rule: KeptRule, { was, is, shift, kept: others }: KeptGround): RuleRow {
  const { from, to } = rule;
  const isChanged = rule.members.length > 0 || rule.renamedFrom !== undefined || rule.moved;
  const [before, after] = [ruleOn(was, from), ruleOn(is, to)];
  const [old, now] = [was.rules[from], is.rules[to]];
  const kept = shift?.kept ?? [];
  const unreachable = is.reach.unreachable.get(to);
  const unreachableBefore = was.reach.unreachable.has(from) || undefined;
  const shifted = shift && shiftText(byOtherRules(shift, rule, [old, now]), is.wording);
  const isTouched = shifted !== undefined || (unreachable?.nobody === "reaches" && !unreachableBefore);
  return {
    what: isChanged ? "changed" : isTouched ? "touched" : "unchanged",
    ...{ name: titleOf(rule.name, to), moved: rule.moved, before, after },
    movedPast: rule.moved && from === to ? movedPastText(rule, others) : undefined,
    renamedFrom: rule.renamedFrom === undefined ? undefined : nameIn(rule.renamedFrom),
    gives: valueChangesText(givenBy(old), givenBy(now)),
    condition: conditionChange(old, now, is.wording?.newName),
    ...{ unreachable, unreachableBefore, shift: shifted },
    kept:
      kept.length === 0
        ? undefined
        : {
            whom: keptText(kept, after, is.wording),
            where: kept.map(({ where }) => where).reduce(eitherWhere),
          },
  };
}

/** Whom a rule decides for before and after: told as the rule tells it, unless other rules have some of them. */
function keptText(kept: Shift["kept"], { audience }: RuleSide, wording: Wording | undefined): string {
  if (kept.every(({ isWhole }) => isWhole)) return audience;
  const [one, another] = new Set(
    kept.map((change) => audiencesText([{ ...change, where: everywhere }], wording)),
  );
  return one === undefined || another !== undefined ? restText(audience) : one;
}

const everywhere: Where = { all: true, names: [] };

/** The users that a rule gains and loses because of other rules; changes of its own have sentences of their own. */
function byOtherRules(shift: Shift, { members }: KeptRule, forms: readonly unknown[]): Shift {
  if (members.some(({ path }) => path[0] === "conditions")) return { ...shift, lost: [], gained: [] };
  if (!members.some(({ path }) => path[0] === "environments")) return shift;
  const isInBoth = ({ where }: ReachChange) => forms.every((rule) => holdsIn(rule, where));
  return { ...shift, lost: shift.lost.filter(isInBoth), gained: shift.gained.filter(isInBoth) };
}

/** True where a rule's environments are all of these. */
function holdsIn(rule: unknown, { all, names }: Where): boolean {
  const environments = isObject(rule) ? (rule.environments ?? null) : undefined;
  if (environments === null) return true;
  return !all && Array.isArray(environments) && names.every((name) => environments.includes(name));
}

/** Whom other rules take from a rule, or leave to it. */
function shiftText({ lost, gained, kept }: Shift, wording: Wording | undefined): string | undefined {
  if (lost.length === 0 && gained.length === 0) return undefined;
  // The sentence with the reason says that no unit comes to it any more.
  if (gained.length === 0 && kept.length === 0) return undefined;
  const texts = [
    ...(lost.length === 0 ? [] : [`no longer reaches ${audiencesText(lost, wording)}`]),
    ...(gained.length === 0
      ? []
      : [`now reaches ${audiencesText(gained, wording)}${kept.length > 0 ? " too" : ""}`]),
  ];
  return texts.join(" and ");
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
  const [olds = [], news = []] = [before, after].map((rule) => listIn(isObject(rule) && rule.conditions));
  if (news.length < 2 || olds.length !== news.length) return undefined;
  const changed = [...news.keys()].filter((at) => !equalJson(olds[at], news[at]));
  const [at, another] = changed;
  if (at === undefined || another !== undefined) return undefined;
  const [was, is] = [conditionText(olds[at]), conditionText(news[at], newName)];
  return was === is ? undefined : `${was} → ${is}`;
}

function ruleOn({ rules, reach, wording }: Side, at: number): RuleSide {
  return {
    ...ruleWords(rules[at], wording),
    ...{ place: at + 1, isForAll: isCatchAll(rules[at]) },
    ...{ isRest: isForRest(reach, at) || undefined, where: whereReached(reach, at) },
  };
}
