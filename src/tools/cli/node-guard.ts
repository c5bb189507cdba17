import { nodeProblem } from "../../node-version";

// The first import of the command line: an error thrown here would be shown with a stack.
const problem = nodeProblem(process.versions.node);
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
