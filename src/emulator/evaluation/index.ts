export { inDraw, withDraws } from "./draws";
export { embeddedDocument, embeddedFile } from "./embedded";
export { type Flags, flagsOn, type Share, shareOf } from "./flags";
export { askersOf, rebaseSpecs } from "./rebase-specs";
export { documentFrom } from "./sdk";
export { SdkWorker } from "./sdk-worker";
export {
  askedFrom,
  called,
  doubtOf,
  drawnByNames,
  environmentsOf,
  type Kind,
  kinds,
  listOf,
  type Spec,
  type SpecDocument,
  segmentsInFiles,
  specsOfKind,
  titleOf,
} from "./specs";
export { countsOf, type Evaluation, evaluate } from "./table";
export type { Answers, Flag } from "./tasks";
export type {
  ConfigAnswer,
  Decision,
  FlagUser,
  GateAnswer,
  LayerAnswer,
  SdkClient,
  UnmetRule,
} from "./types";
export { labelOf, readAllUsers, readUser, readUsers } from "./users";
