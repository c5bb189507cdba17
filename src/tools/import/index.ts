export { consoleOf } from "./console";
export { type Imported, type ImportOptions, importProject } from "./import-project";
export { type Grouping, groupings } from "./program/groups";
export { progressLines } from "./progress";
export { reportJson, reportLines } from "./report";
export { kindsNamed } from "./selection";
