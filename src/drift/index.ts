export { writeWholeFile } from "../pulumi/whole-file";
export { compilerOf } from "./compiler";
export { compareStack, type Findings } from "./drift";
export { outcomeText, reportJson, reportText } from "./report";
export { projectFolder, sourcesIn } from "./source-files";
export { pulumiIn, type Stack, stackOf } from "./stack";
export { acceptedInto, namedUrns, patchText, settle } from "./take-over";
export { isDrift } from "./three-ways";
