import { z } from "zod";
import type { Problem } from "../../core/define";
import { nested } from "../../core/field";
import { quote } from "../../core/issue-text";
import { isObject, type JsonObject } from "../../core/json";
import { meantName } from "../../core/misspelling";
import { UNKNOWN } from "../../core/unknown";
import { firstEnvironments } from "../environments";
import { condition, conditionType, segmentCondition, shapeOf } from "./condition";
import { percentage } from "./names";

const rollouts = z.array(z.object({ passPercent: z.number(), time: z.number() })).optional();

/** What the console adds to a rule. The id changes with the percentage, the base id never does. */
const ruleMarks = {
  id: nested(z.string().optional(), { doc: "Id of this version of the rule.", serverSet: "identity" }),
  baseID: nested(z.string().optional(), { doc: "Id of the rule for its whole life.", serverSet: "identity" }),
  completedAutomatedRollouts: nested(rollouts, { doc: "Rollout steps done.", serverSet: true }),
  pendingAutomatedRollouts: nested(rollouts, { doc: "Rollout steps to come.", serverSet: true }),
};

const ruleName = nested(z.string().min(1), { doc: "Unique among the rules of one object." });
const environments = nested(z.array(z.string()).nullable().optional(), {
  doc: "Environments in which the rule holds; left out: in every one. An empty array means none.",
  unordered: true,
  emptyHasMeaning: true,
  names: "environments",
});
const share = nested(percentage, {
  doc: "Share of matching units that pass, in percent, in steps of 0.01.",
});

function ruleSchema(conditionSchema: z.ZodType) {
  return z.object({
    name: ruleName,
    passPercentage: share,
    conditions: nested(z.array(conditionSchema), { doc: "All of them must hold; none means everyone." }),
    environments,
    ...ruleMarks,
  });
}

/** A rule of a gate. */
export const gateRule = ruleSchema(condition);

/** A rule of a segment. */
export const segmentRule = ruleSchema(segmentCondition);

/** A rule of a release phase: it knows no share, and its id is its own for good. */
export const phaseRule = z.object({
  name: ruleName,
  conditions: nested(z.array(condition), { doc: "All of them must hold; none means everyone." }),
  environments,
  id: ruleMarks.id,
});

const returnValue = nested(z.record(z.string(), z.unknown()).optional(), {
  doc: "The value that a matching unit gets.",
  sameAs: "opaque",
});
const returnValueJson5 = nested(z.string().optional(), {
  doc: "The same value as JSON5 text, with comments.",
  sameAs: "json5",
  aliasOf: "returnValue",
});

/** A rule of a dynamic config. */
export const configRule = z.object({
  name: ruleName,
  passPercentage: nested(percentage.optional(), {
    doc: "Share of matching units that get the value, in percent, in steps of 0.01.",
    serverDefault: 100,
  }),
  conditions: nested(z.array(condition), { doc: "All of them must hold; none means everyone." }),
  environments,
  returnValue,
  returnValueJson5,
  variants: nested(
    z
      .array(
        z.object({
          name: nested(z.string().min(1), { doc: "Name of the variant." }),
          passPercentage: share,
          returnValue,
          returnValueJson5,
          id: nested(z.string().optional(), { doc: "Id of the variant.", serverSet: "identity" }),
        }),
      )
      .optional(),
    { doc: "Several values, shared out by percentage." },
  ),
  ...ruleMarks,
});

/** A rule as it is now: old answers call `environments` by another name (console-api, section 12, row 15). */
export function canonicalRule(rule: unknown): unknown {
  if (!isObject(rule) || rule.environment === undefined) return rule;
  const { environment, ...rest } = rule;
  const listed = typeof environment === "string" ? [environment] : environment;
  return { environments: listed, ...rest };
}

