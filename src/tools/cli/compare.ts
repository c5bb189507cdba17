import { jsonText, visibleLines } from "../../provider/texts/issue-text";
import { areSame, differencesText, stackDifferences } from "../review";
import { exportedStacks, pulumiIn } from "../stack/stack";
import { defineCommand, report } from "./command";

export const compare = defineCommand({
  name: "compare",
  about: `Describes how the flags of two stacks differ, from the first to the second: objects in one stack only, users of each flag, other values and states. Run it in the folder of the Pulumi project. It reads the state of both stacks, no console, and writes nothing; \`pulumi refresh\` brings what was changed in a console into the state.`,
  parameters: {
    FROM: "The first stack",
    TO: "The second stack",
    "--format text|markdown|json": "Default: text",
    "--json": "The same as --format json",
  },
  exit: { 0: "they are the same", 7: "they differ" },
  async run({ FROM: from, TO: to, format, json }) {
    report(`Reading the state of ${from} and ${to} ...`);
    const [one, other] = await exportedStacks(pulumiIn(process.cwd()), [from, to]);
    if (one === undefined || other === undefined) throw new Error("a stack has no state");
    const differences = stackDifferences(one, other);
    const text =
      json || format === "json" ? jsonText(differences) : differencesText(differences, format === "markdown");
    process.stdout.write(visibleLines(text));
    return areSame(differences) ? 0 : 7;
  },
});
