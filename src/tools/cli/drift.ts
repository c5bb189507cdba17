import type { ParseArgsConfig } from "node:util";
import { visibleLines } from "../../provider/texts/issue-text";
import {
  acceptedInto,
  compareStack,
  type Findings,
  isDrift,
  namedUrns,
  outcomeText,
  patchText,
  programIn,
  reportJson,
  reportText,
  settle,
  writeProgram,
} from "../drift";
import { projectFolder } from "../stack/project";
import { pulumiIn, type Stack, stackOf } from "../stack/stack";
import { type Command, parseArguments, report, UsageError } from "./command";

const options = {
  stack: { type: "string" },
  json: { type: "boolean", default: false },
  accept: { type: "boolean", default: false },
  patch: { type: "boolean", default: false },
  refresh: { type: "boolean", default: true },
} as const satisfies ParseArgsConfig["options"];

const help = `Usage: feature-console drift [options]

Compares, for every resource of a Pulumi stack, the value applied last, the console's value and the program's value. It shows each
change with its author and time. Run it in the folder of the Pulumi project. Without --accept it writes nothing. It never writes
to the console: a read-only key is enough.

  --stack NAME          The stack. Default: the selected one
  --json                Print JSON
  --accept [NAME...]    Write the console's values into the program, and into state. With names of resources or ids of objects:
                        of these alone, at every place where console and program differ.
  --patch               Print the change of the program as a unified diff, and write nothing.
  --no-refresh          With --accept: leave the state as it is.
  --help                This text

Exit status: 0 no drift, or all of it is accepted; 7 drift; 1 it failed; 2 wrong usage.
`;

/** Exit status where the console was changed; what Pulumi's `--expect-no-changes` exits with. */
const drifted = 7;

/** Tells what was changed in the console, and takes it over into the program. */
export const drift: Command = {
  summary: "List the changes made in the console with their authors, and write them into the program.",
  help,
  async run(args) {
    const given = readOptions(args);
    // What the settings name, and the places that Pulumi notes, are seen from there.
    process.chdir(projectFolder(process.cwd()));
    const stack = stackOf(pulumiIn(process.cwd()), given.stack, report);
    const findings = await compareStack({ stack, console: { report }, progress: report });
    if (!given.accept && !given.patch) {
      process.stdout.write(visibleLines(given.json ? reportJson(findings) : reportText(findings)));
      return findings.comparisons.some(isDrift) ? drifted : 0;
    }
    return accept(stack, findings, given);
  },
};

type Given = ReturnType<typeof readOptions>;

async function accept(
  stack: Stack,
  findings: Findings,
  { names, patch, json, refresh }: Given,
): Promise<number> {
  const folder = process.cwd();
  const urns = names.length === 0 ? undefined : namedUrns(findings, names);
  if (urns !== undefined && "unknown" in urns)
    throw new UsageError(`--accept ${urns.unknown}: no resource of the stack has this name or id`);
  const program = programIn(folder);
  const acceptance = await acceptedInto(findings, program, urns);
  const { outcomes } = acceptance;
  if (patch) {
    process.stdout.write(patchText(acceptance));
    for (const outcome of outcomes) if (outcome.how === "refused") report(outcomeText(outcome));
    return findings.comparisons.some(isDrift) ? drifted : 0;
  }
  writeProgram(folder, program, acceptance);
  const found = { ...findings, outcomes };
  process.stdout.write(visibleLines(json ? reportJson(found) : reportText(found)));
  if (refresh) await settle(stack, findings, outcomes, report);
  const done = new Set(outcomes.flatMap(({ urn, how }) => (how === "accepted" ? [urn] : [])));
  for (const { urn, how } of outcomes) if (how === "refused") done.delete(urn);
  const left = findings.comparisons.filter((one) => isDrift(one) && !done.has(one.resource.urn));
  return left.length > 0 ? drifted : 0;
}

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArguments({
    ...{ args: [...args], options, allowPositionals: true, allowNegative: true },
  });
  if (positionals.length > 0 && !values.accept && !values.patch)
    throw new UsageError(`"${positionals[0]}" is no option; names of resources go with --accept or --patch`);
  if (values.patch && values.json) throw new UsageError("--patch and --json cannot go together");
  return { ...values, names: positionals };
}
