import { areSame, compareReport, stackDifferences } from "../review";
import { enterProject } from "../stack/project";
import { exportedStacks, pulumiIn } from "../stack/stack";
import { defineCommand, formatOptions, printReport, report } from "./command";

export const compare = defineCommand({
  name: "compare",
  about: `Describes how the flags of two stacks differ, from the first to the second: objects in one stack only, users of each flag, other values and states. Run it in the folder of the Pulumi project. It reads the state of both stacks, no console, and writes nothing; \`pulumi refresh\` brings what was changed in a console into the state.`,
  examples: [
    "feature-console compare dev prod",
    "feature-console compare dev prod --format markdown > difference.md",
  ],
  parameters: { FROM: "The first stack", TO: "The second stack", ...formatOptions },
  exit: { 0: "they are the same", 7: "they differ" },
  async run({ FROM: from, TO: to, ...output }) {
    report(`Reading the state of ${from} and ${to} ...`);
    // A name with its project leads to its stack from everywhere.
    const isQualified = [from, to].every((name) => name.split("/").length > 2);
    const folder = isQualified ? process.cwd() : enterProject();
    const [one, other] = await exportedStacks(pulumiIn(folder), [from, to]);
    if (one === undefined || other === undefined) throw new Error("a stack has no state");
    const differences = stackDifferences(one, other);
    printReport(compareReport(differences), output);
    return areSame(differences) ? 0 : 7;
  },
});
