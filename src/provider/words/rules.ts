import { isObject, type JsonObject, listIn } from "../schema/json";
import { UNKNOWN } from "../schema/unknown";
import { listText } from "../texts/count-text";
import { clauseText, isEverybody, type NewObjectName } from "./conditions";
import type { Where } from "./reach-changes";
import { percentText, textIn, unknownText } from "./text";
import { valueText } from "./values";

/** Context of words about rules. */
export interface Wording {
  /** Unit id type that the rules count by; left out: users. */
  readonly idType?: unknown;
  readonly newName?: NewObjectName;
}

/** A rule in words: its audience, its share of them, and its environments. */
export interface RuleWords {
  /** `users in NZ, AU`, `everyone`. */
  readonly audience: string;
  /** Percent, 0–100; undefined where it is not known yet, or where variants share. */
  readonly share: number | undefined;
  /** `production, staging`, `all environments`, `no environment`. */
  readonly environments: string;
  /** Their names; null for all of them, or where they are not known yet. */
  readonly environmentNames: readonly string[] | null;
  /** Rules before it decide for some of its audience: it is for the others. */
  readonly isRest?: boolean | undefined;
  /** The value that a unit gets, where the rule sets one: `maxItems 50`, `"Blue" 50 %, "Red" 50 %`. */
  readonly gives?: string;
}

const everyone = "everyone";

/** The environments of a rule that names none. */
export const everywhere = "all environments";

/** A rule in words. What is no rule is said as it is. */
export function ruleWords(rule: unknown, wording: Wording = {}): RuleWords {
  if (!isObject(rule))
    return {
      ...{ audience: rule === UNKNOWN ? unknownText : textIn(rule), share: undefined },
      ...{ environments: everywhere, environmentNames: null },
    };
  const gives = givesText(rule);
  return {
    audience: audienceText(rule.conditions, wording),
    share: shareOf(rule),
    environments: environmentsText(rule.environments),
    environmentNames: namesOf(rule.environments),
    ...(gives === undefined ? {} : { gives }),
  };
}

function shareOf({ passPercentage, variants }: JsonObject): number | undefined {
  if (typeof passPercentage === "number") return passPercentage;
  return passPercentage === UNKNOWN || Array.isArray(variants) ? undefined : 100;
}

function givesText({ returnValue, returnValueJson5, variants }: JsonObject): string | undefined {
  if (Array.isArray(variants) && variants.length > 0) return listText(variants.map(variantText));
  const value = returnValue ?? returnValueJson5;
  return value === undefined || value === null ? undefined : valueText(value);
}

function variantText(variant: unknown): string {
  if (!isObject(variant)) return textIn(variant);
  const share = variant.passPercentage;
  return `${textIn(variant.name)} ${typeof share === "number" ? percentText(share) : unknownText}`;
}

/** `users`, `units of companyID`. */
function unitsText(idType: unknown): string {
  return idType === undefined || idType === null || idType === "" || idType === "userID"
    ? "users"
    : `units of ${textIn(idType)}`;
}

/** Whom conditions let in, all of which must hold: `users in NZ, AU and whose e-mail contains @example.com`. */
export function audienceText(conditions: unknown, { idType, newName }: Wording = {}): string {
  if (conditions === UNKNOWN) return `${unitsText(idType)} (${unknownText})`;
  const asked = listIn(conditions).filter((one) => !isEverybody(one));
  if (asked.length === 0) return everyone;
  return `${unitsText(idType)} ${asked.map((one) => clauseText(one, newName)).join(" and ")}`;
}

/** Those of an audience for whom no rule before decides: `everyone else`, `other users in NZ`. */
export function restText(audience: string): string {
  return audience === everyone ? `${everyone} else` : `other ${audience}`;
}

/** The audience of a rule, without those for whom rules before it decide. */
export function whomText({ audience, isRest }: Pick<RuleWords, "audience" | "isRest">): string {
  return isRest === true ? restText(audience) : audience;
}

/** `10 % of users in NZ`, `everyone`, `all other users in NZ`, `nobody`. */
export function shareText(rule: RuleWords): string {
  const { share, audience, isRest } = rule;
  const whom = whomText(rule);
  if (share === undefined) return `${whom} (share ${unknownText})`;
  if (share === 0)
    return audience === everyone ? `nobody${isRest === true ? " else" : ""}` : `none of ${whom}`;
  if (share === 100) return audience === everyone ? whom : `all ${whom}`;
  return `${percentText(share)} of ${whom}`;
}

/** `get`, or `gets`, of those who get what a rule gives. */
export function getText({ share, audience }: RuleWords): string {
  return share === 100 && audience !== everyone ? "get" : "gets";
}

/** `in production, staging`, `outside production`, `in all environments`. */
export function whereText(where: Where): string {
  const names = listText(where.names.map(textIn));
  if (!where.all) return `in ${where.names.length === 0 ? "no environment" : names}`;
  return where.names.length === 0 ? `in ${everywhere}` : `outside ${names}`;
}

function namesOf(environments: unknown): string[] | null {
  return Array.isArray(environments) || (typeof environments === "string" && environments !== UNKNOWN)
    ? [environments].flat().map(textIn)
    : null;
}

/** Environments of a rule in words. */
function environmentsText(environments: unknown): string {
  if (environments === undefined || environments === null) return everywhere;
  if (environments === UNKNOWN) return `environments ${unknownText}`;
  const names = [environments].flat();
  return names.length === 0 ? "no environment" : listText(names.map(textIn));
}
