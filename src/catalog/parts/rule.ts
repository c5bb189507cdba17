import { z } from "zod";
import type { Problem } from "../../core/define";
import { nested } from "../../core/field";
import { quote } from "../../core/issue-text";
import { isObject, type JsonObject } from "../../core/json";
import { meantName } from "../../core/misspelling";
import { UNKNOWN } from "../../core/unknown";
import { firstEnvironments } from "../environments";
import { condition, segmentCondition } from "./condition";
import { conditionType, shapeOf } from "./condition-types";
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
  doc: "Environments in which the rule holds. Left out: in every one, unless somebody set some in the console. An empty array means none.",
  unordered: true,
  emptyHasMeaning: true,
  names: "environments",
});
const share = {
  doc: "Share of matching units that pass, in percent, in steps of 0.01.",
};
/** The steps of a schedule stand in the rule. */
const scheduled = { scheduledBy: "pendingAutomatedRollouts" } as const satisfies {
  scheduledBy: keyof typeof ruleMarks;
};

function ruleSchema(conditionSchema: z.ZodType, passPercentage: z.ZodType, typeName?: string) {
  return nested(
    z.object({
      name: ruleName,
      passPercentage,
      conditions: nested(z.array(conditionSchema), { doc: "All of them must hold; none means everyone." }),
      environments,
      ...ruleMarks,
    }),
    { sparse: true, ...(typeName === undefined ? {} : { typeName }) },
  );
}

/** A rule of a gate. */
export const gateRule = ruleSchema(
  condition,
  nested(percentage, { ...share, rollout: scheduled }),
  "GateRule",
);

/** A rule of a segment. */
export const segmentRule = ruleSchema(segmentCondition, nested(percentage, share));

/** A rule of a release phase: it knows no share, and its id is its own for good. */
export const phaseRule = nested(
  z.object({
    name: ruleName,
    conditions: nested(z.array(condition), { doc: "All of them must hold; none means everyone." }),
    environments,
    id: ruleMarks.id,
  }),
  { sparse: true },
);

const returnValue = nested(z.record(z.string(), z.unknown()).optional(), {
  doc: "The value that a matching unit gets.",
  sameAs: "opaque",
  typedByProgram: "whole",
  // Read where nothing was said.
  serverDefault: {},
});
const returnValueJson5 = nested(z.string().optional(), {
  doc: "The same value as JSON5 text, with comments.",
  sameAs: "json5",
  aliasOf: "returnValue",
});

/** A rule of a dynamic config. */
export const configRule = nested(
  z.object({
    name: ruleName,
    passPercentage: nested(percentage.optional(), {
      doc: "Share of matching units that get the value, in percent, in steps of 0.01.",
      serverDefault: 100,
      rollout: scheduled,
    }),
    conditions: nested(z.array(condition), { doc: "All of them must hold; none means everyone." }),
    environments,
    returnValue,
    returnValueJson5,
    variants: nested(
      z
        .array(
          nested(
            z.object({
              name: nested(z.string().min(1), { doc: "Name of the variant." }),
              passPercentage: nested(percentage, { ...share, rollout: {} }),
              returnValue,
              returnValueJson5,
              id: nested(z.string().optional(), { doc: "Id of the variant.", serverSet: "identity" }),
            }),
            { sparse: true },
          ),
        )
        .optional(),
      { doc: "Several values, shared out by percentage." },
    ),
    ...ruleMarks,
  }),
  { sparse: true, typeName: "DynamicConfigRule" },
);

/** A rule as it is now: old answers call `environments` by another name (console-api, section 12, row 15). */
export function canonicalRule(rule: unknown): unknown {
  if (!isObject(rule) || rule.environment === undefined) return rule;
  const { environment, ...rest } = rule;
  const listed = typeof environment === "string" ? [environment] : environment;
  return { environments: listed, ...rest };
}

/** Findings about `rules` that no schema can make: names given twice, members without which a condition says nothing. */
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
    return [
      ...twice,
      ...conditionsOf(rule).flatMap((item, place) =>
        missingMembers(item, ["rules", index, "conditions", place]),
      ),
    ];
  });
}

