import {
  type CheckResult,
  checks,
  doctorReport,
  examine,
  pulumiIn,
  resultRows,
  summaryText,
} from "../doctor";
import { isAliveHere } from "../stack/stack-lock";
import { defineCommand, formatOptions, printReport, stackOption, versions } from "./command";

const nameWidth = Math.max(...checks.map(({ name }) => name.length));

export const doctor = defineCommand({
  name: "doctor",
  about:
    "Looks at everything that a run needs: Node, Pulumi, the folder of the project, settings, the way to the console, the key, the stack and its state. Each line is ok, a warning, failed, or not tried, with the command to type. Run it in the folder of the Pulumi project. It writes nothing, neither to the console nor to state nor to disk.",
  examples: ["feature-console doctor", "feature-console doctor --for up --stack prod"],
  parameters: {
    ...stackOption,
    "--for preview|up":
      "The use of the key: preview (default) or up, for which a key that may not write fails",
    ...formatOptions,
  },
  exit: { 0: "nothing has failed", 1: "something has" },
  async run({ stack, for: purpose = "preview", ...output }) {
    const folder = process.cwd();
    const isText = !output.json && (output.format ?? "text") === "text";
    const tell = (result: CheckResult) => {
      if (isText) printReport({ parts: [{ rows: resultRows(result, nameWidth) }] });
    };
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
    if (isText) printReport({ parts: [summaryText(results)] });
    else printReport(doctorReport(results, nameWidth), output);
    return results.some(({ verdict }) => verdict === "failed") ? 1 : 0;
  },
});
