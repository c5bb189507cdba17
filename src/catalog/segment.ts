import { z } from "zod";
import { defineResource, type Problem } from "../core/define";
import { input, output } from "../core/field";
import type { JsonObject } from "../core/json";
import { UNKNOWN } from "../core/unknown";
import { audit, authorship, ownership, tags, withoutStar } from "./parts/audit";
import { canonicalCondition } from "./parts/condition";
import { description, plainKey, plainName } from "./parts/names";
import { ruleProblems, segmentRule } from "./parts/rule";

const item = "/segments/{id}";
const fixed = true;
const idsBody = (most: number) => ({ schema: z.object({ ids: z.array(z.string()).max(most) }) });
const storeBody = { schema: z.object({ ids: z.array(z.string()).max(1000), version: z.number().optional() }) };
const list = { path: `${item}/id_list`, answers: "message" } as const;
const rules = z.array(segmentRule);

/** Which argument belongs to which type of segment. */
const contents = { rules: ["rule_based"], ids: ["id_list", "user_store_id_list"] } as const;

/** A segment: a named group of units. Source: console-api/segments.md. */
export const segment = defineResource({
  kind: "Segment",
  name: "segment",
  title: "segment",
  doc: "A named group of units, by rules or by a list of ids.",
  identity: { answers: "id", argument: "key", derived: "slug" },
  fields: {
    key: input(plainKey.optional(), { doc: "The id that conditions refer to. Left out: the resource name.", wire: "id", replaces: true }),
    name: input(plainName.optional(), { doc: "Shown in the console. Left out: the resource name.", fixed }),
    description: input(description.optional(), { doc: "What it is for.", fixed, serverDefault: "" }),
    type: input(z.enum(["id_list", "rule_based", "analysis_list", "user_store_id_list"]), { doc: "How units get in.", fixed }),
    idType: input(z.string().optional(), { doc: "Unit id type of its ids. Without effect on `rule_based`.", fixed, serverDefault: "userID" }),
    tags: input(z.array(z.string()).optional(), { ...tags, fixed }),
    rules: input(rules.optional(), { doc: "Who belongs to it; `rule_based` only.", clearWith: [], serverDefault: [] }),
    ids: input(z.array(z.string().min(1)).optional(), {
      doc: "Every id that belongs to it; `id_list` and `user_store_id_list` only. Left out: the ids are managed elsewhere and stay as they are.",
      unordered: true,
    }),
    team: input(z.string().nullable().optional(), { ...ownership.team.facts, fixed }),
    teamID: input(z.string().nullable().optional(), { ...ownership.teamID.facts, fixed }),
    creatorID: input(z.string().nullable().optional(), { ...authorship.creatorID.facts, fixed }),
    creatorEmail: input(z.string().nullable().optional(), { ...authorship.creatorEmail.facts, fixed }),
    ...audit,
    isEnabled: output(z.boolean(), { doc: "Whether it is on; the API cannot change it.", serverDefault: true }),
    count: output(z.number(), { doc: "Number of ids; may lag behind.", volatile: true, serverDefault: 0 }),
    targetApps: output(z.array(z.string()), { doc: "Names of target apps.", unordered: true, serverDefault: [] }),
    holdoutIDs: output(z.array(z.string()), { doc: "Holdouts that hold it.", unordered: true, volatile: true, serverDefault: [] }),
  },
  routes: {
    list: { method: "GET", path: "/segments", answers: "items", doc: "All segments." },
    create: {
      op: 12,
      method: "POST",
      path: "/segments",
      status: 201,
      answers: "item",
      body: { except: ["ids"], requires: ["name", "type"] },
      doc: "Makes a segment. The specification answers 200, the published service 201.",
    },
    get: { method: "GET", path: item, answers: "item", doc: "One segment." },
    delete: { method: "DELETE", path: item, answers: "message", doc: "Removes a segment for ever." },
    archive: { method: "PUT", path: `${item}/archive`, answers: "item", doc: "Takes it out of use; there is no way back." },
    setRules: {
      method: "POST",
      path: `${item}/conditional`,
      answers: "item",
      body: { schema: z.union([rules, z.object({ rules })]) },
      doc: "Replaces the rules. The published body is a bare array; an object with `rules` is also seen.",
    },
    getIdList: { ...list, method: "GET", answers: "item", of: "idList", doc: "The ids of an `id_list`." },
    addIds: { ...list, method: "PATCH", body: idsBody(100_000), doc: "Adds ids; 409 while an earlier write is applied." },
    removeIds: { ...list, method: "DELETE", body: idsBody(100_000), doc: "Removes ids; the body names them." },
    resetIds: { method: "POST", path: `${item}/id_list/reset`, answers: "message", body: idsBody(100_000), doc: "Replaces all ids; not atomic above 1000." },
    getIdListMetadata: { method: "GET", path: `${item}/idlist_metadata`, answers: "item", of: "idListMetadata", doc: "Whether a write is still being applied." },
    addUserStoreIds: { method: "PATCH", path: `${item}/add_ids`, answers: "message", body: storeBody, doc: "Adds ids to a `user_store_id_list`." },
    removeUserStoreIds: { method: "PATCH", path: `${item}/remove_ids`, answers: "message", body: storeBody, doc: "Removes ids from a `user_store_id_list`." },
  },
  lifecycle: {
    create: { how: "send", route: "create", duplicates: "refused" },
    read: { how: "get", route: "get", list: "list" },
    update: [
      { how: "value", route: "setRules", field: "rules", wrapOn400: "rules" },
      {
        how: "ids",
        field: "ids",
        when: { field: "type", is: "id_list" },
        add: "addIds",
        remove: "removeIds",
        read: { route: "getIdList", member: "ids" },
        busy: { route: "getIdListMetadata", member: "isUpdating" },
        chunk: 100_000,
      },
      {
        how: "ids",
        field: "ids",
        when: { field: "type", is: "user_store_id_list" },
        add: "addUserStoreIds",
        remove: "removeUserStoreIds",
        chunk: 1000,
      },
    ],
    delete: { remove: { route: "delete" }, archive: { route: "archive" }, whenSilent: "delete" },
  },
  exclusive: [["team", "teamID"]],
  forms: { "tags[]": withoutStar, "rules[].conditions[]": canonicalCondition },
  view: (live) => ({ ...live, ...(isOne(live.rules) ? { rules: [live.rules] } : {}) }),
  problems: (args) => [...ruleProblems(args), ...contentProblems(args)],
  samples: {
    smallest: { key: "smallest_segment", type: "rule_based" },
    fullest: {
      key: "fullest-segment_1",
      name: "Fullest segment 1",
      description: "Every field",
      type: "rule_based",
      idType: "userID",
      tags: ["beta", "staff"],
      team: "growth",
      creatorEmail: "owner@example.com",
      rules: [{ name: "Company mail", passPercentage: 99.99, conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }] }],
    },
  },
});

/** The service once showed `rules` as a single object. */
function isOne(rulesRead: unknown): boolean {
  return typeof rulesRead === "object" && rulesRead !== null && !Array.isArray(rulesRead);
}

function contentProblems(args: JsonObject): Problem[] {
  return Object.entries(contents).flatMap(([argument, types]) => {
    if ([undefined, UNKNOWN].some((none) => args[argument] === none || args.type === none)) return [];
    if ((types as readonly unknown[]).includes(args.type)) return [];
    return [{ path: [argument], message: `a segment of type "${String(args.type)}" has none; they belong to ${types.join(" and ")}` }];
  });
}
