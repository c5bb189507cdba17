/** What tools beside the provider ask of kinds, rules and states: policies of a house most of all. */
import "../node-guard";

export { isObject, type JsonObject } from "../core/json";
export { ownerTagPattern } from "../core/owner";
export { type Path, pathText } from "../core/path";
export {
  type ReachChange,
  reachChanges,
  type ShadowedRule,
  shadowedRules,
  type Where,
} from "../core/reach-changes";
export { ruleChanges } from "../core/rule-changes";
export {
  type DeadRule,
  type Environments,
  environmentsOf,
  isCatchAll,
  whyNobody,
} from "../core/rule-reach";
export type { Reach } from "../core/states";
export { holdsUnknown, UNKNOWN } from "../core/unknown";
export { type KindFacts, kindNames, kindOfType } from "./kind-facts";
export { type StoredObject, storedObjects } from "./stored-objects";
