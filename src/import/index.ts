export { consoleOf } from "./console";
export { type Grouping, groupings } from "./groups";
export { type Imported, type ImportOptions, importProject } from "./import-project";
export { progressLines } from "./progress";
export { pulumiIn } from "./pulumi-command";
export { reportJson, reportLines } from "./report";
export { kindsNamed } from "./selection";
export { isAliveHere } from "./stack-lock";
