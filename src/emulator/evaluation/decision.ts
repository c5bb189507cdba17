import { equalJson } from "../../provider/schema/json";
import { audienceText, conditionText, isEverybody, restText } from "../../provider/words";
import { consoleCondition } from "../sdk/spec/console-condition";
import { type Condition, isOwnRule, type Rule, type Spec } from "./specs";
import type { Decision, UnmetRule } from "./types";

/** An evaluated object with its answer. */
export interface Evaluated {
  readonly spec: Spec;
  /** The rule that the SDK names. */
  readonly ruleID: string;
  /** Of a gate: whether the user passes. Left out for whatever has values. */
  readonly passes?: boolean;
  /** Of whatever has values: what the user gets. */
  readonly value?: unknown;
  /** Why none of its rules decides: `it is archived`. */
  readonly shut: string | undefined;
  /** Looks a gate of the document up: holdouts are gates there. */
  gate(name: string): Spec | undefined;
  /** True where the user meets a condition of a rule that people wrote, by the SDK; undefined where the SDK does not know the condition. */
  meets(condition: Condition): boolean | undefined;
  /** Of a condition on what a list does not have: the user has no value there, or one that is no list. */
  lacks(condition: Condition): "value" | "list" | undefined;
}

/** Rules that are no rules of a person, by their ids. */
const told: Readonly<Record<string, string>> = {
  launched: "launched for everybody",
  prestart: "the experiment has not started",
  layerAssignment: "the experiment is not allocated to this user",
  targetingGate: "the targeting gate keeps this user out",
  inlineTargetingRules: "the targeting keeps this user out",
  abandoned: "the experiment ended without a decision",
};

/** Says which rule decided and why; the verdict itself is the SDK's, and so is which conditions the user meets. */
export function decisionOf(evaluated: Evaluated): Decision {
  const { spec, ruleID, passes } = evaluated;
  const rule = spec.rules.find(({ id }) => id === ruleID);
  const unknown = rule === undefined ? spec.rules.find((one) => isUnknown(evaluated, one)) : undefined;
  const stop = rule ?? unknown;
  const unmet = unmetBefore(evaluated, stop === undefined ? spec.rules.length : spec.rules.indexOf(stop));
  const verdict = passes === undefined ? "" : passes ? " passes" : " fails";
  const reason = rule === undefined ? withoutRule(evaluated, unknown) : reasonOf(evaluated, rule);
  return {
    rule: rule?.groupName ?? null,
    why: `${spec.name}${verdict}: ${[reason, ...unmetTexts(unmet)].join("; ")}`,
    met: rule !== undefined && isOwnRule(rule) ? conditionWords(rule.conditions) : [],
    unmet,
  };
}

/** The rules of people before a place; without those of which the SDK says no condition that is not met, and without variants. */
function unmetBefore({ spec, meets, lacks }: Evaluated, end: number): UnmetRule[] {
  return spec.rules.slice(0, end).flatMap((rule) => {
    const isWhole = isOwnRule(rule) && ruleOfVariant(spec, rule) === undefined;
    const condition = isWhole ? rule.conditions.find((one) => meets(one) === false) : undefined;
    return condition === undefined
      ? []
      : conditionWords([condition]).map((text) => ({
          rule: rule.groupName ?? "",
          condition: absenceWords(condition, lacks(condition)) ?? text,
        }));
  });
}

/** The most rules of which a sentence tells why they did not decide. */
const mostUnmet = 4;

function unmetTexts(unmet: readonly UnmetRule[]): string[] {
  const said = unmet.slice(0, unmet.length > mostUnmet + 1 ? mostUnmet : unmet.length);
  const more = unmet.length - said.length;
  return [
    ...said.map(({ rule, condition }) => `rule "${rule}" did not match (not met: ${condition})`),
    ...(more > 0 ? [`neither did ${more} more rules`] : []),
  ];
}

/** The SDK stops at a rule with a condition that it does not know. */
function isUnknown({ meets }: Evaluated, rule: Rule): boolean {
  return isOwnRule(rule) && rule.conditions.some((one) => meets(one) === undefined);
}

const otherwise = ({ passes }: Evaluated): string => (passes === undefined ? ", so the default value" : "");

