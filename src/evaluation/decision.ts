import type { Rule, Spec } from "./specs";
import type { Decision } from "./types";

/** What is evaluated. */
export interface Evaluated {
  readonly spec: Spec;
  /** The rule that the SDK names. */
  readonly ruleID: string;
  /** Of a gate: whether the user passes. Left out for whatever has values. */
  readonly passes?: boolean;
  /** Looks a gate of the document up: holdouts are gates there. */
  gate(name: string): Spec | undefined;
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

/** Says which rule decided and why; the verdict itself is the SDK's. */
export function decisionOf(evaluated: Evaluated): Decision {
  const { spec, ruleID, passes } = evaluated;
  const rule = spec.rules.find(({ id }) => id === ruleID);
  const verdict = passes === undefined ? "" : passes ? " passes" : " fails";
  const reason = rule === undefined ? withoutRule(spec, passes) : reasonOf(evaluated, rule);
  return { rule: rule?.groupName ?? null, why: `${spec.name}${verdict}: ${reason}` };
}

function withoutRule({ rules }: Spec, passes: boolean | undefined): string {
  const otherwise = passes === undefined ? ", so the default value" : "";
  if (rules.length === 0) return `it is off or has no rules${otherwise}`;
  return `no rule is for this user${otherwise}`;
}

function reasonOf({ spec, passes, gate }: Evaluated, rule: Rule): string {
  const { id, groupName } = rule;
  if (id === "launchedGroup") return `group "${groupName}" is shipped to everybody`;
  if (id.endsWith("override"))
    return groupName === undefined
      ? "an override names this user"
      : `an override puts this user into group "${groupName}"`;
  const holdout = heldBy(rule, gate);
  if (holdout !== undefined) return `the holdout "${holdout}" holds this user out`;
  if (rule.isExperimentGroup !== undefined) return `group "${groupName}"`;
  if (groupName === undefined) return told[id] ?? `rule ${id}`;
  const own = spec.rules.filter((one) => one.groupName !== undefined);
  return `rule "${groupName}" (${own.indexOf(rule) + 1} of ${own.length}), ${rule.passPercentage} %${shareText(rule, passes)}`;
}

function shareText({ passPercentage }: Rule, passes: boolean | undefined): string {
  if (passPercentage >= 100 || passPercentage <= 0 || passes === undefined) return "";
  return passes ? ", and the user is in that share" : ", and the user is outside that share";
}

function heldBy({ conditions }: Rule, gate: Evaluated["gate"]): string | undefined {
  const asked = conditions.find(({ type }) => type === "pass_gate");
  const spec = asked === undefined ? undefined : gate(String(asked.targetValue));
  return spec?.entity === "holdout" ? spec.name : undefined;
}
