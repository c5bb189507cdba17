import { z } from "zod";
import { type Field, nested, output } from "../../schema/field";
import type { Route } from "../../schema/verbs";
import { review, reviewer } from "../parts/review";
import { configRule, gateRule } from "../parts/rule";
import { flag, maybeFlag, maybeNumber, maybeText, number, text } from "../parts/traits";
import { experimentOverrides, gateOverrides, layerOverrides } from "./unit-overrides";

/** The lists of overrides as a read shows them: whole. */
function listsIn(fields: Readonly<Record<string, Field>>, owner: string): z.ZodType {
  const lists = Object.entries(fields).filter(([name]) => name !== owner);
  return z.object(
    Object.fromEntries(lists.map(([name, { schema, traits }]) => [name, nested(schema, traits)])),
  );
}

/**
 * Parts of answers beside objects of the kinds, by the name that a route gives in `returnsKind`. Only types come of it: an
 * answer is shown as it came. Sources: console-api/gates-configs.md, delivery.md, segments.md, schemas.json.
 */
export const answers = {
  ruleList: output(
    z.object({ rules: nested(z.array(gateRule), { doc: "In the order in which they decide." }) }),
    { doc: "The rules of a gate." },
  ),
  dynamicConfigRule: output(configRule, { doc: "A rule of a dynamic config." }),
  unitOverrideLists: output(listsIn(gateOverrides.fields, "gate"), {
    doc: "Units that always pass or fail.",
  }),
  experimentOverrideLists: output(listsIn(experimentOverrides.fields, "experiment"), {
    doc: "Units that always get a group.",
  }),
  layerOverrideLists: output(listsIn(layerOverrides.fields, "layer"), {
    doc: "Units that always get a group.",
  }),
  review: output(review, { doc: "A review of a change." }),
  reviewer: output(reviewer, { doc: "A person who may review." }),
  idList: output(
    z.object({
      name: text("Id of the segment."),
      count: number("How many ids there are."),
      ids: nested(z.array(z.string()), { doc: "The ids." }),
    }),
    { doc: "The ids of a segment." },
  ),
  idListMetadata: output(
    z.object({
      currentVersion: maybeNumber("Counts the changes."),
      isUpdating: maybeFlag("Whether a change is being carried out."),
    }),
    { doc: "The state of the ids of a segment." },
  ),
  metricSql: output(z.object({ id: maybeText("Id of the metric."), sql: maybeText("The query.") }), {
    doc: "The query behind a metric.",
  }),
  alertEvent: output(
    z.object({
      id: text("Its id."),
      eventType: nested(z.enum(["raise", "warn", "resolve", "no-data"]), { doc: "The event." }),
      title: text("In a few words."),
      message: text("In more words."),
      reason: text("Why."),
      createdTime: number("When, milliseconds since 1970."),
      evaluationWindowStartTimestamp: maybeNumber("Beginning of what was measured."),
      evaluationWindowEndTimestamp: maybeNumber("End of what was measured."),
      multiAlertGroupBys: nested(z.record(z.string(), z.string()), { doc: "The group that it is about." }),
    }),
    { doc: "Something that an alert did." },
  ),
  pulseLoadHistoryEntry: output(
    z.object({
      creatorName: maybeText("Who asked for it."),
      createdTime: number("When it began, milliseconds since 1970."),
      finishedTime: maybeNumber("When it ended, milliseconds since 1970."),
      finishedState: nested(
        z.enum(["success", "failure", "partial_failure", "cancelled", "timeout"]).optional(),
        { doc: "How it ended." },
      ),
      startDs: text("First day."),
      endDs: text("Last day."),
      reloadType: nested(z.enum(["incremental", "full", "metric"]), { doc: "The loaded data." }),
      turboMode: flag("Whether it was to be quick."),
      dagID: maybeText("Its id."),
    }),
    { doc: "A load of results." },
  ),
} as const satisfies Readonly<Record<string, Field>>;

/** The name of the answer of a route, where it is one of these. */
export function answeredType({ returnsKind = "" }: Route): keyof typeof answers | undefined {
  return Object.hasOwn(answers, returnsKind) ? (returnsKind as keyof typeof answers) : undefined;
}
