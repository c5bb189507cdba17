import { equalJson, isObject, type JsonObject } from "../../../provider/schema/json";
import { holdsUnknown } from "../../../provider/schema/unknown";
import { meaning } from "../../../provider/values/compare";
import { type Reach, reachOf, stateNames } from "../../../provider/values/states";
import { someText, titleAt, whereText } from "../../../provider/words";
import { type ReachChange, reachChanges, type Where } from "../../../provider/words/reach-changes";
import { ruleChanges } from "../../../provider/words/rule-changes";
import type { Reason } from "../review";
import { afterwards, type Changing, rulesThatLetIn } from "./passing";
import type { ReasonGround } from "./reason-ground";

/** Effect of a change of rules on some of the units. */
export interface RuleEffect {
  /** Places of the rules that decide for them, counted from 0; undefined: no rule is for them. */
  readonly before: number | undefined;
  readonly after: number | undefined;
  /** Percent of them; undefined: not known yet. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly isSameRule: boolean;
  /** They are everyone, or everyone else. */
  readonly isForAll: boolean;
  /** `users in NZ`. */
  readonly whom: string;
  readonly where: Where;
  /** `in production`. */
  readonly whereText: string;
  /** `: rule "Block" decides for them, and not rule "All"`; empty where it is the same rule. */
  readonly cause: string;
  readonly about: Reason["about"];
  /** The whole sentence, where it is not about points. */
  readonly text?: string;
}

/** Effects by groups of units; that rules count neither before nor after, or that the object's state decides; or why nobody can tell. */
type Found =
  | { readonly effects: readonly RuleEffect[] }
  | { readonly standing: string | undefined }
  | { readonly unknown: string };

const standingTexts: Readonly<Partial<Record<Reach, string>>> = {
  nobody: "no effect while it is off: nobody passes, before or after",
  everybody: "no effect while it is launched: everyone passes, before and after",
};

/** Effects of a change of the rules in an argument. */
export function effectsOf({ subject, live, now }: ReasonGround, argument: string): Found {
  const { definition, before, changes } = subject;
  const [was, is] = reachesOf(subject, live);
  // The sentence about the state names its effect.
  if (was !== is) return { standing: undefined };
  if (was !== "rules")
    return {
      standing:
        was === "nobody" && rulesThatLetIn(definition) === undefined
          ? "no effect while it is off: every unit gets the default value before and after"
          : standingTexts[was],
    };
  const [olds, news] = [before[argument], changes[argument]].map((list) => {
    const said = meaning(definition, argument, list);
    return Array.isArray(said) ? (said as readonly unknown[]) : [];
  }) as [readonly unknown[], readonly unknown[]];
  const found = reachChanges({ rules: olds }, { rules: news }, now);
  if (found === undefined)
    return {
      unknown: "the rules distinguish too many groups of units: the report does not show who gains or loses",
    };
  const idType = subject.program?.idType ?? before.idType;
  const givesValues = rulesThatLetIn(definition) !== argument && definition.whenGone !== undefined;
  const sides: Sides = { olds, news, idType, gives: givesValues };
  return { effects: found.flatMap((change) => effectOf(change, sides) ?? []) };
}

/** Reach of an object before and after. The console decides about a state that no program sets. */
export function reachesOf(
  subject: Changing,
  live: JsonObject | undefined,
): readonly [before: Reach, after: Reach] {
  const { definition, before } = subject;
  const shown = stateNames(definition).filter((name) => live !== undefined && name in live);
  const standing = { ...before, ...Object.fromEntries(shown.map((name) => [name, live?.[name]])) };
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
  const isStill = isUnknown ? isSameRule && shareAt(olds, before) === shareAt(news, after) : isSameShare;
  if (isStill && value === undefined) return undefined;
  const whom = someText(change, { idType });
  const place = whereText(where);
  const verb = whom.startsWith("everyone") ? "gets" : "get";
  return {
    ...{ before, after, from, to, isSameRule, where, whom, whereText: place },
    isForAll: conditions.length === 0 || whom.startsWith("everyone"),
    cause: isSameRule ? "" : `: ${causeText(change, sides)}`,
    about: aboutOf(change, sides, value !== undefined && isSameRule && from === to),
    ...(isUnknown ? { text: `whom ${nameOf(change, sides)} lets in is not known yet` } : {}),
    ...(value === undefined || (isSameRule && from !== to)
      ? {}
      : { text: `${whom} ${place} ${verb} ${value}` }),
  };
}

function nameOf({ before, after }: ReachChange, { olds, news }: Sides): string {
  return `rule ${after === undefined ? titleAt(olds, before ?? 0) : titleAt(news, after)}`;
}

function shareAt(rules: readonly unknown[], at: number | undefined): unknown {
  const rule = at === undefined ? undefined : rules[at];
  return isObject(rule) ? rule.passPercentage : undefined;
}

/** The new value of units in place of the former one; undefined where both are the same. */
function valueText(
  { before, after, from, to, isSameRule }: ReachChange,
  { olds, news }: Sides,
): string | undefined {
  const [was, is] = [
    from === 0 ? undefined : givenAt(olds, before),
    to === 0 ? undefined : givenAt(news, after),
  ];
  if (equalJson(was ?? null, is ?? null)) return undefined;
  if (isSameRule && was !== undefined && is !== undefined)
    return `another value by rule ${titleAt(news, after ?? 0)}`;
  const of = (rules: readonly unknown[], at: number | undefined, value: unknown) =>
    value === undefined || at === undefined ? "the default value" : `what rule ${titleAt(rules, at)} gives`;
  return `${of(news, after, is)} instead of ${of(olds, before, was)}`;
}

function givenAt(rules: readonly unknown[], at: number | undefined): unknown {
  const rule = at === undefined ? undefined : rules[at];
  if (!isObject(rule)) return undefined;
  return rule.variants ?? rule.returnValue ?? rule.returnValueJson5 ?? undefined;
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

function aboutOf(
  { before, after, isSameRule }: ReachChange,
  { olds, news }: Sides,
  isValue: boolean,
): Reason["about"] {
  if (isValue) return "value";
  if (isSameRule) return "reach";
  const { kept } = ruleChanges(olds, news);
  const isAsBefore = ({ members }: (typeof kept)[number]) =>
    members.every(({ path }) => path[0] !== "conditions" && path[0] !== "environments");
  const [was, is] = [kept.find(({ from }) => from === before), kept.find(({ to }) => to === after)];
  return was !== undefined && is !== undefined && isAsBefore(was) && isAsBefore(is) ? "order" : "audience";
}
