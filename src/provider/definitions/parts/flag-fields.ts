import { z } from "zod";
import { input, optional, output } from "../../schema/field";
import type { Staging } from "../../schema/stages";
import { moving, nulled } from "./traits";

/** The id of an object that programs choose. `use`: its readers. */
export const codeKey = <S extends z.ZodType>(schema: S, use = "code asks for") =>
  input(schema, { doc: `The id that ${use}. Left out: the resource name.`, wire: "id", replaces: true });

/** The name of an object whose id the console makes of it. */
export const slugName = <S extends z.ZodType>(schema: S) =>
  optional(schema, "The console makes the id of it. Left out: the resource name.", { replaces: true });

/** Fields of gates and dynamic configs. `title`: in a sentence. */
export const flagFields = (title: string) => ({
  type: input(z.enum(["PERMANENT", "TEMPORARY"]).optional(), {
    doc: `Whether it is meant to stay. The console may show a temporary ${title} as stale, and a template as such.`,
    maskedBy: "TEMPLATE",
  }),
  releasePipelineID: optional(z.string().nullable(), "Release pipeline that stages changes of the rules.", {
    ...nulled,
    refersTo: "releasePipeline",
  }),
  isTemplate: optional(z.boolean(), `Whether it is a template for new ${title}s.`, {
    fixed: true,
    serverDefault: false,
  }),
});

/** Values of gates and dynamic configs that only the console sets. */
export const flagOutputs = {
  checksPerHour: moving(z.number().nullable(), "Traffic.", 0, { traffic: true }),
  permalink: output(z.string().optional(), { doc: "Its page in the console." }),
};

/** Staging of releases of gates and configs. Source: console-api/delivery.md, 4.3. `by`: the member that names the object. */
export function stagedByPipeline(by: "gateID" | "dynamicConfigID"): Staging<"releasePipelineID"> {
  return {
    field: "releasePipelineID",
    kind: "releasePipelineTrigger",
    list: "list",
    by,
    waiting: { status: "WAITING_FOR_REVIEW" },
    stage: { name: "currentPhase", id: "currentPhaseID" },
    approval: { kind: "ReleaseApproval", change: "trigger", stage: "phaseID" },
  };
}
