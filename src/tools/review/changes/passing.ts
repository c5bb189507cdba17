import type { ResourceDefinition } from "../../../provider/schema/define";
import type { JsonObject } from "../../../provider/schema/json";
import { itemsOf, propertiesOf, treeOf } from "../../../provider/schema/tree";
import { reachOf } from "../../../provider/values/states";
import {
  argumentValueText,
  eitherWhere,
  isForRest,
  isHidden,
  listReach,
  type RuleWords,
  ruleWords,
  shareText,
  whereReached,
  whereText,
} from "../../../provider/words";
import { reachChanges, type Where } from "../../../provider/words/reach-changes";

/** Who is let in by an object at one time. */
export interface Passing {
  /** `everyone`, `nobody`, `10 % of users in NZ in production`, `3 ids`. */
  readonly text: string;
  /** The greatest share of a rule, in percent; undefined where it is not known. */
  readonly share: number | undefined;
  /** Names of the environments in which somebody is let in; null: all of them. */
  readonly environments: readonly string[] | null;
  /** The greatest share of a rule for everybody. */
  readonly shareOfAll: number;
}

const nobody: Passing = { text: "nobody", share: 0, environments: [], shareOfAll: 0 };
const everyone: Passing = { text: "everyone", share: 100, environments: null, shareOfAll: 100 };

/**
 * Who is let in by an object with such values; undefined for a kind whose rules let in nobody, because they choose values or
 * there are none, and where rules are hidden.
 * @param now milliseconds since 1970; left out: rules that ask for a time count whenever that is
 */
export function passingOf(
  definition: ResourceDefinition,
  values: JsonObject,
  now?: number,
): Passing | undefined {
  const field = rulesThatLetIn(definition);
  if (field === undefined || isHidden(values[field])) return undefined;
  const reach = reachOf(definition, values);
  if (reach === "nobody") return nobody;
  if (reach === "everybody") return everyone;
  const list: readonly unknown[] = Array.isArray(values[field]) ? values[field] : [];
  const rules = lettingIn(list, values.idType, now);
  return rules.length > 0 ? bySome(rules, letsAllIn(list, now)) : (byIds(definition, values) ?? nobody);
}

/** A list of rules that say who passes, and not what somebody gets. */
export function rulesThatLetIn(definition: ResourceDefinition): string | undefined {
  const tree = treeOf(definition);
  return Object.keys(tree).find((name) => {
    const rule = propertiesOf(itemsOf(tree[name]?.node ?? {}) ?? {});
    return rule?.passPercentage !== undefined && rule.returnValue === undefined;
  });
}

/** A rule that somebody comes to and that lets somebody in. */
interface LettingIn extends RuleWords {
  readonly where: Where;
}

function lettingIn(rules: readonly unknown[], idType: unknown, now: number | undefined): LettingIn[] {
  const reach = listReach(rules, now);
  return rules.flatMap((rule, at) => {
    const words = { ...ruleWords(rule, { idType }), isRest: isForRest(reach, at) };
    // Where there is too much to tell apart, each rule counts.
    const where = whereReached(reach, at) ?? (reach.slices === undefined ? declaredWhere(words) : undefined);
    return where === undefined || words.share === 0 ? [] : [{ ...words, where }];
  });
}

function declaredWhere({ environmentNames: names }: RuleWords): Where {
  return { all: names === null, names: names ?? [] };
}

function isEverywhere({ all, names }: Where): boolean {
  return all && names.length === 0;
}

function bySome(rules: readonly LettingIn[], isEverybody: boolean): Passing {
  if (isEverybody) return everyone;
  const widest = rules.reduce((one, other) => ((other.share ?? 0) > (one.share ?? 0) ? other : one));
  const forAll = rules.filter(({ audience }) => audience === "everyone");
  return {
    text:
      rules.length < 3
        ? rules.map(sideText).join(" and ")
        : `whom ${rules.length} rules let in, such as ${sideText(forAll[0] ?? widest)}`,
    share: rules.some(({ share }) => share === undefined) ? undefined : widest.share,
    environments: namesOf(rules.map(({ where }) => where).reduce(eitherWhere)),
    shareOfAll: Math.max(0, ...forAll.map(({ share = 0 }) => share)),
  };
}

/** Names of environments; null: all of them, or all but a few. */
function namesOf({ all, names }: Where): readonly string[] | null {
  return all ? null : names;
}

/** True where everybody is let in, by whichever rule. */
function letsAllIn(rules: readonly unknown[], now: number | undefined): boolean {
  const changes = reachChanges({ rules }, { rules: [], reach: "everybody" }, now);
  return changes?.every(({ from }) => from === 100) ?? false;
}

function sideText(rule: LettingIn): string {
  return `${shareText(rule)}${isEverywhere(rule.where) ? "" : ` ${whereText(rule.where)}`}`;
}

/** A list of ids in the place of rules. */
function byIds(definition: ResourceDefinition, values: JsonObject): Passing | undefined {
  const field = Object.keys(definition.fields).find(
    (name) => definition.fields[name]?.traits.valueType !== undefined,
  );
  const text = field === undefined ? undefined : argumentValueText(definition, field, values[field]);
  return text === undefined ? undefined : { text, share: undefined, environments: null, shareOfAll: 0 };
}
