/** Data about kinds, rules and states for tools beside the provider: policies most of all. */
import "../../node-guard";

export { ownerTagPattern } from "../../provider/decisions/owner";
export { isObject, type JsonObject } from "../../provider/schema/json";
export { type Path, pathText } from "../../provider/schema/path";
export { holdsUnknown, UNKNOWN } from "../../provider/schema/unknown";
export type { Reach } from "../../provider/values/states";
export {
  type ReachChange,
  reachChanges,
  type ShadowedRule,
  shadowedRules,
  type Where,
} from "../../provider/words/reach-changes";
export { ruleChanges } from "../../provider/words/rule-changes";
export {
  type DeadRule,
  type Environments,
  environmentsOf,
  isCatchAll,
  whyNobody,
} from "../../provider/words/rule-reach";
export { type KindFacts, kindNames, kindOfType } from "./kind-facts";
export { type StoredObject, storedObjects } from "./stored-objects";
