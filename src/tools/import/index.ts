export { commandSettings, consoleOf, requireEmbeddedConsole } from "./console";
export { importProject } from "./import-project";
export { type LanguageName, languages } from "./program-language";
export { progressLines } from "./reading";
export { importReport } from "./report";
export { kindNamed, kindsNamed } from "./selection";
export { consolesIn } from "./target-stack";
