export { writeWholeFile } from "../pulumi/whole-file";
export { compilerOf } from "./compiler";
export { compareStack, type Findings } from "./drift";
export { Consoles, explicitSettings } from "./live";
export { outcomeText, reportJson, reportText } from "./report";
export { positionOf, providerUrn, type Resource, resourcesOf } from "./resources";
export { projectFolder, sourcesIn } from "./source-files";
export {
  type Exported,
  type ExportedResource,
  type ExportedStack,
  exportedStacks,
  pulumiIn,
  type Stack,
  stackOf,
} from "./stack";
export { acceptedInto, namedUrns, patchText, settle } from "./take-over";
export { isDrift } from "./three-ways";
