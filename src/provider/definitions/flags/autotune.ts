import { z } from "zod";
import { defineResource } from "../../schema/define";
import { input, nested, optional } from "../../schema/field";
import { route } from "../../schema/verbs";
import { audit, creator, holdoutIDs, shownTeam } from "../parts/audit-fields";
import { slugName } from "../parts/flag-fields";
import { keyed, patched, plainLifecycle } from "../parts/lifecycle";
import { blanked, maybeNumber, moving, shownNames, unitIds } from "../parts/traits";

const item = "/autotunes/{id}";
const required = [
  "variants",
  "successEvent",
  "explorationWindow",
  "attributionWindow",
  "winnerThreshold",
] as const;
/** Settable at creation, or by an action. */
const notLater = ["name", "idType", "isStarted"] as const;

const variant = z.object({
  name: nested(z.string().min(1), { doc: "Its name; unique within the autotune." }),
  json: nested(z.json(), { doc: "The value that a unit gets.", sameAs: "opaque" }),
  size: maybeNumber("Its share of units at the start."),
  id: nested(z.string().optional(), { doc: "Id of the variant.", serverSet: "identity" }),
});

/** Hours, with or without a unit behind them: the console takes and shows both. */
const hours = (numbers: readonly string[]) =>
  z.enum(numbers.flatMap((one) => [one, `${one}hr`, `${one}hrs`]));
const withoutUnit = (value: unknown) =>
  typeof value === "string" ? value.replace(/^(\d+)hrs?$/, "$1") : value;
const share = z.number().min(0.001).max(1).optional();
const text = (doc: string) => input(z.string().optional(), { doc });

/** An autotune: it finds the best of several variants by itself. Source: console-api/experiments.md, section 4. */
export const autotune = defineResource({
  kind: "Autotune",
  name: "autotune",
  title: "autotune",
  doc: "An experiment that shifts units to the best of its variants by itself.",
  identity: { how: "slug", argument: "name" },
  fields: {
    name: slugName(z.string().min(3).max(100)),
    description: input(z.string().optional(), { doc: "Its purpose.", ...blanked }),
    idType: input(z.string().optional(), { doc: "Unit id type that it counts by.", fixed: true, ...unitIds }),
    variants: input(z.array(variant).min(2), { doc: "The variants that it chooses from.", keyedBy: "name" }),
    successEvent: input(z.string(), { doc: "Name of the event that counts as success." }),
    successEventValue: input(z.string().optional(), { doc: "Value that the event must have.", ...blanked }),
    explorationWindow: input(hours(["1", "24", "48", "168", "336"]), {
      doc: "Hours in which it tries all variants alike.",
    }),
    attributionWindow: input(hours(["1", "2", "4", "24"]), {
      doc: "Time after exposure in which a success counts, in hours or in the unit of `attributionWindowUnit`.",
    }),
    attributionWindowUnit: optional(z.enum(["min", "hour", "day"]), "Unit of `attributionWindow`."),
    winnerThreshold: input(z.enum(["80%", "90%", "95%", "98%", "99%"]), {
      doc: "Probability of being the best at which it takes a winner.",
    }),
    explorationWindowRate: input(share, { doc: "Share of units in the exploration window." }),
    longtermExplorationAllocation: input(share, { doc: "Share of units that goes on exploring." }),
    metadataField: text("Key of the event's metadata whose value counts."),
    higherIsBetter: input(z.boolean().optional(), { doc: "Whether a higher value is a success." }),
    isContextual: optional(z.boolean(), "Whether the best variant may be another one for each unit."),
    metricSourceID: optional(z.string(), "Metric source whose rows count as events.", {
      refersTo: "metricSource",
    }),
    linkedExperimentName: text("Name of an experiment that it belongs to."),
    goalRichText: text("Its goal, as rich text."),
    optimizationParameter: input(z.enum(["occurrence", "value"]).optional(), {
      doc: "Whether it counts successes or adds up their values.",
    }),
    valueColumn: text("Column with the value."),
    featureList: optional(z.array(z.string()), "The attributes that a contextual autotune may use.", {
      unordered: true,
      clearWith: [],
    }),
    isStarted: input(z.boolean().optional(), {
      doc: "`true` starts it. Only a decision or a reset in the console stops a started autotune.",
      serverDefault: false,
    }),
    winner: moving(
      z.object({ id: z.string(), name: z.string() }).nullable(),
      "The variant that has won.",
      null,
    ),
    ...creator,
    ...audit,
    ...shownTeam,
    tags: shownNames("Tag names; the API cannot change them."),
    targetApps: shownNames("Names of target apps; the API cannot change them."),
    holdoutIDs,
  },
  routes: {
    list: route("GET", "/autotunes", "items", "All autotunes."),
    create: route("POST", "/autotunes", "item", "Makes an autotune.", {
      status: 201,
      body: { except: ["isStarted"], requires: ["name", ...required] },
    }),
    get: route("GET", item, "item", "One autotune."),
    replace: route("POST", item, "item", "Replaces an autotune: what is left out is dropped.", {
      body: { except: notLater, requires: required },
    }),
    patch: route("PATCH", item, "item", "Changes what the body names.", { body: { except: notLater } }),
    delete: route("DELETE", item, "message", "Removes an autotune."),
    start: route("PUT", `${item}/start`, "message", "Starts it."),
    makeDecision: route("PUT", `${item}/make_decision`, "message", "Ends it with a winner.", {
      body: {
        schema: z.object({
          id: z.string(),
          decisionReason: z.string(),
          removeTargeting: z.boolean().optional(),
        }),
      },
    }),
    reset: route("PUT", `${item}/reset`, "message", "Begins anew; refused before it was started."),
  },
  whenGone: "code falls back to its own values",
  lifecycle: {
    ...plainLifecycle(patched, { how: "move", field: "isStarted", to: { true: "start" } }),
    ...keyed,
  },
  forms: { explorationWindow: withoutUnit, attributionWindow: withoutUnit },
});
