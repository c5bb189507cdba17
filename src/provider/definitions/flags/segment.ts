import { z } from "zod";
import { idList, mostHashes, numberOfIds } from "../../id-lists/value-type";
import { defineResource, type Problem, type Warning } from "../../schema/define";
import { input, nested, optional, output, writeOnly } from "../../schema/field";
import { isObject, type JsonObject } from "../../schema/json";
import { UNKNOWN } from "../../schema/unknown";
import { route } from "../../schema/verbs";
import { countOf } from "../../texts/count-text";
import { audit, authorship, ownership, tags, withoutStar } from "../parts/audit-fields";
import { askingFor, canonicalCondition } from "../parts/condition";
import { codeKey } from "../parts/flag-fields";
import { keyed } from "../parts/lifecycle";
import { description, plainKey, plainName } from "../parts/names";
import { commitReview } from "../parts/review";
import { canonicalRule, ruleProblems, ruleWarnings, segmentRule } from "../parts/rule";
import { emptied, moving, shownNames, unitIds } from "../parts/traits";

const item = "/segments/{id}";
const fixed = true;
const idsWrite = {
  body: { schema: z.object({ ids: z.array(z.string()).max(100_000) }) },
  limit: "ids",
} as const;
const storeWrite = {
  body: { schema: z.object({ ids: z.array(z.string()).max(1000), version: z.number().optional() }) },
  limit: "ids",
} as const;
const list = `${item}/id_list`;
const rules = z.array(segmentRule);

/** A set of ids as a program gives it. docs/id-lists.md describes the text of a file. */
const idSet = z.union([
  z.array(z.string().min(1)),
  z.object({
    file: nested(z.string().min(1), {
      doc: "Path of a text file with one id a line, from the folder of the project.",
    }),
  }),
]);

/** Which argument belongs to which type of segment. */
const contents = {
  rules: ["rule_based"],
  ids: ["id_list", "user_store_id_list"],
  removedIds: ["user_store_id_list"],
} as const;

/** Objects that may refer to a segment. */
const usedBy = { kinds: ["gate", "dynamicConfig", "segment"], conditions: askingFor("segment") };

