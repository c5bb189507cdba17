import { z } from "zod";
import { defineAction } from "../core/action";
import { output } from "../core/field";
import { gate } from "./gate";
import { releasePipelineTrigger } from "./release-pipeline-trigger";

const id = z.string().min(1);
const release = { schema: id, doc: "Id of the release pipeline trigger." };
const phase = { schema: id, doc: "Id of the phase that is meant; the console refuses any other." };
const outputs = {
  status: output(z.string().optional(), { doc: "State right after." }),
  currentPhaseID: output(z.string().nullable().optional(), {
    doc: "Id of the phase that is current right after.",
  }),
};
const { routes } = releasePipelineTrigger;

/** Approves a phase of a release (operation 18). Source: console-api/delivery.md, section 4. */
export const releaseApproval = defineAction({
  kind: "ReleaseApproval",
  name: "releaseApproval",
  title: "release approval",
  doc: "Approves a phase of a release once. A phase that is approved already is left alone.",
  inputs: { trigger: release, phaseID: phase },
  outputs,
  id: "{trigger}:approved:{phaseID}",
  route: routes.approve,
  read: routes.get,
  params: { id: "trigger" },
  done: { list: "actions", where: { type: "APPROVED_FOR", phaseID: "{phaseID}" } },
  body: ["phaseID"],
  sample: { trigger: "trigger-1", phaseID: "phase-1" },
});

/** Skips the rest of a phase. */
export const releaseSkip = defineAction({
  kind: "ReleaseSkip",
  name: "releaseSkip",
  title: "release skip",
  doc: "Goes on to the next phase of a release without waiting. A phase that was skipped already is left alone.",
  inputs: { trigger: release, phaseID: phase },
  outputs,
  id: "{trigger}:skipped:{phaseID}",
  route: routes.skip,
  read: routes.get,
  params: { id: "trigger" },
  done: { list: "actions", where: { type: "SKIPPED", phaseID: "{phaseID}" } },
  body: ["phaseID"],
  sample: { trigger: "trigger-1", phaseID: "phase-1" },
});

/** Releases everything now. */
export const releaseRollout = defineAction({
  kind: "ReleaseRollout",
  name: "releaseRollout",
  title: "release rollout",
  doc: "Ends a release by releasing everything now.",
  inputs: { trigger: release },
  outputs,
  id: "{trigger}:rolled out",
  route: routes.rollout,
  read: routes.get,
  params: { id: "trigger" },
  done: { list: "actions", where: { type: "FULL_ROLL_OUT" } },
  body: [],
  sample: { trigger: "trigger-1" },
});

/** Ends a release as it stands. */
export const releaseAbort = defineAction({
  kind: "ReleaseAbort",
  name: "releaseAbort",
  title: "release abort",
  doc: "Ends a release as it stands.",
  inputs: { trigger: release },
  outputs,
  id: "{trigger}:aborted",
  route: routes.abort,
  read: routes.get,
  params: { id: "trigger" },
  done: { list: "actions", where: { type: "ABORTED" } },
  body: [],
  sample: { trigger: "trigger-1" },
});

/** Launches a gate. Source: console-api/gates-configs.md, section 1.4. */
export const gateLaunch = defineAction({
  kind: "GateLaunch",
  name: "gateLaunch",
  title: "gate launch",
  doc: "Launches a gate once: everyone passes. A gate of the same program says `status` instead.",
  inputs: { gate: { schema: id, doc: "Id of the gate." } },
  outputs: { status: outputs.status },
  id: "{gate}:launch",
  route: gate.routes.launch,
  params: { id: "gate" },
  body: [],
  sample: { gate: "checkout_v2" },
});
