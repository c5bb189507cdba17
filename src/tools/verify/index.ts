export { reportJson, reportLines, statusOf } from "./report";
export { questions, verify } from "./verify";
