import { z } from "zod";
import { defineResource, type Problem, type Warning } from "../../schema/define";
import { input, nested, output } from "../../schema/field";
import { isObject, type JsonObject } from "../../schema/json";
import { route } from "../../schema/verbs";
import { audit } from "../parts/audit-fields";
import { canonicalCondition } from "../parts/condition";
import { plainLifecycle } from "../parts/lifecycle";
import { canonicalRule, phaseRule, ruleProblems, ruleWarnings } from "../parts/rule";

const item = "/release_pipelines/{id}";

const phase = z.object({
  name: nested(z.string(), { doc: "Name of the phase." }),
  timeIntervalMs: nested(z.number().min(0), { doc: "How long it lasts, in milliseconds." }),
  requiredReview: nested(z.boolean(), { doc: "Whether it waits for an approval before it begins." }),
  rules: nested(z.array(phaseRule), { doc: "Who gets the change in this phase." }),
  id: nested(z.string().optional(), { doc: "Id of the phase.", serverSet: "identity" }),
});

/** A release pipeline: the phases of a change. Source: console-api/delivery.md, section 3. */
export const releasePipeline = defineResource({
  kind: "ReleasePipeline",
  name: "releasePipeline",
  title: "release pipeline",
  doc: "The phases in which changes of gates and configs reach their users.",
  identity: { how: "server", argument: "name" },
  fields: {
    name: input(z.string().optional(), { doc: "Shown in the console. Left out: the resource name." }),
    phases: input(z.array(phase).optional(), {
      doc: "The phases, one after the other.",
      clearWith: [],
      serverDefault: [],
    }),
    triggerNotice: input(z.string().nullable().optional(), {
      doc: "Shown to whoever starts a release.",
      clearWith: null,
      serverDefault: null,
    }),
    creatorID: output(z.string(), { doc: "Id of who made it.", serverDefault: "", audit: "madeById" }),
    createdTime: audit.createdTime,
    lastModifierID: output(z.string(), {
      doc: "Id of who last changed it.",
      volatile: true,
      serverDefault: "",
    }),
    lastModifiedTime: output(z.number().optional(), audit.lastModifiedTime.traits),
  },
  routes: {
    list: route("GET", "/release_pipelines", "items", "All release pipelines."),
    create: route("POST", "/release_pipelines", "item", "Makes a release pipeline.", {
      body: { requires: ["name"] },
    }),
    get: route("GET", item, "item", "One release pipeline."),
    update: route("POST", item, "item", "Changes what the body names; phases are replaced whole.", {
      body: {},
    }),
    delete: route(
      "DELETE",
      item,
      "message",
      "Removes a release pipeline; refused while gates or configs name it.",
    ),
  },
  lifecycle: plainLifecycle({ how: "patch", route: "update" }),
  forms: { "phases[].rules[]": canonicalRule, "phases[].rules[].conditions[]": canonicalCondition },
  problems: (args) => inPhases(args, ruleProblems),
  warnings: (_olds, news) =>
    inPhases(news, (phase) => [...ruleWarnings({}, phase), ...withoutEnvironment(phase)]),
});

/** The guides of the service: a rule of a phase needs an environment. */
function withoutEnvironment({ rules }: JsonObject): Warning[] {
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule: unknown, index) =>
    isObject(rule) && (rule.environments ?? null) === null
      ? [
          {
            path: ["rules", index, "environments"],
            message: "missing; the console may ask for an environment here",
          },
        ]
      : [],
  );
}

/** Findings of `find` about the rules of each phase. */
function inPhases<P extends Problem>({ phases }: JsonObject, find: (phase: JsonObject) => readonly P[]): P[] {
  if (!Array.isArray(phases)) return [];
  return phases.flatMap((one: unknown, index) =>
    isObject(one) ? find(one).map((found) => ({ ...found, path: ["phases", index, ...found.path] })) : [],
  );
}
