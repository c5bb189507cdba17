export { statusOf, verifyReport } from "./report";
export { questions, verify } from "./verify";
