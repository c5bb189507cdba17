import { readFileSync } from "node:fs";
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";

// A process of its own: GitHub's parser is an ES module, which Jest does not load.
const problems: string[] = [];
for (const name of process.argv.slice(2)) {
  const { context, value } = parseWorkflow(
    { name, content: readFileSync(name, "utf8") },
    new NoOperationTraceWriter(),
  );
  if (value !== undefined) await convertWorkflowTemplate(context, value);
  problems.push(...context.errors.getErrors().map(({ message }) => message));
}
console.log(JSON.stringify(problems));
