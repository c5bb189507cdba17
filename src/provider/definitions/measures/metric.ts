import { z } from "zod";
import { defineResource } from "../../schema/define";
import { fieldNames, input, nested, optional } from "../../schema/field";
import { route } from "../../schema/verbs";
import {
  audit,
  creator,
  isReadOnly,
  isVerified,
  ownedByKey,
  ownership,
  tags,
  withoutStar,
  writableOwner,
} from "../parts/audit-fields";
import { experimentFilters } from "../parts/experiments/experiment-routes";
import { plainLifecycle } from "../parts/lifecycle";
import { makeup, makeupProblems, makeupWarnings } from "../parts/metric-makeup";
import { description, limitedName } from "../parts/names";
import { blanked, moving, textOrNone } from "../parts/traits";
import { warehouseNative, withBothForms } from "../parts/warehouse-native";

const item = "/metrics/{id}";
const { version: _uncounted, ...times } = audit;

const types = [
  ...["sum", "mean", "ratio", "event_count_custom", "event_user", "funnel", "composite", "composite_sum"],
  ...["user_warehouse", "undefined", "percentile", "latest_value"],
];

/** The owner has one member more than that of other kinds. */
const ownerName = textOrNone("Name of the owner, once more.");

const named = (refersTo: string) => nested(z.array(z.string()), { refersTo });

/** A metric: what results are measured by. Source: console-api/metrics.md, section 1. */
export const metric = defineResource({
  kind: "Metric",
  name: "metric",
  title: "metric",
  doc: "A number that results are measured by, made of events, of other metrics or of the warehouse.",
  identity: { how: "template", template: "{name}::{type}" },
  fields: {
    name: optional(
      limitedName(/^[a-zA-Z0-9_.\-()/ %:]*$/, 200),
      "Names it together with `type`. Left out: the resource name.",
      { replaces: true },
    ),
    type: input(z.enum(types), { doc: "How it is calculated.", replaces: true }),
    description: input(description.optional(), { doc: "Its purpose.", ...blanked }),
    directionality: optional(z.enum(["increase", "decrease"]), "Which direction is good.", {
      always: true,
      serverDefault: "increase",
    }),
    unitTypes: optional(
      z.array(z.string()),
      "Unit id types that it is calculated for, for example `userID`.",
      { refersTo: "unitIdType", unordered: true, clearWith: [] },
    ),
    ...makeup,
    warehouseNative: input(warehouseNative.optional(), {
      doc: "How it is calculated in the warehouse. Members that the program does not set stay as they are.",
    }),
    scheduledReloadHour: optional(z.int().min(0).max(23).nullable(), "UTC hour at which it is calculated.", {
      clearWith: null,
    }),
    scheduledReloadDays: input(z.array(z.int().min(0).max(6)).nullable().optional(), {
      doc: "Days on which it is calculated, 0 is Sunday; cleared: every day.",
      unordered: true,
      clearWith: null,
    }),
    isVerified,
    isReadOnly,
    isPermanent: input(z.boolean().optional(), {
      doc: "Whether it is protected from deletion: destroy fails until it is set to `false`.",
      serverDefault: false,
    }),
    tags: input(z.union([z.array(z.string()), z.string()]).optional(), {
      ...tags,
      sameAs: "string-or-array",
    }),
    ...ownership,
    ...times,
    creatorEmail: creator.creatorEmail,
    isHidden: moving(z.boolean(), "Left out of lists.", false),
    lineage: moving(
      z.object({ events: named("event"), metrics: named("metric") }),
      "Events and metrics that it is made of.",
      { events: [], metrics: [] },
    ),
    owner: writableOwner({ name: ownerName }, { ...ownedByKey, name: "CONSOLE API" }),
  },
  routes: {
    list: route("GET", "/metrics/list", "items", "All metrics; archived ones on request.", {
      query: ["showHiddenMetrics", "tags", "filters"],
    }),
    create: route("POST", "/metrics", "item", "Makes a metric.", {
      status: 201,
      body: { except: ["owner"], requires: ["name", "type"] },
      dryRun: true,
    }),
    get: route("GET", item, "item", "One metric."),
    getByNameAndType: route("GET", "/metrics/{name}/{type}", "item", "The same, by name and type."),
    update: route("POST", item, "item", "Changes what the body names.", {
      body: { except: ["type", ...fieldNames(makeup)] },
      dryRun: true,
    }),
    delete: route("DELETE", item, "message", "Removes a metric for ever."),
    scheduleArchive: route("PUT", `${item}/schedule_archive`, "message", "Archives it the next day."),
    cancelArchive: route("PUT", `${item}/cancel_archive`, "message", "Takes that back before it happens."),
    unarchive: route("PUT", `${item}/unarchive`, "message", "Brings an archived metric back."),
    reload: route("POST", `${item}/reload`, "message", "Calculates it anew.", { query: ["incremental"] }),
    listExperiments: route("GET", `${item}/experiments`, "items", "Experiments that measure it.", {
      returnsKind: "experiment",
      query: experimentFilters,
    }),
    getSql: route("GET", `${item}/sql`, "item", "The query behind it.", { returnsKind: "metricSql" }),
  },
  lifecycle: {
    ...plainLifecycle({ how: "patch", route: "update" }),
    delete: {
      remove: { route: "delete" },
      why: "Archiving is not offered: it takes effect the next day and no read shows it, so a revived metric would look like one about to go.",
      onDeleteDefault: "delete",
    },
  },
  exclusive: [["team", "teamID"]],
  forms: { "tags[]": withoutStar },
  ofConsole: ({ type }) => type === "event_count" || type === "event_dau",
  view: (live) => ({ ...live, warehouseNative: withBothForms(live.warehouseNative) }),
  problems: makeupProblems,
  warnings: makeupWarnings,
});
