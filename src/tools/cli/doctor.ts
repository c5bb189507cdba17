import type { ParseArgsConfig } from "node:util";
import { jsonText } from "../../provider/texts/issue-text";
import { type CheckResult, checks, examine, pulumiIn, purposeOf, resultText, summaryText } from "../doctor";
import { isAliveHere } from "../stack/stack-lock";
import { type Command, parseArguments, UsageError } from "./command";
import { versions } from "./versions";

const options = {
  stack: { type: "string" },
  for: { type: "string", default: "preview" },
  json: { type: "boolean", default: false },
} as const satisfies ParseArgsConfig["options"];

const help = `Usage: feature-console doctor [options]

Looks at everything that a run needs: Node, Pulumi, the folder of the project, settings, the way to the console, the key, the
stack and its state. Each line is ok, a warning, failed, or not tried, with the command to type. Run it in the folder of the Pulumi
project. It writes nothing, neither to the console nor to state nor to disk.

  --stack NAME          The stack. Default: the selected one
  --for COMMAND         The use of the key: preview (default) or up, for which a key that may not write fails
  --json                Print JSON
  --help                This text

Exit status: 0 nothing has failed; 1 something has; 2 wrong usage.
`;

const nameWidth = Math.max(...checks.map(({ name }) => name.length));

/** Tells what is not as a run needs it, and what to type. */
export const doctor: Command = {
  summary: "Check machine, project, settings, key, console and stack, and print the commands to type.",
  help,
  async run(args) {
    const { values } = parseArguments({ args: [...args], options, allowPositionals: false });
    const { stack, json } = values;
    const purpose = purposeOf(values.for);
    if (purpose === undefined)
      throw new UsageError(`--for takes preview or up, not ${JSON.stringify(values.for)}`);
    const folder = process.cwd();
    const tell = (result: CheckResult) => process.stdout.write(json ? "" : resultText(result, nameWidth));
    const results = await examine(
      {
        ...{ folder, stack, purpose, versions: versions(), isAlive: isAliveHere },
        environment: process.env,
        pulumi: pulumiIn(folder, process.env),
        node: process.versions.node,
        now: Date.now,
      },
      tell,
    );
    process.stdout.write(json ? jsonText({ checks: results }) : summaryText(results));
    return results.some(({ verdict }) => verdict === "failed") ? 1 : 0;
  },
};
