export { argumentChangeText, argumentValueText, isHidden } from "./arguments";
export { clauseText, conditionText, isEverybody, type NewObjectName } from "./conditions";
export {
  type RuleRow,
  type RuleSide,
  ruleRows,
  ruleRowText,
  unchangedText,
  type Wordings,
} from "./rule-rows";
export {
  audienceText,
  environmentsText,
  everywhere,
  type RuleWords,
  ruleWords,
  shareText,
  unitsText,
  type Wording,
} from "./rules";
export { type StateMove, stateMove } from "./states";
export {
  argumentText,
  countOf,
  countText,
  hiddenValue,
  listText,
  nameIn,
  percentText,
  textIn,
  timeText,
} from "./text";
export { groupsText, type ValueChange, valueChanges, valueChangesText, valueText } from "./values";
