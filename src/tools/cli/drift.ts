import { setTimeout } from "node:timers/promises";
import { isDrift } from "../drift/comparison";
import { compareStack, type Findings } from "../drift/drift";
import { explainReport, explainStack } from "../drift/explain";
import { reviewsReport, stackReviews } from "../drift/open-reviews";
import { driftReport } from "../drift/report";
import { acceptedInto, namedUrns, settle } from "../drift/take-over";
import { patchText, programIn, writeProgram } from "../rewrite/into-program";
import { outcomeText, urnsOf } from "../rewrite/wish";
import type { Stack } from "../stack/stack";
import {
  defineCommand,
  formatOptions,
  type Given,
  portsOf,
  printReport,
  report,
  stackOption,
  UsageError,
} from "./command";

/** Exit status for console edits; Pulumi's `--expect-no-changes` has the same. */
const drifted = 7;

const parameters = {
  "[NAME...]":
    "With --accept or --patch: names of resources or ids of objects. Of these alone, at every place where console and program differ",
  ...stackOption,
  ...formatOptions,
  "--accept": "Write the console's values into the program, and into state",
  "--patch": "Print the change of the program as a unified diff, and write nothing",
  "--no-refresh": "With --accept: leave the state as it is",
} as const;

export const drift = defineCommand({
  name: "drift",
  about:
    "Compares, for every resource of a Pulumi stack, the value applied last, the console's value and the program's value. It shows each change with its author and time. Run it in the folder of the Pulumi project. Without --accept it writes nothing. It never writes to the console: a read-only key is enough.",
  examples: ["feature-console drift", "feature-console drift --accept checkout_v2"],
  parameters,
  exit: { 0: "no drift, or all of it is accepted", 7: "drift" },
  async run(given) {
    const { NAME: names, accept, patch, format, json } = given;
    if (names.length > 0 && !accept && !patch)
      throw new UsageError(`"${names[0]}" is no option; names of resources go with --accept or --patch`);
    if (patch && (json || format !== undefined))
      throw new UsageError("--patch and --format or --json cannot go together");
    const ports = portsOf(given.stack);
    const findings = await compareStack(ports);
    if (accept || patch) return accepted(ports.stack, findings, given);
    printReport(driftReport(findings), given);
    return findings.comparisons.some(isDrift) ? drifted : 0;
  },
});

async function accepted(stack: Stack, findings: Findings, given: Given<typeof parameters>) {
  const { NAME: names, patch } = given;
  const folder = process.cwd();
  const urns = names.length === 0 ? undefined : namedUrns(findings, names);
  const program = programIn(folder);
  const acceptance = await acceptedInto(findings, program, urns);
  const { outcomes } = acceptance;
  if (patch) {
    process.stdout.write(patchText(acceptance));
    for (const outcome of outcomes) if (outcome.how === "refused") report(outcomeText(outcome));
    return findings.comparisons.some(isDrift) ? drifted : 0;
  }
  writeProgram(folder, program, acceptance);
  printReport(driftReport({ ...findings, outcomes }), given);
  if (!given["no-refresh"]) await settle(stack, findings, outcomes, report);
  const done = urnsOf(outcomes, "accepted").difference(urnsOf(outcomes, "refused"));
  const left = findings.comparisons.filter((one) => isDrift(one) && !done.has(one.resource.urn));
  return left.length > 0 ? drifted : 0;
}

export const explain = defineCommand({
  name: "explain",
  about:
    "Explains why a preview or `drift` shows a difference, or why it shows none. For each place it prints four values: the program's, the inputs in state, the state's and the console's. It also prints who decides, by which trait, and the effect of the next `pulumi up`. Run it in the folder of the Pulumi project. It writes nothing; a read-only key is enough.",
  examples: [
    "feature-console explain checkout_v2",
    "feature-console explain checkout_v2 'rules[\"Everyone\"].passPercentage'",
  ],
  parameters: {
    RESOURCE: "Its name in the program, its URN, or the id of its object",
    "[PATH]":
      "One place, such as 'rules[\"Staff\"].passPercentage' or rules[0]: explained whether it differs or not",
    ...stackOption,
    ...formatOptions,
  },
  exit: { 0: "nothing of it differs", 7: "something does" },
  async run({ RESOURCE: name, PATH: place, stack, ...output }) {
    const explained = await explainStack(portsOf(stack), { name, place });
    printReport(explainReport(explained), output);
    return explained.some(({ differs }) => differs) ? 7 : 0;
  },
});

export const reviews = defineCommand({
  name: "reviews",
  about:
    'Lists the reviews that this stack has opened, because reviews is "open" and a change needs an approval. Run it in the folder of the Pulumi project. Without --wait it writes nothing; a read-only key is enough.',
  examples: ["feature-console reviews --stack prod", "feature-console reviews --wait"],
  parameters: {
    "--wait": "Wait until people have decided each review, and commit those that they accept",
    "--every SECONDS": "The time between two looks at the console with --wait. Default: 30",
    ...stackOption,
    ...formatOptions,
  },
  exit: { 0: "no review is open or rejected", 7: "one is" },
  async run({ wait: waits, every = "30", stack, ...output }) {
    const seconds = Number(every);
    if (!(seconds > 0 && seconds <= 86_400))
      throw new UsageError(`--every takes a number of seconds, not "${every}"`);
    const found = await stackReviews(portsOf(stack), {
      ...{ waits, betweenMs: seconds * 1000, sleep: async (ms) => void (await setTimeout(ms)) },
    });
    printReport(reviewsReport(found), output);
    return found.every(({ status }) => status === "committed") ? 0 : 7;
  },
});
