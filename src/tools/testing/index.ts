/** Unit tests of programs and of their flags: Pulumi's mocks, with this package's own checks and a console in memory. */
import "../../node-guard";

export type { Seed } from "../../emulator";
export type {
  ConfigAnswer,
  Decision,
  Flags,
  FlagUser,
  GateAnswer,
  LayerAnswer,
  SdkClient,
  Share,
  UnmetRule,
} from "../../emulator/evaluation";
export { type FlagOptions, flagsOf, type Program } from "./flags-of";
export { type MockOptions, mocks, outputValue, resourcesMade } from "./program-mocks";
