import { z } from "zod";
import type { Problem, Refusable, Warning } from "../../schema/define";
import { maybe, nested } from "../../schema/field";
import { isObject, type JsonObject, objectsIn } from "../../schema/json";
import { argumentName } from "../../texts/argument-names";
import { quote } from "../../texts/issue-text";
import { meantName } from "../../texts/misspelling";
import { firstEnvironments } from "../environments";
import { condition, segmentCondition } from "./condition";
import { conditionProblems, conditionWarnings } from "./condition-findings";
import { conditionType } from "./condition-types";
import { inEach, percentage, repeatedNames } from "./names";
import { text } from "./traits";

const rollouts = z.array(z.object({ passPercent: z.number(), time: z.number() })).optional();

/** Members that the console adds to a rule. The id changes with the percentage, the base id never does. */
const ruleMarks = {
  id: nested(z.string().optional(), { doc: "Id of this version of the rule.", serverSet: "identity" }),
  baseID: nested(z.string().optional(), { doc: "Id of the rule for its whole life.", serverSet: "identity" }),
  completedAutomatedRollouts: nested(rollouts, { doc: "Rollout steps done.", serverSet: true }),
  pendingAutomatedRollouts: nested(rollouts, { doc: "Rollout steps to come.", serverSet: true }),
};

const ruleName = text("Unique among the rules of one object. May be empty.");
const environments = maybe(
  z.array(z.string()).nullable(),
  "Environments in which the rule holds. Left out: in every one, unless the console has some. An empty array means none.",
  { unordered: true, emptyHasMeaning: true, names: "environments" },
);
const share = { doc: "Share of matching units that pass, in percent, in steps of 0.01." };
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
const returnValueJson5 = maybe(z.string(), "The same value as JSON5 text, with comments.", {
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
    variants: maybe(
      z.array(
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
      ),
      "Several values, shared out by percentage.",
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

/** Findings about `rules` that no schema can make: names given twice, conditions that say nothing or can never hold. */
export function ruleProblems(args: JsonObject): Problem[] {
  return [
    ...repeatedNames(args, "rules", "rule"),
    ...inEach(args, "rules", (rule) => inEach(rule, "conditions", conditionProblems)),
  ];
}

/**
 * Warnings about conditions that are unusual or surely not meant, which the API does not refuse for that, and about environments:
 * none at all, or what looks like a misspelt one of those that every project begins with.
 */
export function ruleWarnings(_olds: JsonObject, news: JsonObject): Warning[] {
  return inEach(news, "rules", (rule): Warning[] => [
    ...misspeltEnvironments(rule.environments, ["environments"]),
    ...(isEmpty(rule.environments) ? [{ path: ["environments"], message: nowhere }] : []),
    ...inEach(rule, "conditions", warningsOf),
  ]);
}

/** Rules of a gate that let more pass than before, without a strategy for the rise. */
export function risesAtOnce(olds: JsonObject, news: JsonObject): Refusable[] {
  if (news.gradualRolloutStrategy !== undefined) return [];
  const former = objectsIn(olds.rules);
  return inEach(news, "rules", ({ name, passPercentage }): Refusable[] => {
    const before = Number(former.find((one) => one.name === name)?.passPercentage ?? 0);
    if (typeof passPercentage !== "number" || passPercentage <= before) return [];
    const message = `rises from ${before} to ${passPercentage} at once; set ${argumentName("gradualRolloutStrategy")}`;
    return [{ path: ["passPercentage"], message, refusedBy: "suddenRises" }];
  });
}

/** The guides of the service: a gradual rollout does not work with a release pipeline. */
export function stagedTwice({ releasePipelineID, gradualRolloutStrategy }: JsonObject): Warning[] {
  const isGradual = isObject(gradualRolloutStrategy) && gradualRolloutStrategy.type === "gradual";
  if (!releasePipelineID || !isGradual) return [];
  return [{ path: ["gradualRolloutStrategy"], message: "does not work together with a release pipeline" }];
}

/** A change of a template. */
export function templateChange({ isTemplate }: JsonObject): Refusable[] {
  if (isTemplate !== true) return [];
  const message = `it is a template: change it in the console, and list what changes there in ${argumentName("ignoreChanges")}`;
  return [{ path: [], message, refusedBy: "templateWrites" }];
}

const nowhere = "is empty, so the rule holds in no environment; null stands for every one";

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function warningsOf(one: JsonObject): Warning[] {
  const own = conditionWarnings(one);
  return conditionType(one.type)?.names === "environments"
    ? [...own, ...misspeltEnvironments(one.targetValue, ["targetValue"])]
    : own;
}

function misspeltEnvironments(value: unknown, path: Problem["path"]): Problem[] {
  if (Array.isArray(value))
    return value.flatMap((name: unknown, index) => misspeltEnvironments(name, [...path, index]));
  const meant = typeof value === "string" ? meantName(value, firstEnvironments) : undefined;
  if (meant === undefined) return [];
  const why = "in an environment that does not exist nothing happens";
  return [{ path, message: `${quote(value)} looks like a misspelt ${quote(meant)}; ${why}` }];
}