function withoutRule(evaluated: Evaluated, unknown: Rule | undefined): string {
  const { shut } = evaluated;
  if (shut !== undefined) return `${shut}${otherwise(evaluated)}`;
  if (unknown !== undefined)
    return `the SDK does not know a condition of rule "${unknown.groupName}", so it answers its default`;
  return `no rule is for this user${otherwise(evaluated)}`;
}

function reasonOf(evaluated: Evaluated, rule: Rule): string {
  const { id, groupName } = rule;
  if (id === "launchedGroup") return `group "${groupName}" is shipped to everybody`;
  if (id.endsWith("override"))
    return groupName === undefined
      ? "an override names this user"
      : `an override puts this user into group "${groupName}"`;
  const holdout = heldBy(rule, evaluated.gate);
  if (holdout !== undefined) return `the holdout "${holdout}" holds this user out`;
  if (rule.isExperimentGroup === false) return `group "${groupName}" is switched off${otherwise(evaluated)}`;
  if (rule.isExperimentGroup !== undefined) return `group "${groupName}"`;
  const { shut } = evaluated;
  if (shut !== undefined) return `${shut}${otherwise(evaluated)}`;
  if (groupName === undefined) return told[id] ?? `rule ${id}`;
  return ownReason(evaluated, rule);
}

function ownReason({ spec, passes, value }: Evaluated, rule: Rule): string {
  const whole = ruleOfVariant(spec, rule) ?? rule;
  const own = spec.rules.filter((one) => one.groupName !== undefined && !ruleOfVariant(spec, one));
  const at = own.indexOf(whole);
  const place = `rule "${whole.groupName}" (${at + 1} of ${own.length})`;
  if (spec.rules.some((one) => ruleOfVariant(spec, one) === rule)) return `${place}, none of its variants`;
  const variant = whole === rule ? "" : `variant "${rule.groupName}" of `;
  const audience = audienceOf(whole.conditions, spec.idType);
  const whom = at > 0 && audience === audienceOf([], spec.idType) ? restText(audience) : audience;
  const isInside = passes ?? isValueOf(spec, rule, value);
  return `${variant}${place}, ${rule.passPercentage} % of ${whom}${shareText(rule, isInside)}`;
}

/** The rule that a variant belongs to: it stands behind its variants, whose ids begin with its own. */
function ruleOfVariant({ rules }: Spec, { id, salt }: Rule): Rule | undefined {
  return rules.find((one) => one.salt === salt && id.startsWith(`${one.id}:`));
}

/** True where a value is the rule's, and not the default one; undefined where they are equal. */
function isValueOf({ defaultValue }: Spec, { returnValue }: Rule, value: unknown): boolean | undefined {
  if (value === undefined || equalJson(defaultValue, returnValue)) return undefined;
  return equalJson(value, returnValue);
}

function shareText({ passPercentage }: Rule, isInside: boolean | undefined): string {
  if (passPercentage >= 100 || passPercentage <= 0 || isInside === undefined) return "";
  return isInside ? ", and the user is in that share" : ", and the user is outside that share";
}

function heldBy({ conditions }: Rule, gate: Evaluated["gate"]): string | undefined {
  const asked = conditions.find(({ type }) => type === "pass_gate");
  const spec = asked === undefined ? undefined : gate(String(asked.targetValue));
  return spec?.entity === "holdout" ? spec.name : undefined;
}

/** Conditions of the document in words; those that everybody meets are left out. */
function conditionWords(conditions: readonly Condition[]): string[] {
  return conditions.flatMap((one) => {
    const said = consoleCondition(one);
    if (said === undefined) return ["in the share that is drawn for it"];
    return isEverybody(said) ? [] : [conditionText(said)];
  });
}

/** That a user has no value, or no list, where a condition looks for a list: `tags is not set`. */
function absenceWords(condition: Condition, lacks: "value" | "list" | undefined): string | undefined {
  if (lacks === undefined) return undefined;
  const unset = conditionWords([{ ...condition, operator: "eq", targetValue: null }]).join("");
  return lacks === "value" ? unset : unset.replace(/is not set$/, "is no list");
}

/** Whom conditions are for: `users in NZ`, `everyone`. A draw says nothing of them. */
function audienceOf(conditions: readonly Condition[], idType: string | undefined): string {
  const said = conditions.map(consoleCondition).filter((one) => one !== undefined);
  return audienceText(said, { idType });
}
