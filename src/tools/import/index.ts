export { consoleOf, requireEmbeddedConsole } from "./console";
export { type Imported, type ImportOptions, importProject } from "./import-project";
export { groupings } from "./program/groups";
export { type LanguageName, languages } from "./program-language";
export { progressLines } from "./progress";
export { reportJson, reportLines } from "./report";
export { kindsNamed } from "./selection";
export { consolesIn } from "./target-stack";
