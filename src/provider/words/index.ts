export { countOf, countText, listText } from "../texts/count-text";
export {
  argumentChangeText,
  argumentLabel,
  argumentTextsApart,
  argumentValueText,
  isHidden,
  type SecretChange,
  valueChangesBesideSecrets,
} from "./arguments";
export { clauseText, conditionText, isEverybody, type NewObjectName } from "./conditions";
export { eitherWhere, isForRest, listReach, someText, titleAt, whereReached } from "./reach-words";
export { inUseText, replacementText } from "./replacement-text";
export { type RuleRow, type RuleSide, ruleRows } from "./rule-rows";
export {
  fitInLine,
  noEffectText,
  ruleListText,
  ruleRowText,
  ruleSentences,
  sentencesText,
  sentenceText,
  unreachableText,
} from "./rule-sentences";
export { audienceText, type RuleWords, restText, ruleWords, shareText, whereText } from "./rules";
export {
  argumentText,
  failureIn,
  hiddenValue,
  nameIn,
  percentText,
  textIn,
  timeText,
} from "./text";
export { valueChanges, valueChangesText, valueText } from "./values";
