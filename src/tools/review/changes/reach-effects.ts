import { equalJson, isObject, type JsonObject, picked } from "../../../provider/schema/json";
import { holdsUnknown } from "../../../provider/schema/unknown";
import { meaning } from "../../../provider/values/compare";
import { type Reach, reachOf, stateNames } from "../../../provider/values/states";
import { percentText, someText, titleAt, whereText } from "../../../provider/words";
import { type ReachChange, reachChanges, type Where } from "../../../provider/words/reach-changes";
import { ruleChanges } from "../../../provider/words/rule-changes";
import type { Level, Reason } from "../review";
import type { ChangingObject } from "../subjects";
import { afterwards, rulesThatLetIn } from "./passing";
import type { ReasonGround } from "./reason-ground";

/** So many points of a percentage in one step ask for attention, and for a second look. */
const bigMove = 50;
const move = 10;

/** The level of a move of a share by so many points, as it would be in production. */
export function levelOfMove(points: number): Level {
  return points >= bigMove ? "high" : points >= move ? "medium" : "low";
}

/** `+50 percentage points`. */
export function moveText(was: number, is: number): string {
  const points = percentText(Math.abs(is - was)).replace(" %", "");
  const text = `${is > was ? "+" : "−"}${points} percentage ${points === "1" ? "point" : "points"}`;
  if (was === 0 && is === 100) return `from 0 % to 100 % in one step: ${text}`;
  return is === 0 ? `down to nobody: ${text}` : text;
}

/** Effect of a change of rules on some of the units, with its level as it would be in production. */
export interface RuleEffect extends Reason {
  /** Places of the rules that decide for them, counted from 0; undefined: no rule is for them. */
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly where: Where;
  /** Many of them lose it at once. */
  readonly isBigLoss: boolean;
}

/** Effects of a change of the rules in an argument, by groups of units; undefined where there are too many groups. */
export function effectsOf({ subject, now }: ReasonGround, argument: string): RuleEffect[] | undefined {
  const { definition, before, changes } = subject;
  const [olds, news] = [before[argument], changes[argument]].map((list) => {
    const said = meaning(definition, argument, list);
    return Array.isArray(said) ? (said as readonly unknown[]) : [];
  }) as [readonly unknown[], readonly unknown[]];
  const idType = subject.program?.idType ?? before.idType;
  const gives = rulesThatLetIn(definition) !== argument && definition.whenGone !== undefined;
  const found = reachChanges({ rules: olds }, { rules: news }, now);
  return found?.flatMap((change) => effectOf(change, { olds, news, idType, gives }) ?? []);
}

/** Reach of an object before and after. The console decides about a state that no program sets. */
export function reachesOf(
  subject: ChangingObject,
  live: JsonObject | undefined,
): readonly [before: Reach, after: Reach] {
  const { definition, before } = subject;
  const standing = { ...before, ...picked(live ?? {}, stateNames(definition)) };
  const was = reachOf(definition, standing) ?? "rules";
  // An object that comes back begins as a new one does: it is on.
  const begins = subject.act === "restore" || subject.act === "replace" ? "rules" : was;
  return [was, reachOf(definition, afterwards({ ...subject, before: standing })) ?? begins];
}

interface Sides {
  readonly olds: readonly unknown[];
  readonly news: readonly unknown[];
  readonly idType: unknown;
  /** Rules choose values, and let in nobody. */
  readonly gives: boolean;
}

