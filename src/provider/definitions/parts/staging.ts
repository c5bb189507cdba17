import type { Staging } from "../../schema/staging";

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