/** Findings about `rules` that no schema can make: names given twice, operators that do not fit, missing members. */
export function ruleProblems(args: JsonObject): Problem[] {
  if (!Array.isArray(args.rules)) return [];
  const seen = new Map<unknown, number>();
  return args.rules.flatMap((rule: unknown, index) => {
    if (!isObject(rule)) return [];
    const first = typeof rule.name !== "string" || rule.name === UNKNOWN ? undefined : seen.get(rule.name);
    if (first === undefined) seen.set(rule.name, index);
    const twice: Problem[] =
      first === undefined
        ? []
        : [
            {
              path: ["rules", index, "name"],
              message: `"${String(rule.name)}" is the name of rules[${first}] too; rule names are unique`,
            },
          ];
    const conditions = Array.isArray(rule.conditions) ? rule.conditions : [];
    return [
      ...twice,
      ...conditions.flatMap((item: unknown, place) =>
        conditionProblems(item, ["rules", index, "conditions", place]),
      ),
    ];
  });
}

/** Warnings about environments that look like a misspelt one of those that every project begins with. */
export function ruleWarnings(_olds: JsonObject, { rules }: JsonObject): Problem[] {
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule: unknown, index) => {
    if (!isObject(rule)) return [];
    const conditions = Array.isArray(rule.conditions) ? rule.conditions : [];
    return [
      ...misspeltEnvironments(rule.environments, ["rules", index, "environments"]),
      ...conditions.flatMap((one: unknown, place) =>
        isObject(one) && conditionType(one.type)?.names === "environments"
          ? misspeltEnvironments(one.targetValue, ["rules", index, "conditions", place, "targetValue"])
          : [],
      ),
    ];
  });
}

function misspeltEnvironments(value: unknown, path: Problem["path"]): Problem[] {
  if (Array.isArray(value))
    return value.flatMap((name: unknown, index) => misspeltEnvironments(name, [...path, index]));
  const meant = typeof value === "string" ? meantName(value, firstEnvironments) : undefined;
  if (meant === undefined) return [];
  const why = "in an environment that does not exist nothing happens";
  return [{ path, message: `${quote(value)} looks like a misspelt ${quote(meant)}; ${why}` }];
}

function conditionProblems(value: unknown, path: (string | number)[]): Problem[] {
  const type = isObject(value) ? conditionType(value.type) : undefined;
  if (!isObject(value) || type === undefined || value.operator === UNKNOWN) return [];
  if (!isMissing(value.operator) && typeof value.operator !== "string") return [];
  const found: Problem[] = [];
  const operator = typeof value.operator === "string" ? value.operator : "";
  const implied = operator === "" && value.type === "environment_tier" ? "any" : operator;
  const shape = shapeOf(type, implied);
  const name = String(value.type);
  if (shape === undefined) {
    const fitting = Object.keys(type.operators).filter((item) => item !== "");
    const advice = fitting.length > 0 ? `use one of ${fitting.join(", ")}` : "leave it out";
    const what = operator === "" ? `missing; "${name}" needs one` : `"${operator}" does not fit "${name}"`;
    found.push({ path: [...path, "operator"], message: `${what}: ${advice}` });
  } else {
    const message = targetProblem(shape, value.targetValue, operator === "" ? name : operator);
    if (message !== undefined) found.push({ path: [...path, "targetValue"], message });
  }
  if (type.needs !== undefined && isMissing(value[type.needs])) {
    found.push({ path: [...path, type.needs], message: `missing; "${name}" needs it` });
  }
  return found;
}

/** Nothing, in any of the forms that the console takes for nothing. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function targetProblem(shape: string, target: unknown, what: string): string | undefined {
  if (shape === "any" || target === UNKNOWN) return undefined;
  const missing = isMissing(target);
  if (shape === "none") {
    return missing || (Array.isArray(target) && target.length === 0)
      ? undefined
      : `"${what}" takes none: leave it out`;
  }
  if (missing) return `missing; "${what}" needs one`;
  if (shape === "texts" || shape === "values") return undefined;
  const one = Array.isArray(target) && target.length === 1 ? target[0] : target;
  if (Array.isArray(one)) return `found ${one.length} values; "${what}" takes one`;
  if (isMissing(one)) return `missing; "${what}" needs one`;
  if (one === UNKNOWN || shape === "text" || typeof one !== "string") return undefined;
  return one.trim() !== "" && Number.isFinite(Number(one))
    ? undefined
    : `found "${one}"; "${what}" takes a number`;
}
