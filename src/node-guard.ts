import { nodeProblem } from "./node-version";

// The first import of every entry: what is loaded after it fails on an old Node, in words that help nobody.
const problem = nodeProblem(process.versions.node);
if (problem !== undefined) {
  const error = new Error(problem);
  // Pulumi's host of dynamic providers prints an error and its stack on one line; others print the stack alone.
  error.stack = problem;
  Object.defineProperty(error, "toString", { value: () => "Error" });
  throw error;
}
