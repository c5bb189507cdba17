import { z } from "zod";
import { defineObject } from "../../schema/define";
import { nested, output } from "../../schema/field";
import { route } from "../../schema/verbs";
import { number } from "../parts/traits";

const item = "/release_pipeline_triggers/{id}";
const phaseBody = { schema: z.object({ phaseID: z.string() }) };
const text = z.string();

const action = z.object({
  type: nested(text, {
    doc: "`STARTED`, `ABORTED`, `PAUSED`, `UNPAUSED`, `APPROVED_FOR`, `SKIPPED`, `FULL_ROLL_OUT` or `CLEANED_UP`.",
  }),
  timeMs: number("When, milliseconds since 1970."),
  phaseID: nested(text, { doc: "Phase that it was about." }),
  actorID: nested(text, { doc: "Id of who did it." }),
  actorName: nested(text, { doc: "Name of who did it." }),
});

const phaseAction = (verb: string, doc: string) =>
  route("PUT", `${item}/${verb}`, "item", doc, { body: phaseBody });

/** One release on its way through a pipeline. Source: console-api/delivery.md, section 4. */
export const releasePipelineTrigger = defineObject({
  kind: "ReleasePipelineTrigger",
  name: "releasePipelineTrigger",
  title: "release pipeline trigger",
  doc: "One change of a gate or config on its way through the phases of a release pipeline.",
  identity: { how: "server" },
  fields: {
    releasePipelineID: output(text, { doc: "The pipeline." }),
    gateID: output(text.optional(), { doc: "The gate that changes; else it is a dynamic config." }),
    dynamicConfigID: output(text.optional(), { doc: "The dynamic config that changes." }),
    status: output(text, { doc: "`IN_PROGRESS`, `PAUSED`, `ABORTED`, `COMPLETED` or `WAITING_FOR_REVIEW`." }),
    currentPhase: output(text.nullable(), { doc: "Name of the phase it is in." }),
    currentPhaseID: output(text.nullable(), { doc: "Id of that phase; actions name it." }),
    currentPhaseEndTime: output(z.number().nullable(), {
      doc: "When the phase ends, milliseconds since 1970.",
    }),
    actions: output(z.array(action), { doc: "The steps so far." }),
    description: output(text.optional(), { doc: "The change." }),
    creatorID: output(text, { doc: "Id of who started it.", audit: "madeById" }),
    createdTime: output(z.number(), { doc: "When it started, milliseconds since 1970.", audit: "created" }),
    lastModifierID: output(text, { doc: "Id of who last acted on it." }),
    lastModifierName: output(text, { doc: "Name of who last acted on it." }),
    configSnapshotID: output(text.optional(), { doc: "The form of the gate or config that is released." }),
  },
  routes: {
    list: route("GET", "/release_pipeline_triggers", "items", "All triggers.", {
      query: ["releasePipelineID", "gateID", "dynamicConfigID", "status", "startDate", "endDate"],
    }),
    get: route("GET", item, "item", "One trigger."),
    approve: route("PUT", `${item}/approve`, "item", "Lets the phase begin that waits for a review.", {
      op: 18,
      body: phaseBody,
    }),
    pause: phaseAction("pause", "Stops the clock of the phase."),
    unpause: phaseAction("unpause", "Lets the clock of the phase run again."),
    skip: phaseAction("skip", "Goes to the next phase without waiting."),
    abort: route("PUT", `${item}/abort`, "item", "Gives the release up; the old rules stay."),
    rollout: route("PUT", `${item}/rollout`, "item", "Releases everything now."),
  },
});
