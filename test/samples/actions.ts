import type * as fc from "../../src/index";
import type { Samples } from "./samples";

const once = <A extends object>(args: A) => ({ smallest: args, fullest: { ...args, triggers: ["once"] } });
const release = once({ trigger: "trigger-1" });
const phase = once({ trigger: "trigger-1", phaseID: "phase-1" });

export const releaseApproval = phase satisfies Samples<fc.ReleaseApprovalArgs>;
export const releaseSkip = phase satisfies Samples<fc.ReleaseSkipArgs>;
export const releaseRollout = release satisfies Samples<fc.ReleaseRolloutArgs>;
export const releaseAbort = release satisfies Samples<fc.ReleaseAbortArgs>;
export const gateLaunch = once({ gate: "checkout_v2" }) satisfies Samples<fc.GateLaunchArgs>;

const review = "12";
const reason = "Looks right";
const ofGate = once({ gate: "checkout_v2", review, reason });
const ofConfig = once({ dynamicConfig: "checkout_v2", review, reason });
const ofExperiment = once({ experiment: "checkout_v2", review, reason });

export const gateReviewApproval = ofGate satisfies Samples<fc.GateReviewApprovalArgs>;
export const gateReviewRejection = ofGate satisfies Samples<fc.GateReviewRejectionArgs>;
export const dynamicConfigReviewApproval = ofConfig satisfies Samples<fc.DynamicConfigReviewApprovalArgs>;
export const dynamicConfigReviewRejection = ofConfig satisfies Samples<fc.DynamicConfigReviewRejectionArgs>;
export const experimentReviewApproval = ofExperiment satisfies Samples<fc.ExperimentReviewApprovalArgs>;
export const experimentReviewRejection = ofExperiment satisfies Samples<fc.ExperimentReviewRejectionArgs>;

export const gateReviewCommit = once({
  gate: "checkout_v2",
  review,
}) satisfies Samples<fc.GateReviewCommitArgs>;
export const dynamicConfigReviewCommit = once({
  dynamicConfig: "checkout_v2",
  review,
}) satisfies Samples<fc.DynamicConfigReviewCommitArgs>;
export const experimentReviewCommit = once({
  experiment: "checkout_v2",
  review,
}) satisfies Samples<fc.ExperimentReviewCommitArgs>;
