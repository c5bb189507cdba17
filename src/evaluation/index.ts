export { Flags } from "./flags";
export { type SdkServer, startFrom, startOn } from "./sdk";
export type { Share } from "./share";
export { drawnByNames, type Kind, kinds, type SpecDocument } from "./specs";
export type { ConfigAnswer, Decision, FlagUser, GateAnswer, LayerAnswer, SdkClient } from "./types";
