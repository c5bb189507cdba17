import { z } from "zod";
import { defineResource } from "../../schema/define";
import { input, maybe, nested, optional, output, writeOnly } from "../../schema/field";
import type { JsonObject } from "../../schema/json";
import { type Route, route } from "../../schema/verbs";
import {
  audit,
  authorship,
  holdoutIDs,
  metricRef,
  owner,
  ownership,
  tags,
  targetApps,
  withoutStar,
} from "../parts/audit-fields";
import { askingFor, canonicalCondition } from "../parts/condition";
import { codeKey, flagFields, flagOutputs, stagedByPipeline } from "../parts/flag-fields";
import { keyed } from "../parts/lifecycle";
import { description, dottedKey, dottedName } from "../parts/names";
import { activeReview, gateReviews } from "../parts/review";
import { flagReviews, rulesMember } from "../parts/review-changes";
import { stateRoutes, unitOverrides } from "../parts/routes";
import {
  canonicalRule,
  gateRule,
  risesAtOnce,
  ruleProblems,
  ruleWarnings,
  stagedTwice,
  templateChange,
} from "../parts/rule";
import { blanked, emptied, flag, maybeNumber, maybeText, moving, set, unitIds } from "../parts/traits";

const item = "/gates/{id}";
const rule = `${item}/rules/{ruleID}`;
const listQuery = [
  ...(["idType", "type", "typeReason", "passRate", "rolloutRate", "releasePipelineID"] as const),
  ...(["creatorName", "creatorID", "tags", "teamID", "targetAppID"] as const),
  ...(["includeArchived", "includeArchiveMetadata", "store0100Exposures"] as const),
] as const;
const atCreation = ["key", "isTemplate", "status"] as const;
const { type, releasePipelineID, isTemplate } = flagFields("gate");

const stage = z.object({
  passPercent: nested(z.number(), {
    doc: "Share of units that pass in it, in percent.",
    wire: "pass_percent",
  }),
  isComplete: flag("Whether it is over."),
  time: maybeNumber("When it begins, milliseconds since 1970."),
  timeString: maybeText("The same as text."),
  phaseDurationMs: maybeNumber("How long it lasts, in milliseconds."),
});

const severalRules = { status: 200, body: { schema: z.object({ rules: z.array(gateRule) }) } } as const;

/** Effects of rules on the metrics: reads and a calculation, none of it configuration. */
const pulse = {
  listPulseLoadHistory: route("GET", `${rule}/pulse_load_history`, "items", "Loads of a rule's results.", {
    op: 10,
    returnsKind: "pulseLoadHistoryEntry",
  }),
  getPulseResults: route("GET", `${rule}/pulse_results`, "item", "The effect of a rule on the metrics.", {
    returnsKind: "pulseResults",
  }),
  loadPulse: route("POST", `${item}/load_pulse`, "message", "Calculates the results of a rule anew.", {
    body: {
      schema: z.object({
        ruleId: z.string(),
        refresh: z.boolean().optional(),
        metricIDs: z.array(z.string()).optional(),
        turboMode: z.boolean().optional(),
      }),
    },
  }),
};

/** A list of objects of a kind that refer to a gate. */
const referring = <const K extends string, const R extends Partial<Route> = object>(
  kind: K,
  doc: string,
  rest?: R,
) => route("GET", `${item}/${kind}_references` as const, "items", doc, rest);

/** Objects that may refer to a gate: the console archives none that has a reference (console-api, section 13, row 14). */
const usedBy = {
  kinds: ["gate", "dynamicConfig", "segment", "experiment"],
  conditions: askingFor("gate"),
  fields: ["targetingGateID"],
};

