import { withProgress } from "../../scripts/process/progress.ts";
import { flag, proofOptions, wholeNumber } from "../../scripts/prove-options.ts";

const about = `Counts the users of random changes, carries each change out, and compares the answers of each user with those that were
foretold: all of them where rules stay, and the intervals of what the update draws. Two SDKs of the service answer 2,000 users
for each flag, and with --python a third; all others are asked for those that the change touches, by statsig-node.`;

const { n, seed, flags, users, python } = proofOptions("users", about, {
  n: wholeNumber(200, "How many changes", 1),
  seed: wholeNumber(1, "The seed of the first; the others follow"),
  flags: wholeNumber(50, "How many gates, configs and experiments", 1),
  users: wholeNumber(100_000, "How many users", 1),
  python: flag("Asks the SDK for Python too, fetched by pip"),
});

const { playCase } = await import("./truth.ts");
const { pythonAnswersOf } = await import("./python-sdk.ts");
const sum = { moves: 0, wrong: 0, drawn: 0, inside: 0, left: 0, disagreements: 0 };
await withProgress(`${n} changes of ${flags} flags, ${users} users`, async (note) => {
  for (let number = 0; number < n; number += 1) {
    const { moves, wrong, drawn, inside, notes, disagreements } = await playCase(seed + number, {
      ...{ flags, users },
      others: python ? [pythonAnswersOf] : [],
    });
    // What is left out is announced: then users may move whom nobody foretold.
    const isWhole = notes.length === 0;
    if (isWhole && wrong.length > 0)
      process.stderr.write(`seed ${seed + number}: ${wrong.length} wrong, such as ${wrong[0]}\n`);
    sum.moves += moves;
    sum.wrong += isWhole ? wrong.length : 0;
    sum.left += isWhole ? 0 : 1;
    sum.drawn += drawn;
    sum.inside += inside;
    sum.disagreements += disagreements;
    note(`${number + 1} done`);
  }
});
const { moves, wrong, drawn, inside, left, disagreements } = sum;
process.stdout.write(
  `${n} changes, ${left} of them counted in part\n${moves} moves of users, ${wrong} foretold otherwise\n` +
    `${inside} of ${drawn} intervals hold what the update drew\n${disagreements} answers in which another SDK differs from statsig-node\n`,
);
process.exitCode = wrong > 0 || disagreements > 0 || inside < 0.95 * drawn ? 1 : 0;