function effectOf(change: ReachChange, sides: Sides): RuleEffect | undefined {
  const { before, after, from, to, isSameRule, conditions, where } = change;
  const { olds, news, gives, idType } = sides;
  const value = gives ? valueText(change, sides) : undefined;
  const isSameShare = from === to && (isSameRule || from === 0 || from === 100);
  const isUnknown = from === undefined || to === undefined || conditions.some(holdsUnknown);
  const isStill = isUnknown
    ? isSameRule && ruleAt(olds, before).passPercentage === ruleAt(news, after).passPercentage
    : isSameShare;
  if (isStill && value === undefined) return undefined;
  const whom = someText(change, { idType });
  const place = whereText(where);
  const isEveryone = whom.startsWith("everyone");
  const isOtherValue = value !== undefined && isSameRule && from === to;
  const about = isOtherValue ? "value" : aboutOf(change, sides);
  const effect = { about, before, after, where, isBigLoss: (from ?? 0) - (to ?? 0) >= bigMove };
  if (value !== undefined && !(isSameRule && from !== to))
    return { ...effect, level: "medium", text: `${whom} ${place} ${isEveryone ? "gets" : "get"} ${value}` };
  if (isUnknown)
    return { ...effect, level: "medium", text: `whom ${nameOf(change, sides)} lets in is not known yet` };
  const cause = isSameRule ? "" : `: ${causeText(change, sides)}`;
  if (from === to) {
    const text = `${percentText(to)} of ${whom} ${place} as before, but drawn anew, so that some gain and others lose${cause}`;
    return { ...effect, level: "medium", text };
  }
  const points = Math.abs(to - from);
  const isForAll = conditions.length === 0 || isEveryone;
  const isBig = points >= bigMove && (to < from || isForAll);
  const level = isSameRule ? levelOfMove(points) : isBig ? "high" : "medium";
  return { ...effect, level, text: `${moveText(from, to)} for ${whom} ${place}${cause}` };
}

function nameOf({ before, after }: ReachChange, { olds, news }: Sides): string {
  return `rule ${after === undefined ? titleAt(olds, before ?? 0) : titleAt(news, after)}`;
}

function ruleAt(rules: readonly unknown[], at = -1): JsonObject {
  const rule = rules[at];
  return isObject(rule) ? rule : {};
}

/** The new value of units in place of the former one; undefined where both are the same. */
function valueText(
  { before, after, from, to, isSameRule }: ReachChange,
  { olds, news }: Sides,
): string | undefined {
  const given = ({ variants, returnValue, returnValueJson5 }: JsonObject) =>
    variants ?? returnValue ?? returnValueJson5 ?? undefined;
  const was = from === 0 ? undefined : given(ruleAt(olds, before));
  const is = to === 0 ? undefined : given(ruleAt(news, after));
  if (equalJson(was ?? null, is ?? null)) return undefined;
  if (isSameRule && was !== undefined && is !== undefined)
    return `another value by rule ${titleAt(news, after ?? 0)}`;
  const of = (rules: readonly unknown[], at: number | undefined, value: unknown) =>
    value === undefined || at === undefined ? "the default value" : `what rule ${titleAt(rules, at)} gives`;
  return `${of(news, after, is)} instead of ${of(olds, before, was)}`;
}

function causeText({ before, after }: ReachChange, { olds, news }: Sides): string {
  const { removed, added } = ruleChanges(olds, news);
  if (before === undefined) {
    const isNew = added.some(({ at }) => at === after);
    return `by ${isNew ? "the new " : ""}rule ${titleAt(news, after ?? 0)}`;
  }
  const was = `rule ${titleAt(olds, before)}`;
  if (after !== undefined) return `rule ${titleAt(news, after)} decides for them, and no longer ${was}`;
  if (!removed.some(({ at }) => at === before)) return `${was} is no longer for them, and no other rule is`;
  return news.length === 0
    ? `${was} is gone, and none is left`
    : `${was} is gone, and no other rule is for them`;
}

function aboutOf({ before, after, isSameRule }: ReachChange, { olds, news }: Sides): Reason["about"] {
  if (isSameRule) return "reach";
  const { kept } = ruleChanges(olds, news);
  const isAsBefore = ({ members }: (typeof kept)[number]) =>
    members.every(({ path }) => path[0] !== "conditions" && path[0] !== "environments");
  const [was, is] = [kept.find(({ from }) => from === before), kept.find(({ to }) => to === after)];
  return was !== undefined && is !== undefined && isAsBefore(was) && isAsBefore(is) ? "order" : "audience";
}
