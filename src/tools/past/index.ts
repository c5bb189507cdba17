export { historyInStack } from "./history-in-stack";
export { historyJson, historyText } from "./history-report";
export { UnclearName } from "./named-resource";
