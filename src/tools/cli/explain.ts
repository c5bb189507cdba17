import { explainReport, explainStack } from "../drift";
import { defineCommand, formatOptions, portsOf, printReport, stackOption } from "./command";

export const explain = defineCommand({
  name: "explain",
  about:
    "Explains why a preview or `drift` shows a difference, or why it shows none. For each place it prints four values: the program's, the program's last one, the state's and the console's. It also prints who decides, by which trait, and the effect of the next `pulumi up`. Run it in the folder of the Pulumi project. It writes nothing; a read-only key is enough.",
  parameters: {
    RESOURCE: "Its name in the program, its URN, or the id of its object",
    "[PATH]":
      "One place, such as 'rules[\"Staff\"].passPercentage' or rules[0]: explained whether it differs or not",
    ...stackOption,
    ...formatOptions,
  },
  exit: { 0: "nothing differs", 7: "something does" },
  async run({ RESOURCE: name, PATH: place, stack, ...output }) {
    const explained = await explainStack(portsOf(stack), { name, place });
    printReport(explainReport(explained), output);
    return explained.every(({ comparison }) => comparison.what === "same") ? 0 : 7;
  },
});
