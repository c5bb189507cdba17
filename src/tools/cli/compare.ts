import type { ParseArgsConfig } from "node:util";
import { jsonText, visibleLines } from "../../provider/texts/issue-text";
import { areSame, differencesText, stackDifferences } from "../review";
import { exportedStacks, pulumiIn } from "../stack/stack";
import { type Command, oneOf, parseArguments, report, UsageError } from "./command";

const options = {
  json: { type: "boolean", default: false },
  format: { type: "string", default: "text" },
} as const satisfies ParseArgsConfig["options"];

const formats = ["text", "markdown", "json"] as const;

const help = `Usage: feature-console compare STACK STACK [options]

Describes how the flags of two stacks differ, from the first to the second: objects in one stack only, users of each flag, other
values and states. Run it in the folder of the Pulumi project. It reads the state of both stacks, no console, and writes nothing; \`pulumi refresh\` brings what was changed in a console into the state.

  --format FORMAT       ${formats.join(", ")}. Default: text
  --json                The same as --format json
  --help                This text

Exit status: 0 they are the same; 7 they differ; 1 it failed; 2 wrong usage.
`;

/** Exit status where the stacks differ, as that of `drift`. */
const differ = 7;

/** Tells how two stacks differ. */
export const compare: Command = {
  summary: "Describe how the flags of two stacks differ.",
  help,
  async run(args) {
    const { from, to, format } = readOptions(args);
    const run = pulumiIn(process.cwd());
    report(`Reading the state of ${from} and ${to} ...`);
    const [one, other] = await exportedStacks(run, [from, to]);
    if (one === undefined || other === undefined) throw new Error("a stack has no state");
    const differences = stackDifferences(one, other);
    const text =
      format === "json" ? jsonText(differences) : differencesText(differences, format === "markdown");
    process.stdout.write(visibleLines(text));
    return areSame(differences) ? 0 : differ;
  },
};

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArguments({ args: [...args], options, allowPositionals: true });
  const [from, to, another] = positionals;
  if (from === undefined || to === undefined || another !== undefined)
    throw new UsageError(
      `two stacks are needed, found ${positionals.length}: feature-console compare dev prod`,
    );
  return { from, to, format: oneOf("format", values.json ? "json" : values.format, formats) };
}
