import { withProgress } from "../../scripts/process/progress.ts";
import { flag, proofOptions, wholeNumber } from "../../scripts/prove-options.ts";
import { errorOf, tooLong } from "./announced.ts";
import { type Trial, tryLimits } from "./run.ts";

const about = "Runs the real CLI against a console with write limits, and measures how long it takes.";

const {
  n: gates,
  factor,
  stacks,
  clients,
  output,
} = proofOptions("limits", about, {
  n: wholeNumber(5000, "How many gates a stack has", 1),
  factor: wholeNumber(5, "How many times shorter the windows of the console are", 1),
  stacks: wholeNumber(1, "How many stacks run at the same time; several share a Redis", 1),
  clients: flag("Sends by one client for each stack, without Pulumi"),
  output: flag("Prints the output of each CLI, not only of those that fail"),
});
const trial: Trial = { gates, factor, stacks, clients, timeoutMs: 60 * 60_000 };

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const percent = (share: number) => `${(share * 100).toFixed(2)} %`;

/** What, figure, whether it is what it has to be. */
type Row = readonly [what: string, figure: string, good?: boolean | undefined];

function rows({ ups, seen, live, dictated }: Awaited<ReturnType<typeof tryLimits>>): Row[] {
  const took = Math.max(...ups.map(({ tookMs }) => tookMs));
  const writing = seen.lastAt - seen.firstAt;
  const refused = seen.refused / seen.writes;
  const announced = ups.flatMap((up) => up.announced);
  const wrong = errorOf(announced, seen.lastAt);
  const short = tooLong(announced, seen.lastAt).length;
  const alone = trial.stacks === 1;
  const exact = (ms: number) => `${seconds(ms)}, ${(ms / dictated.ownMs).toFixed(3)} of that`;
  return [
    ["gates", `${trial.stacks} x ${trial.gates}, windows ${trial.factor} times shorter`],
    ["each ended with", ups.map(({ code }) => code).join(", "), ups.every(({ code }) => code === 0)],
    ["writes that the console took", String(seen.writes - seen.refused - seen.failed), seen.failed === 0],
    ["writes refused with 429", `${seen.refused} (${percent(refused)})`, refused < 0.01],
    ["gates in the console", String(live.made), live.made === trial.gates * trial.stacks],
    ["gates touched after they were made", String(live.touched.length), live.touched.length === 0],
    ["dictated by the console's windows", seconds(dictated.publishedMs)],
    ["dictated by our own windows", seconds(dictated.ownMs)],
    [
      "first write to last",
      `${exact(writing)}, ${(writing / dictated.publishedMs).toFixed(3)} of the console's`,
      writing <= dictated.publishedMs * 1.1,
    ],
    ["before and after that: Pulumi itself", seconds(took - writing)],
    ["whole time", exact(took), alone ? took <= dictated.ownMs * 1.05 : undefined],
    ...[...new Set(announced.map(({ text }) => text))].map((text): Row => ["announced", text]),
    alone
      ? [
          "announced time was wrong by",
          wrong === undefined ? "nothing announced" : percent(wrong),
          wrong === undefined ? undefined : wrong <= 0.2,
        ]
      : ["announced, and took less", String(short), short === 0],
  ];
}

const all = trial.gates * trial.stacks;
const outcome = await withProgress(`pulumi up of ${all} gates`, (note) =>
  tryLimits({
    ...trial,
    progress: ({ writes, refused }) => note(`${writes - refused} written, ${refused} refused`),
  }),
);
const table = rows(outcome);
const width = Math.max(...table.map(([what]) => what.length));
for (const [what, figure, good] of table) {
  const mark = good === undefined ? "" : good ? "  ok" : "  NOT AS IT HAS TO BE";
  console.log(`${what.padEnd(width)}  ${figure}${mark}`);
}
const failed = outcome.ups.filter(({ code }) => code !== 0);
for (const { output: text } of output ? outcome.ups : failed) console.log(text.slice(-5000));
process.exitCode = table.some(([, , good]) => good === false) ? 1 : 0;
