export { EvaluationApart } from "./apart";
export { askersOf, type CarriedChange, carryChange } from "./carried-change";
export { doubtOf } from "./doubts";
export { embeddedDocument, embeddedFile } from "./embedded";
export { type Flags, flagsOn } from "./flags";
export { environmentsOf, segmentsInFiles } from "./named-in-conditions";
export { documentFrom } from "./sdk";
export { type Share, shareOf } from "./share";
export {
  called,
  drawnByNames,
  type Kind,
  kinds,
  listOf,
  type Spec,
  type SpecDocument,
  specsOfKind,
  titleOf,
} from "./specs";
export { countsOf, type Evaluation, evaluate, tableText } from "./table";
export type { Answers, Flag } from "./tasks";
export { all } from "./text-parts";
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
