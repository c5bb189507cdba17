export { historyInStack } from "./history-in-stack";
export { historyReport } from "./history-report";
export { momentOf } from "./moment";
export { resourceNamed } from "./named-resource";
export { fixedObstacle, isHeld, type Obstacle, stateObstacles } from "./obstacles";
export { type PlannedRollback, plannedRollback, type RollbackPorts } from "./rollback-in-stack";
export { rollbackReport } from "./rollback-report";
