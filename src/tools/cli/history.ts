import { kindNamed } from "../import";
import { historyInStack } from "../past/history";
import { historyReport } from "../past/history-report";
import { defineCommand, formatOptions, portsOf, printReport, stackOption } from "./command";

export const history = defineCommand({
  name: "history",
  about:
    "Shows the life of a flag, newest change first: each version with its author, its time, and who got something else by it. Deletions come from the audit log, and so do all changes of kinds of which the console keeps no versions. Run it in the folder of the Pulumi project. It writes nothing; a read-only key is enough.",
  parameters: {
    NAME: "Its name in the program, its URN, or the id of its object",
    "--kind KIND":
      "Its kind, such as gate, where several kinds have the name. With it, NAME can also be the id of an object that is not in the stack, or that was deleted",
    ...stackOption,
    ...formatOptions,
  },
  exit: { 2: "wrong usage, or no object has this name" },
  async run({ NAME: name, kind, stack, ...output }) {
    const definition = kind === undefined ? undefined : kindNamed(kind);
    const { resource, history: found } = await historyInStack(portsOf(stack), { name, definition });
    printReport(historyReport(resource, found), output);
    return 0;
  },
});
