import { setTimeout } from "node:timers/promises";
import { reviewsReport, stackReviews } from "../drift";
import { defineCommand, formatOptions, portsOf, printReport, stackOption, UsageError } from "./command";

export const reviews = defineCommand({
  name: "reviews",
  about:
    'Lists the reviews that this stack has opened, because reviews is "open" and a change needs an approval. Run it in the folder of the Pulumi project. Without --wait it writes nothing; a read-only key is enough.',
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
