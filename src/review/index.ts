export { askConsole } from "./console";
export { reviewJson } from "./json";
export { type ConsoleFindings, makeReview, notAsked, stackIn, subjectsOf } from "./make-review";
export { reviewMarkdown } from "./markdown";
export { reviewPage } from "./page";
export { type PreviewResult, readPreview } from "./preview-json";
export type { Change, Review } from "./review";
export { areSame, differencesJson, differencesText, stackDifferences } from "./stack-differences";
