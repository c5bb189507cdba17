export { compilerOf } from "./compiler";
export { compareStack, type Findings } from "./drift";
export { outcomeText, reportJson, reportText } from "./report";
export { projectFolder, replaceFile, sourcesIn } from "./source-files";
export { pulumiIn, type Stack, stackOf } from "./stack";
export { acceptedInto, namedUrns, patchText, settle } from "./take-over";
export { isDrift } from "./three-ways";
