import { z } from "zod";
import { defineResource } from "../../schema/define";
import { input, optional, output } from "../../schema/field";
import { route } from "../../schema/verbs";
import {
  audit,
  authorship,
  holdoutIDs,
  ownership,
  tags,
  targetApps,
  withoutStar,
  writableOwner,
} from "../parts/audit-fields";
import { canonicalCondition } from "../parts/condition";
import { codeKey, flagFields, flagOutputs, stagedByPipeline } from "../parts/flag-fields";
import { keyed } from "../parts/lifecycle";
import { description, dottedKey, dottedName } from "../parts/names";
import { configReviews } from "../parts/review";
import { defaultValueMember, flagReviews, rulesMember } from "../parts/review-changes";
import { stateRoutes } from "../parts/routes";
import { canonicalRule, configRule, ruleProblems, ruleWarnings, templateChange } from "../parts/rule";
import { blanked, emptied, unitIds } from "../parts/traits";

const item = "/dynamic_configs/{id}";
const rule = `${item}/rule/{ruleId}`;
const atCreation = ["key", "isTemplate", "status"] as const;
const { type, releasePipelineID, isTemplate } = flagFields("config");

/** A dynamic config: a JSON value that rules choose. Source: console-api/gates-configs.md, section 2. */
export const dynamicConfig = defineResource({
  kind: "DynamicConfig",
  name: "dynamicConfig",
  title: "dynamic config",
  doc: "A JSON value that rules choose.",
  identity: { how: "key", argument: "key" },
  fields: {
    key: codeKey(dottedKey.optional()),
    name: input(dottedName.optional(), { doc: "Shown in the console. Left out: the `key`." }),
    description: input(description.optional(), { doc: "Its purpose.", ...blanked }),
    isEnabled: optional(z.boolean(), "Off: every unit gets the default value. Set this or `status`.", {
      isSwitch: true,
      always: true,
      serverDefault: true,
    }),
    status: input(z.enum(["Enabled", "Disabled", "Archived"]).optional(), {
      doc: "The state to bring it to. Set this or `isEnabled`.",
      serverDefault: "Enabled",
    }),
    rules: optional(z.array(configRule), "Which value a unit gets; the first rule that matches decides.", {
      ...emptied,
      namedList: true,
    }),
    defaultValue: optional(
      z.record(z.string(), z.unknown()),
      "The value where no rule matches: a JSON object. Set this or `defaultValueJson5`.",
      { sameAs: "opaque", serverDefault: {}, typedByProgram: "whole" },
    ),
    defaultValueJson5: input(z.string().optional(), {
      doc: "The same as JSON5 text, with comments. Set this or `defaultValue`.",
      sameAs: "json5",
      aliasOf: "defaultValue",
    }),
    schema: input(z.string().nullable().optional(), {
      doc: "JSON Schema 2020-12, as text, that every value must satisfy. Set this or `schemaJson5`.",
      sameAs: "json",
      clearWith: null,
    }),
    schemaJson5: optional(z.string().nullable(), "The same as JSON5 text. Set this or `schema`.", {
      sameAs: "json5",
      clearWith: null,
      aliasOf: "schema",
    }),
    idType: input(z.string().optional(), { doc: "Unit id type that rules count by.", ...unitIds }),
    tags: input(z.array(z.string()).optional(), tags),
    targetApps,
    releasePipelineID,
    isTemplate,
    ...ownership,
    ...authorship,
    owner: writableOwner(),
    type,
    ...audit,
    holdoutIDs,
    checksPerHour: flagOutputs.checksPerHour,
    typeReason: output(z.string().optional(), { doc: "Why the console calls it stale.", volatile: true }),
    isPermanent: output(z.boolean().optional(), { doc: "Whether it is meant to stay.", volatile: true }),
    permalink: flagOutputs.permalink,
  },
  routes: {
    list: route("GET", "/dynamic_configs", "items", "All dynamic configs.", {
      query: ["releasePipelineID", "creatorName", "creatorID", "tags"],
    }),
    create: route("POST", "/dynamic_configs", "item", "Makes a dynamic config.", {
      status: 201,
      body: { except: ["status", "type"], requires: ["name"] },
      dryRun: "query",
    }),
    get: route("GET", item, "item", "One dynamic config, archived or not.", { op: 14 }),
    replace: route("POST", item, "item", "Replaces a dynamic config: what is left out is dropped.", {
      body: { except: atCreation, requires: ["isEnabled", "description", "rules"] },
    }),
    patch: route("PATCH", item, "item", "Changes what the body names.", {
      body: { except: atCreation },
      dryRun: "query",
    }),
    delete: route("DELETE", item, "message", "Removes a dynamic config for ever, with its history."),
    ...stateRoutes(item, 2),
    ...configReviews(item),
    listRules: route("GET", `${item}/rules`, "items", "The rules.", {
      op: 8,
      returnsKind: "dynamicConfigRule",
    }),
    getRule: route("GET", rule, "item", "One rule.", { returnsKind: "dynamicConfigRule" }),
    patchRule: route("PATCH", rule, "item", "Changes one rule; answers the whole config.", {
      body: { schema: configRule.partial() },
      dryRun: "query",
    }),
    deleteRule: route("DELETE", rule, "item", "Removes one rule; answers the whole config.", { op: 13 }),
    listVersions: route("GET", `${item}/versions`, "items", "Earlier forms of it, newest first.", { op: 6 }),
  },
  whenGone: "its rules count no more, and code may fall back to its own value",
  lifecycle: {
    ...keyed,
    update: [
      { how: "elements", field: "rules", id: "id", patch: "patchRule", remove: "deleteRule" },
      { how: "patch", route: "patch" },
      { how: "move", field: "status", to: { Enabled: "enable", Disabled: "disable", Archived: "archive" } },
    ],
    delete: {
      remove: { route: "delete" },
      archive: { route: "archive", takesReason: true, takesForce: true },
      onDeleteDefault: "archive",
    },
    archived: { field: "status", is: "Archived", undo: "unarchive" },
    staging: stagedByPipeline("dynamicConfigID"),
    reviews: {
      ...flagReviews({ rules: rulesMember, defaultValue: defaultValueMember }),
      barred: ["team", "defaultValueJson5"],
    },
  },
  exclusive: [
    ["isEnabled", "status"],
    ["team", "teamID"],
    ["defaultValue", "defaultValueJson5"],
    ["schema", "schemaJson5"],
  ],
  forms: { "tags[]": withoutStar, "rules[]": canonicalRule, "rules[].conditions[]": canonicalCondition },
  // A nightly job calls a temporary config stale.
  view: (live) => ({ ...live, type: live.type === "STALE" ? "TEMPORARY" : live.type }),
  problems: ruleProblems,
  warnings: ruleWarnings,
  refusable: templateChange,
});
