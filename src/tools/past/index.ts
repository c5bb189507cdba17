export { historyInStack } from "./history-in-stack";
export { historyJson, historyText } from "./history-report";
export { momentOf } from "./moment";
export { UnclearName } from "./named-resource";
export { NoVersion, plannedRollback } from "./rollback-in-stack";
export { rollbackText } from "./rollback-report";