function conditionsOf(rule: JsonObject): unknown[] {
  return Array.isArray(rule.conditions) ? rule.conditions : [];
}

/** What the console certainly refuses: a condition without the member that its type is about. */
function missingMembers(value: unknown, path: Problem["path"]): Problem[] {
  const needs = isObject(value) ? conditionType(value.type)?.needs : undefined;
  if (!isObject(value) || needs === undefined || !isMissing(value[needs])) return [];
  return [{ path: [...path, needs], message: `missing; "${String(value.type)}" needs it` }];
}

/**
 * Warnings about conditions that are unusual, which the API does not refuse for that, and about environments that look like a
 * misspelt one of those that every project begins with.
 */
export function ruleWarnings(_olds: JsonObject, { rules }: JsonObject): Problem[] {
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule: unknown, index) => {
    if (!isObject(rule)) return [];
    return [
      ...misspeltEnvironments(rule.environments, ["rules", index, "environments"]),
      ...conditionsOf(rule).flatMap((one, place) =>
        isObject(one) ? conditionWarnings(one, ["rules", index, "conditions", place]) : [],
      ),
    ];
  });
}

function conditionWarnings(one: JsonObject, path: Problem["path"]): Problem[] {
  const unusual = unusualPair(one, path);
  return conditionType(one.type)?.names === "environments"
    ? [...unusual, ...misspeltEnvironments(one.targetValue, [...path, "targetValue"])]
    : unusual;
}

function misspeltEnvironments(value: unknown, path: Problem["path"]): Problem[] {
  if (Array.isArray(value))
    return value.flatMap((name: unknown, index) => misspeltEnvironments(name, [...path, index]));
  const meant = typeof value === "string" ? meantName(value, firstEnvironments) : undefined;
  if (meant === undefined) return [];
  const why = "in an environment that does not exist nothing happens";
  return [{ path, message: `${quote(value)} looks like a misspelt ${quote(meant)}; ${why}` }];
}

/** A pair of type and operator, or a target value, that the reference does not show (console-api/corrections.md, section 2). */
function unusualPair(value: JsonObject, path: Problem["path"]): Problem[] {
  const type = conditionType(value.type);
  if (type === undefined || value.operator === UNKNOWN) return [];
  if (!isMissing(value.operator) && typeof value.operator !== "string") return [];
  const operator = typeof value.operator === "string" ? value.operator : "";
  const shape = shapeOf(type, operator);
  const name = String(value.type);
  if (shape === undefined) {
    const usual = Object.keys(type.operators).filter((item) => item !== "");
    const what = operator === "" ? `no operator is unusual for` : `"${operator}" is unusual for`;
    return [
      {
        path: [...path, "operator"],
        message: `${what} "${name}": usual is ${usual.length > 0 ? usual.join(", ") : "none"}`,
      },
    ];
  }
  const message = targetWarning(shape, value.targetValue, operator === "" ? name : operator);
  return message === undefined ? [] : [{ path: [...path, "targetValue"], message }];
}

/** Nothing, in any of the forms that the console takes for nothing. */
function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function targetWarning(shape: string, target: unknown, what: string): string | undefined {
  if (shape === "any" || target === UNKNOWN) return undefined;
  const missing = isMissing(target);
  if (shape === "none") {
    return missing || (Array.isArray(target) && target.length === 0)
      ? undefined
      : `"${what}" takes none: it is not sent`;
  }
  if (missing) return `missing; "${what}" usually has one`;
  if (shape === "texts" || shape === "values" || shape === "some") return undefined;
  const one = Array.isArray(target) && target.length === 1 ? target[0] : target;
  if (Array.isArray(one)) return `found ${one.length} values; "${what}" usually has one`;
  if (isMissing(one)) return `missing; "${what}" usually has one`;
  if (one === UNKNOWN || shape === "text" || typeof one !== "string") return undefined;
  return one.trim() !== "" && Number.isFinite(Number(one))
    ? undefined
    : `found "${one}"; "${what}" usually has a number`;
}