/** A segment: a named group of units. Source: console-api/segments.md. */
export const segment = defineResource({
  kind: "Segment",
  name: "segment",
  title: "segment",
  doc: "A named group of units, by rules or by a list of ids.",
  identity: { how: "key", argument: "key" },
  fields: {
    key: codeKey(plainKey.optional(), "conditions refer to"),
    name: input(plainName.optional(), { doc: "Shown in the console. Left out: the `key`.", fixed }),
    description: input(description.optional(), { doc: "Its purpose.", fixed, serverDefault: "" }),
    type: input(z.enum(["id_list", "rule_based", "analysis_list", "user_store_id_list"]), {
      doc: "How units get in.",
      fixed,
    }),
    idType: optional(z.string(), "Unit id type of its ids. Without effect on `rule_based`.", {
      fixed,
      ...unitIds,
    }),
    tags: input(z.array(z.string()).optional(), { ...tags, fixed }),
    rules: optional(rules, "Who belongs to it; `rule_based` only.", { ...emptied, namedList: true }),
    ids: input(idSet.optional(), {
      doc: "Every id that belongs to it, in any order, or the file that holds them, one a line; `id_list` and `user_store_id_list` only. State keeps their number, and their hashes up to 24,576. Left out: the ids are managed elsewhere and stay as they are.",
      valueType: idList,
    }),
    removedIds: writeOnly(idSet.optional(), {
      doc: "The ids that left `ids`, or the file that holds them; others in it are passed over. `user_store_id_list` only: the console never lists those.",
      valueType: idList,
    }),
    team: input(z.string().nullable().optional(), { ...ownership.team.traits, fixed }),
    teamID: input(z.string().nullable().optional(), { ...ownership.teamID.traits, fixed }),
    creatorID: input(z.string().nullable().optional(), { ...authorship.creatorID.traits, fixed }),
    creatorEmail: input(z.string().nullable().optional(), { ...authorship.creatorEmail.traits, fixed }),
    ...audit,
    isEnabled: output(z.boolean(), {
      doc: "Whether it is on; the API cannot change it.",
      serverDefault: true,
    }),
    count: moving(z.number(), "Number of ids; may lag behind.", 0),
    targetApps: shownNames("Names of target apps."),
    holdoutIDs: moving(z.array(z.string()), "Holdouts that hold it.", [], { unordered: true }),
  },
  routes: {
    list: route("GET", "/segments", "items", "All segments."),
    create: route(
      "POST",
      "/segments",
      "item",
      "Makes a segment. The specification answers 200, the published service 201.",
      { op: 12, status: 201, body: { except: ["ids", "removedIds"], requires: ["name", "type"] } },
    ),
    get: route("GET", item, "item", "One segment."),
    delete: route("DELETE", item, "message", "Removes a segment for ever."),
    archive: route("PUT", `${item}/archive`, "item", "Takes it out of use; there is no way back."),
    commitReview: commitReview(item),
    setRules: route(
      "POST",
      `${item}/conditional`,
      "item",
      "Replaces the rules. The published body is a bare array; an object with `rules` is also seen.",
      { body: { schema: z.union([rules, z.object({ rules })]) } },
    ),
    getIdList: route("GET", list, "item", "The ids of an `id_list`.", { returnsKind: "idList" }),
    addIds: route("PATCH", list, "message", "Adds ids; 409 while an earlier write is applied.", idsWrite),
    removeIds: route("DELETE", list, "message", "Removes ids; the body names them.", idsWrite),
    resetIds: route("POST", `${list}/reset`, "message", "Replaces all ids; not atomic above 1000.", idsWrite),
    getIdListMetadata: route(
      "GET",
      `${item}/idlist_metadata`,
      "item",
      "Whether a write is still being applied.",
      { returnsKind: "idListMetadata" },
    ),
    addUserStoreIds: route(
      "PATCH",
      `${item}/add_ids`,
      "message",
      "Adds ids to a `user_store_id_list`.",
      storeWrite,
    ),
    removeUserStoreIds: route(
      "PATCH",
      `${item}/remove_ids`,
      "message",
      "Removes ids from a `user_store_id_list`.",
      storeWrite,
    ),
  },
  whenGone: "no unit is in it",
  lifecycle: {
    ...keyed,
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
        reset: { route: "resetIds", most: 1000 },
        chunk: 100_000,
      },
      {
        how: "ids",
        field: "ids",
        when: { field: "type", is: "user_store_id_list" },
        add: "addUserStoreIds",
        remove: "removeUserStoreIds",
        removed: "removedIds",
        chunk: 1000,
      },
    ],
    delete: {
      remove: { route: "delete", usedBy },
      archive: { route: "archive" },
      keptWhileUsed: { ...usedBy, ways: ["delete"] },
      onDeleteDefault: "delete",
    },
  },
  exclusive: [["team", "teamID"]],
  forms: { "tags[]": withoutStar, "rules[]": canonicalRule, "rules[].conditions[]": canonicalCondition },
  // The service once showed `rules` as a single object.
  view: (live) => ({ ...live, ...(isObject(live.rules) ? { rules: [live.rules] } : {}) }),
  problems: (args) => [...ruleProblems(args), ...contentProblems(args), ...storeProblems(args)],
  warnings: (olds, news) => [...ruleWarnings(olds, news), ...sizeWarnings(olds, news)],
});

/** The most ids of a list that every account may have, by the guides of the service. */
const mostIds = 10_000;

function sizeWarnings(olds: JsonObject, news: JsonObject): Warning[] {
  const [former, size] = [numberOfIds(olds.ids), numberOfIds(news.ids)];
  if (news.type !== "id_list" || size <= mostIds || former > mostIds) return [];
  const message = `${countOf(size, "id")}; lists of more than ${countOf(mostIds, "id")} are on request, and the console may refuse them`;
  return [{ path: ["ids"], message }];
}

/** No read shows the ids of a user store: only hashes in state show which ids left. */
function storeProblems({ type, ids }: JsonObject): Problem[] {
  const size = numberOfIds(ids);
  if (type !== "user_store_id_list" || size <= mostHashes) return [];
  const message = `found ${countOf(size, "id")}; the console never shows those of a user store, and state holds the hashes of at most ${countOf(mostHashes, "id")}: divide them among several segments, or leave ids out`;
  return [{ path: ["ids"], message }];
}

function contentProblems(args: JsonObject): Problem[] {
  return Object.entries(contents).flatMap(([argument, types]) => {
    if ([undefined, UNKNOWN].some((none) => args[argument] === none || args.type === none)) return [];
    if ((types as readonly unknown[]).includes(args.type)) return [];
    return [
      {
        path: [argument],
        message: `a segment of type "${String(args.type)}" has none; they belong to ${types.join(" and ")}`,
      },
    ];
  });
}
