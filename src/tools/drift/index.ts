export { compareStack, type DriftPorts, type Findings } from "./drift";
export { explainJson, explainText } from "./explain-report";
export { explainStack, UnknownName } from "./explain-stack";
export { Consoles, explicitSettings } from "./live";
export { outcomeText, reportJson, reportText } from "./report";
export { compilerOf } from "./source/compiler";
export { sourcesIn } from "./source/source-files";
export { acceptedInto, namedUrns, patchText, settle } from "./take-over";
export { isDrift } from "./three-ways";
