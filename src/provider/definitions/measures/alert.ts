import { z } from "zod";
import { defineResource, type Problem } from "../../schema/define";
import { input, nested, optional, writeOnly } from "../../schema/field";
import type { JsonObject } from "../../schema/json";
import { UNKNOWN } from "../../schema/unknown";
import { route } from "../../schema/verbs";
import { alertOutputs, muteBody, unmuteBody } from "../parts/alert-outputs";
import { ownership, tags, withoutStar } from "../parts/audit-fields";
import { patched, plainLifecycle } from "../parts/lifecycle";
import { blanked, set, text } from "../parts/traits";

const item = "/alerts/{id}";
const monthMs = 2_592_000_000;

const groupBys = z.array(
  z.object({ column: text("Column that separates the groups."), key: text("Name of the group.") }),
);
const subscribers = z.array(
  z.object({
    type: nested(z.enum(["user", "slackChannel", "pagerDutyOncall", "pagerDutyService"]), {
      doc: "Type of subscriber.",
    }),
    id: text("Its id."),
  }),
);

/** An alert on a line of metrics. Source: console-api/delivery.md, section 1. */
export const alert = defineResource({
  kind: "Alert",
  name: "alert",
  title: "alert",
  doc: "A message that is sent when metrics pass a threshold.",
  identity: { how: "server", argument: "name" },
  fields: {
    name: input(z.string().min(4).max(100).optional(), {
      doc: "Shown in the console; not unique. Left out: the resource name.",
    }),
    message: input(z.string().optional(), { doc: "The text for subscribers.", ...blanked }),
    definitionMetricsJson: writeOnly(z.array(nested(z.string(), { sameAs: "json" })).optional(), {
      doc: "The metrics that it looks at, each as JSON text; `metrics` shows what the console made of them.",
      clearWith: [],
    }),
    groupBys: writeOnly(groupBys.optional(), {
      doc: "The groups that it examines separately; `metricGroupBys` shows the form that the console stores.",
      clearWith: [],
    }),
    formula: optional(z.string().nullable(), "How the metrics make one number.", { clearWith: null }),
    condition: input(
      z.enum(["greater", "greater_or_equal", "less", "less_or_equal", "equal", "not_equal"]).optional(),
      { doc: "How the number compares with the thresholds.", serverDefault: "greater" },
    ),
    alertThreshold: optional(z.number(), "The number from which it alerts.", { serverDefault: 0 }),
    warningThreshold: optional(z.number().nullable(), "The number from which it warns.", { clearWith: null }),
    windowMs: input(z.number().min(60_000).max(monthMs).optional(), {
      doc: "How far back it looks, in milliseconds: 1 minute to 30 days.",
      serverDefault: 3_600_000,
    }),
    evaluationDelayMs: input(z.number().min(0).max(monthMs).optional(), {
      doc: "How long it waits for late events, in milliseconds.",
      clearWith: 0,
      serverDefault: 0,
    }),
    priority: optional(z.string(), "How urgent it is: `P0` to `P5`. Others pass through.", {
      serverDefault: "P3",
    }),
    renotificationConditions: optional(
      z.array(z.enum(["raise", "warn", "no-data"])).nullable(),
      "States in which the message is sent again.",
      { unordered: true, clearWith: null },
    ),
    renotificationWindowMs: input(z.number().optional(), { doc: "How long until then, in milliseconds." }),
    renotificationMessage: input(z.string().optional(), { doc: "The message that is sent then." }),
    subscribers: input(subscribers.optional(), {
      doc: "Who gets the message, beside the e-mail subscribers of the console.",
      ...set,
    }),
    tags: input(z.array(z.string()).optional(), tags),
    teamID: writeOnly(ownership.teamID.schema, {
      doc: "Id of the owning team (enterprise); `team` shows its name.",
      refersTo: "team",
      owner: "team-id",
      clearWith: null,
    }),
    ...alertOutputs,
  },
  routes: {
    list: route(
      "GET",
      "/alerts",
      "items",
      "All alerts; without status, time of the last alert and silence.",
      { op: 9, query: ["creatorName", "creatorID", "tags"] },
    ),
    create: route("POST", "/alerts", "item", "Makes an alert, without thresholds and subscribers.", {
      status: 201,
      body: {
        only: ["name", "message", "teamID", "formula", "definitionMetricsJson", "groupBys"],
        requires: ["name"],
        otherForm: { tags: z.array(z.object({ id: z.string(), name: z.string() })) },
      },
    }),
    get: route("GET", item, "item", "One alert."),
    patch: route("PATCH", item, "item", "Changes what the body names; arrays are replaced whole.", {
      body: {},
    }),
    delete: route("DELETE", item, "message", "Removes an alert."),
    mute: route("POST", `${item}/mute`, "item", "Silences it, for a time or for ever.", { body: muteBody }),
    unmute: route("POST", `${item}/unmute`, "item", "Lets it speak again.", { body: unmuteBody }),
    listEvents: route("GET", `${item}/events`, "items", "What it did.", { returnsKind: "alertEvent" }),
    getEvent: route("GET", `${item}/events/{eventId}`, "item", "One thing that it did.", {
      returnsKind: "alertEvent",
    }),
  },
  lifecycle: {
    ...plainLifecycle(patched),
    read: { how: "get", route: "get", list: "list", listShowsLess: true },
  },
  forms: { "tags[]": withoutStar },
  // Reads may show null, or nothing, for no delay.
  view: (live) => ({ ...live, evaluationDelayMs: live.evaluationDelayMs ?? 0 }),
  problems: definitionProblems,
});

function definitionProblems({ definitionMetricsJson: texts }: JsonObject): Problem[] {
  if (!Array.isArray(texts)) return [];
  return texts.flatMap((text: unknown, index): Problem[] =>
    typeof text !== "string" || text.includes(UNKNOWN) || isJson(text)
      ? []
      : [{ path: ["definitionMetricsJson", index], message: "is no JSON text; use JSON.stringify" }],
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
