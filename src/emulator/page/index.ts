export type { Answer, ObjectName, Question } from "./ports";
export { createConsolePage } from "./requests";
