import type { ResourceDefinition } from "../core/define";
import type { JsonObject } from "../core/json";
import { shadowedRules, whyNobody } from "../core/rule-reach";
import { reachOf } from "../core/states";
import { itemsOf, propertiesOf, treeOf } from "../core/tree";
import { argumentValueText, isHidden, type RuleWords, ruleWords, shareText } from "../plain-words";

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
 */
export function passingOf(definition: ResourceDefinition, values: JsonObject): Passing | undefined {
  const field = rulesThatLetIn(definition);
  if (field === undefined || isHidden(values[field])) return undefined;
  const reach = reachOf(definition, values);
  if (reach === "nobody") return nobody;
  if (reach === "everybody") return everyone;
  const rules = rulesThatCount(values[field]).map((rule) => ruleWords(rule, { idType: values.idType }));
  return rules.length > 0 ? bySome(rules) : (byIds(definition, values) ?? nobody);
}

/** A list of rules that say who passes, and not what somebody gets. */
function rulesThatLetIn(definition: ResourceDefinition): string | undefined {
  const tree = treeOf(definition);
  return Object.keys(tree).find((name) => {
    const rule = propertiesOf(itemsOf(tree[name]?.node ?? {}) ?? {});
    return rule?.passPercentage !== undefined && rule.returnValue === undefined;
  });
}

/** Rules that somebody comes to and that let somebody in. */
function rulesThatCount(value: unknown): unknown[] {
  const rules: readonly unknown[] = Array.isArray(value) ? value : [];
  const shadowed = new Set(shadowedRules(rules).map(({ at }) => at));
  return rules.filter((rule, at) => !shadowed.has(at) && whyNobody(rule) === undefined);
}

function isEveryone({ audience }: RuleWords): boolean {
  return audience === "everyone";
}

function bySome(rules: readonly RuleWords[]): Passing {
  const isAll = (rule: RuleWords) => isEveryone(rule) && rule.environmentNames === null;
  if (rules.every(({ share }) => share === 100) && rules.some(isAll)) return everyone;
  const widest = rules.reduce((one, other) => ((other.share ?? 0) > (one.share ?? 0) ? other : one));
  const isEverywhere = rules.some(({ environmentNames }) => environmentNames === null);
  return {
    text:
      rules.length < 3
        ? rules.map(sideText).join(" and ")
        : `whom ${rules.length} rules let in, such as ${sideText(rules.find(isEveryone) ?? widest)}`,
    share: rules.some(({ share }) => share === undefined) ? undefined : widest.share,
    environments: isEverywhere ? null : rules.flatMap(({ environmentNames }) => environmentNames ?? []),
    shareOfAll: Math.max(0, ...rules.filter(isEveryone).map(({ share = 0 }) => share)),
  };
}

function sideText(rule: RuleWords): string {
  return `${shareText(rule)}${rule.environmentNames === null ? "" : ` in ${rule.environments}`}`;
}

/** A list of ids in the place of rules. */
function byIds(definition: ResourceDefinition, values: JsonObject): Passing | undefined {
  const field = Object.keys(definition.fields).find(
    (name) => definition.fields[name]?.facts.valueType !== undefined,
  );
  const text = field === undefined ? undefined : argumentValueText(definition, field, values[field]);
  return text === undefined ? undefined : { text, share: undefined, environments: null, shareOfAll: 0 };
}
