export { EvaluationApart } from "./apart";
export { embeddedDocument, embeddedFile } from "./embedded";
export { type Flags, flagsOn } from "./flags";
export { environmentsOf, segmentsInFiles } from "./named-in-conditions";
export { documentFrom } from "./sdk";
export type { Share } from "./share";
export { drawnByNames, kinds, type SpecDocument, specsOfKind } from "./specs";
export { countsOf, type Evaluation, evaluate, tableText } from "./table";
export type {
  ConfigAnswer,
  Decision,
  FlagUser,
  GateAnswer,
  LayerAnswer,
  SdkClient,
  UnmetRule,
} from "./types";
export { labelOf, readUser, readUsers } from "./users";
