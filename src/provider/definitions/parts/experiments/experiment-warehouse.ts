import { z } from "zod";
import { type FieldTraits, input, maybe, nested, optional } from "../../../schema/field";
import { emptied, maybeText, number } from "../traits";
import { columnConditions } from "../warehouse-native";

const days = z.number().int().min(2);
const note = "(warehouse-native projects only).";
const text = (doc: string) => input(z.string().optional(), { doc: `${doc} ${note}` });
const clearable = (schema: z.ZodType, doc: string, traits: Partial<FieldTraits<never>> = {}) =>
  input(schema.nullable().optional(), { ...traits, doc: `${doc} ${note}`, clearWith: null });

const filter = z.object({
  column: maybeText("Column of the source."),
  condition: nested(z.enum(columnConditions), { doc: "How it is compared." }),
  values: nested(z.array(z.string()).optional(), { doc: "The group that it is compared with." }),
});

const sampling = z.object({
  status: nested(z.enum(["pending", "success", "error"]), {
    doc: "State of the sampling; `pending` at first.",
  }),
  metric: nested(z.object({ name: z.string(), startDate: z.string(), endDate: z.string() }).optional(), {
    doc: "Balanced by a metric.",
  }),
  entityPropertySource: nested(z.object({ propertySourceName: z.string(), column: z.string() }).optional(), {
    doc: "Balanced by a property.",
  }),
  csv: maybe(z.object({ original: z.string(), identifier: z.string() }), "Balanced by a file."),
});

const event = z.object({
  name: nested(z.string(), { doc: "The event." }),
  timestamp: number("When, milliseconds since 1970."),
});
const dimension = nested(
  z.object({
    name: nested(z.string(), { doc: "Name of the dimension." }),
    propertySource: maybeText("Where it comes from."),
  }),
  { sparse: true },
);

/** Sources of data, and times of its loads. Source: console-api/experiments.md, 1.2. */
export const experimentData = {
  secondaryIDType: clearable(z.string(), "A second unit id type", { refersTo: "unitIdType" }),
  identifierMappingMode: input(
    z.enum(["strictOneToOne", "firstTouchOneToMany", "lastTouchOneToMany"]).optional(),
    { doc: `How the two id types map ${note}` },
  ),
  identityResolutionSource: clearable(z.string(), "Entity property that maps ids"),
  assignmentSourceName: optional(z.string(), `Assignment source ${note}`, { refersTo: "assignmentSource" }),
  assignmentSourceExperimentName: text("Name of the experiment in the assignment source"),
  assignmentSourceFilters: optional(z.array(filter), `Which rows of the source count ${note}`, emptied),
  isAnalysisOnly: clearable(z.boolean(), "Whether it only analyses assignments made elsewhere"),
  analysisEndTime: text("When the analysis ends"),
  allocationDuration: clearable(days, "Days in which units are assigned"),
  cohortedAnalysisDuration: input(days.optional(), { doc: `Days that each unit is analysed ${note}` }),
  scheduledReloadHour: clearable(z.number().int().min(0).max(23), "UTC hour of the daily load"),
  scheduledReloadDays: input(z.array(z.number().int().min(0).max(6)).nullable().optional(), {
    doc: `Days of the load, 0 is Sunday; cleared: every day ${note}`,
    unordered: true,
    clearWith: null,
  }),
  scheduledReloadType: optional(z.enum(["full", "incremental"]), `The data to load: ${note}`),
  stratifiedSampling: input(sampling.nullable().optional(), {
    doc: "Balanced assignment. Drift can't be detected: the console moves its `status`.",
    clearWith: null,
    remembered: true,
  }),
  externalEvents: input(z.array(event).optional(), { doc: "Events to mark in results.", ...emptied }),
  userBuckets: optional(z.array(z.number().int().min(0).max(999)), "Buckets of units.", {
    unordered: true,
    ...emptied,
  }),
  preComputedUserDimensions: optional(z.array(dimension), "Dimensions calculated beforehand.", emptied),
  enabledNonProdEnvironments: optional(
    z.array(z.string()),
    "Environments beside production in which it runs.",
    { unordered: true, names: "environments", ...emptied },
  ),
};
