export { compareStack, type DriftPorts, type Findings } from "./drift";
export { explainJson, explainText } from "./explain-report";
export { explainStack, UnknownName } from "./explain-stack";
export { Consoles, explicitSettings } from "./live";
export { reviewsText, stackReviews } from "./open-reviews";
export { outcomeText, reportJson, reportText } from "./report";
export { sourcesIn } from "./source/source-files";
export {
  acceptedInto,
  intoProgram,
  namedUrns,
  patchText,
  programIn,
  settle,
  writeProgram,
} from "./take-over";
export { isDrift } from "./three-ways";
