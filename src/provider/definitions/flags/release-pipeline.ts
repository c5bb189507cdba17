import { z } from "zod";
import { defineResource, type Warning } from "../../schema/define";
import { input, nested, optional, output } from "../../schema/field";
import type { JsonObject } from "../../schema/json";
import { route } from "../../schema/verbs";
import { audit } from "../parts/audit-fields";
import { canonicalCondition } from "../parts/condition";
import { plainLifecycle } from "../parts/lifecycle";
import { inEach } from "../parts/names";
import { canonicalRule, phaseRule, ruleProblems, ruleWarnings } from "../parts/rule";
import { emptied, flag, moving, nulled, text } from "../parts/traits";

const item = "/release_pipelines/{id}";

const phase = z.object({
  name: text("Name of the phase."),
  timeIntervalMs: nested(z.number().min(0), { doc: "How long it lasts, in milliseconds." }),
  requiredReview: flag("Whether it waits for an approval before it begins."),
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
    phases: input(z.array(phase).optional(), { doc: "The phases, one after the other.", ...emptied }),
    triggerNotice: optional(z.string().nullable(), "Shown to whoever starts a release.", nulled),
    creatorID: output(z.string(), { doc: "Id of who made it.", serverDefault: "", audit: "madeById" }),
    createdTime: audit.createdTime,
    lastModifierID: moving(z.string(), "Id of who last changed it.", ""),
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
  problems: (args) => inEach(args, "phases", ruleProblems),
  warnings: (_olds, news) =>
    inEach(news, "phases", (phase) => [
      ...ruleWarnings({}, phase),
      ...inEach(phase, "rules", withoutEnvironment),
    ]),
});

/** The guides of the service: a rule of a phase needs an environment. */
function withoutEnvironment({ environments }: JsonObject): Warning[] {
  const message = "missing; the console may ask for an environment here";
  return (environments ?? null) === null ? [{ path: ["environments"], message }] : [];
}