/** A gate: a switch with rules that say who passes. Source: console-api/gates-configs.md, section 1. */
export const gate = defineResource({
  kind: "Gate",
  name: "gate",
  title: "gate",
  doc: "A switch with rules that decide who passes.",
  identity: { how: "key", argument: "key" },
  fields: {
    key: codeKey(dottedKey.optional()),
    name: input(dottedName.optional(), { doc: "Shown in the console. Left out: the `key`." }),
    description: input(description.optional(), { doc: "Its purpose.", ...blanked }),
    isEnabled: input(z.boolean().optional(), {
      doc: "Off: nobody passes. A launched gate counts as on. Set this or `status`.",
      isSwitch: true,
      serverDefault: true,
    }),
    status: input(z.enum(["In Progress", "Launched", "Disabled", "Archived"]).optional(), {
      doc: "The state to bring it to: rules decide, everyone passes, nobody passes, out of use. Set this or `isEnabled`.",
      serverDefault: "In Progress",
    }),
    rules: optional(z.array(gateRule), "Who passes; the first rule that matches decides.", {
      ...emptied,
      namedList: true,
    }),
    type: input(type.schema, { ...type.traits, serverDefault: "TEMPORARY" }),
    idType: input(z.string().optional(), {
      doc: "Unit id type that rules count by. A change overwrites past results, so it replaces the gate.",
      replaces: true,
      ...unitIds,
    }),
    tags: input(z.array(z.string()).optional(), tags),
    targetApps,
    measureMetricLifts: optional(z.boolean(), "Whether metric lifts are measured.", { serverDefault: true }),
    monitoringMetrics: optional(z.array(metricRef), "Metrics watched during a rollout.", set),
    reviewSettings: optional(
      z.object({
        requiredReview: flag("Whether a change in the console needs a review."),
        allowedReviewers: maybe(z.array(z.unknown()).nullable(), "Who may review.", { serverSet: true }),
      }),
      "Review of changes. Without effect when the project or team requires reviews anyway.",
      { serverDefault: { requiredReview: false, allowedReviewers: [] } },
    ),
    releasePipelineID,
    isTemplate,
    gradualRolloutStrategy: writeOnly(
      z
        .object({
          type: nested(z.enum(["gradual", "bypass"]), { doc: "Whether a rise is staged." }),
          phases: nested(z.array(stage).min(1).optional(), { doc: "The stages." }),
        })
        .optional(),
      {
        doc: "Needed where project policy refuses a sudden rise of a percentage; sent with each change of the rules.",
        wire: "gradual_rollout_strategy",
        goesWith: "rules",
      },
    ),
    ...ownership,
    ...authorship,
    ...audit,
    owner,
    holdoutIDs,
    typeReason: moving(z.string(), "Why the console calls it stale.", "NONE"),
    checksPerHour: flagOutputs.checksPerHour,
    activeReview,
    store0100Exposures: output(z.boolean().optional(), {
      doc: "Whether exposures at 0 % and 100 % are stored.",
      volatile: true,
    }),
    permalink: flagOutputs.permalink,
  },
  routes: {
    list: route("GET", "/gates", "items", "All gates; archived ones only on request.", { query: listQuery }),
    create: route("POST", "/gates", "item", "Makes a gate.", {
      op: 11,
      status: 201,
      body: { except: ["status"] },
    }),
    get: route("GET", item, "item", "One gate, archived or not.", { query: ["includeArchiveMetadata"] }),
    replace: route("POST", item, "item", "Replaces a gate: what is left out is dropped.", {
      body: { except: atCreation, requires: ["isEnabled", "description", "rules"] },
    }),
    patch: route("PATCH", item, "item", "Changes what the body names.", { body: { except: atCreation } }),
    delete: route("DELETE", item, "message", "Removes a gate for ever, with its history."),
    ...stateRoutes(item),
    ...gateReviews(item),
    launch: route("PUT", `${item}/launch`, "item", "Everyone passes; the rules are passed over."),
    listRules: route("GET", `${item}/rules`, "item", "The rules.", { returnsKind: "ruleList" }),
    addRule: route("POST", `${item}/rule`, "item", "Appends a rule.", { body: { schema: gateRule } }),
    patchRule: route("PATCH", rule, "item", "Changes one rule, by its id or base id.", {
      body: { schema: gateRule.partial() },
    }),
    deleteRule: route("DELETE", rule, "item", "Removes one rule."),
    addRules: route("POST", `${item}/rules`, "item", "Appends several rules.", severalRules),
    replaceRules: route("PATCH", `${item}/rules`, "item", "Replaces all rules.", severalRules),
    ...unitOverrides(item, 201),
    listVersions: route("GET", `${item}/versions`, "items", "Earlier forms of it, newest first.", {
      op: 7,
      query: ["startDate", "endDate"],
    }),
    listDynamicConfigReferences: referring("dynamic_config", "Dynamic configs that refer to it.", {
      op: 15,
      returnsKind: "dynamicConfig",
    }),
    listExperimentReferences: referring("experiment", "Experiments that refer to it.", {
      returnsKind: "experiment",
    }),
    listGateReferences: referring("gate", "Gates that refer to it."),
    ...pulse,
  },
  whenGone: "nobody passes",
  lifecycle: {
    ...keyed,
    update: [
      // A launched gate shows isEnabled: false, so a body that says so changes nothing: the action does.
      {
        how: "move",
        field: "isEnabled",
        to: { false: "disable" },
        when: { field: "status", is: "Launched" },
      },
      { how: "elements", field: "rules", id: "id", add: "addRule", patch: "patchRule", remove: "deleteRule" },
      { how: "patch", route: "patch" },
      {
        how: "move",
        field: "status",
        to: { "In Progress": "enable", Launched: "launch", Disabled: "disable", Archived: "archive" },
      },
    ],
    delete: {
      remove: { route: "delete", usedBy },
      archive: {
        route: "archive",
        takesReason: true,
        takesForce: true,
        users: ["listGateReferences", "listDynamicConfigReferences", "listExperimentReferences"],
      },
      keptWhileUsed: { ...usedBy, ways: ["archive", "delete"] },
      onDeleteDefault: "archive",
    },
    archived: { field: "status", is: "Archived", undo: "unarchive" },
    staging: stagedByPipeline("gateID"),
    reviews: { ...flagReviews({ rules: rulesMember }), cancel: "deleteReview" },
  },
  exclusive: [
    ["isEnabled", "status"],
    ["team", "teamID"],
  ],
  forms: { "tags[]": withoutStar, "rules[]": canonicalRule, "rules[].conditions[]": canonicalCondition },
  view: viewGate,
  problems: ruleProblems,
  warnings: (olds, news) => [...ruleWarnings(olds, news), ...stagedTwice(news)],
  refusable: (olds, news) => [...risesAtOnce(olds, news), ...templateChange(olds)],
});

/** `isEnabled` is false for a launched gate, which a program would call on; a stale gate was declared temporary. */
function viewGate(live: JsonObject): JsonObject {
  const isEnabled = live.status === "Launched" ? true : live.isEnabled;
  return { ...live, isEnabled, type: live.type === "STALE" ? "TEMPORARY" : live.type };
}
