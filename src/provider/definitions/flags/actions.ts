import { z } from "zod";
import { defineAction } from "../../schema/action";
import { output } from "../../schema/field";
import { gate } from "./gate";
import { releasePipeline } from "./release-pipeline";
import { releasePipelineTrigger } from "./release-pipeline-trigger";

const id = z.string().min(1);
const release = {
  schema: id,
  doc: "Id of the release pipeline trigger: `pulumi up` reports it where a change waits, and `listReleasePipelineTriggers({ gateID })` finds it.",
  refersTo: "releasePipelineTrigger",
};
const phase = {
  schema: id,
  doc: "Id of the phase that is meant, the trigger's `currentPhaseID`; the console refuses any other.",
};
const outputs = {
  status: output(z.string().optional(), { doc: "State right after." }),
  currentPhaseID: output(z.string().nullable().optional(), {
    doc: "Id of the phase that is current right after.",
  }),
};
const { routes } = releasePipelineTrigger;

/** A release shows the phase that it is in; its pipeline has them all. */
const stages = {
  title: "phases",
  status: "status",
  current: { id: "currentPhaseID", name: "currentPhase" },
  route: releasePipeline.routes.get,
  params: { id: "releasePipelineID" },
  list: "phases",
};

/** Parts of every action on a release: it tells by a read whether it was carried out already. */
const onRelease = { outputs, read: routes.get, params: { id: "trigger" }, stages } as const;
const onPhase = {
  ...onRelease,
  stages: { ...stages, argument: "phaseID" },
  inputs: { trigger: release, phaseID: phase },
  body: ["phaseID"],
} as const;
const onWhole = { ...onRelease, inputs: { trigger: release }, body: [] } as const;

/** Approves a phase of a release (operation 18). Source: console-api/delivery.md, section 4. */
export const releaseApproval = defineAction({
  ...onPhase,
  kind: "ReleaseApproval",
  name: "releaseApproval",
  title: "release approval",
  doc: "Approves a phase of a release once. A phase that is approved already is left alone.",
  id: "{trigger}:approved:{phaseID}",
  route: routes.approve,
  done: { list: "actions", where: { type: "APPROVED_FOR", phaseID: "{phaseID}" } },
});

/** Skips the rest of a phase. */
export const releaseSkip = defineAction({
  ...onPhase,
  kind: "ReleaseSkip",
  name: "releaseSkip",
  title: "release skip",
  doc: "Goes on to the next phase of a release without waiting. A phase that was skipped already is left alone.",
  id: "{trigger}:skipped:{phaseID}",
  route: routes.skip,
  done: { list: "actions", where: { type: "SKIPPED", phaseID: "{phaseID}" } },
});

/** Releases everything now. */
export const releaseRollout = defineAction({
  ...onWhole,
  kind: "ReleaseRollout",
  name: "releaseRollout",
  title: "release rollout",
  doc: "Ends a release by releasing everything now.",
  id: "{trigger}:rolled out",
  route: routes.rollout,
  done: { list: "actions", where: { type: "FULL_ROLL_OUT" } },
});

/** Ends a release as it stands. */
export const releaseAbort = defineAction({
  ...onWhole,
  kind: "ReleaseAbort",
  name: "releaseAbort",
  title: "release abort",
  doc: "Ends a release as it stands.",
  id: "{trigger}:aborted",
  route: routes.abort,
  done: { list: "actions", where: { type: "ABORTED" } },
});

/** Launches a gate. Source: console-api/gates-configs.md, section 1.4. */
export const gateLaunch = defineAction({
  kind: "GateLaunch",
  name: "gateLaunch",
  title: "gate launch",
  doc: "Launches a gate once: everyone passes. A gate of the same program sets `status` instead.",
  inputs: { gate: { schema: id, doc: "Id of the gate.", refersTo: "gate" } },
  outputs: { status: outputs.status },
  id: "{gate}:launch",
  route: gate.routes.launch,
  params: { id: "gate" },
  body: [],
});
