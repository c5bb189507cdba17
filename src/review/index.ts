export { askConsole } from "./console";
export { reviewJson } from "./json";
export { type ConsoleFindings, makeReview, notAsked, stackIn, subjectsOf } from "./make-review";
export { markdownMarker, reviewMarkdown } from "./markdown";
export { type PreviewResult, readPreview } from "./preview-json";
export type {
  Act,
  ArgumentChange,
  Change,
  Dependent,
  Fact,
  Level,
  Review,
  RuleTable,
  Statement,
} from "./review";
export {
  areSame,
  differencesJson,
  differencesText,
  type StackDifferences,
  stackDifferences,
} from "./stack-differences";
