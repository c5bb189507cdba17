import { jsonText } from "../../provider/texts/issue-text";
import { type CheckResult, checks, examine, pulumiIn, resultText, summaryText } from "../doctor";
import { isAliveHere } from "../stack/stack-lock";
import { defineCommand, stackOption, versions } from "./command";

const nameWidth = Math.max(...checks.map(({ name }) => name.length));

export const doctor = defineCommand({
  name: "doctor",
  about:
    "Looks at everything that a run needs: Node, Pulumi, the folder of the project, settings, the way to the console, the key, the stack and its state. Each line is ok, a warning, failed, or not tried, with the command to type. Run it in the folder of the Pulumi project. It writes nothing, neither to the console nor to state nor to disk.",
  parameters: {
    ...stackOption,
    "--for preview|up":
      "The use of the key: preview (default) or up, for which a key that may not write fails",
    "--json": "Print JSON",
  },
  exit: { 0: "nothing has failed", 1: "something has" },
  async run({ stack, for: purpose = "preview", json }) {
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
});
