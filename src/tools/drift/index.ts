export type { Acceptance } from "./accept";
export { type Comparison, type Difference, isDrift, isSecret, type NewValue } from "./comparison";
export { compareStack, type Findings } from "./drift";
export { explainReport, explainStack } from "./explain";
export { Consoles, type DriftPorts, type ReadStack, readStack } from "./live";
export { reviewsReport, stackReviews } from "./open-reviews";
export { driftReport, objectOf, outcomeText, refusedPart } from "./report";
export { intoProgramOrSettings, type SettingsPorts } from "./settings/into-settings";
export {
  type ChangeableSettings,
  type SettingsFile,
  settingsBetween,
  settingsIn,
} from "./settings/settings-file";
export { sourcesIn } from "./source/compiler";
export type { Outcome } from "./source/edits";
export {
  acceptedInto,
  namedUrns,
  type ProgramPorts,
  patchText,
  programIn,
  settle,
  withIds,
  writeProgram,
} from "./take-over";
