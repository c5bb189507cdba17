import { flag, proofOptions, wholeNumber } from "../../scripts/prove-options.ts";
import type { Outcome } from "./truth.ts";

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

const { conclude, playCases } = await import("../world/proof.ts");
const { playCase } = await import("./truth.ts");
const { pythonAnswersOf } = await import("./python-sdk.ts");
const sum = { moves: 0, wrong: 0, drawn: 0, inside: 0, left: 0, disagreements: 0 };
// What is left out is announced: then users may move whom nobody foretold.
const wrongIn = ({ wrong, notes }: Outcome) => (notes.length === 0 ? wrong : []);
await playCases<Outcome & { readonly seed: number }>({
  ...{ what: `changes of ${flags} flags, ${users} users`, n, seed },
  play: async (one) => ({
    seed: one,
    ...(await playCase(one, { flags, users, others: python ? [pythonAnswersOf] : [] })),
  }),
  isWrong: (one) => wrongIn(one).length > 0,
  text: (one) => `seed ${one.seed}: ${wrongIn(one).length} wrong, such as ${wrongIn(one)[0]}`,
  onOutcome(one) {
    sum.wrong += wrongIn(one).length;
    if (one.notes.length > 0) sum.left += 1;
    for (const figure of ["moves", "drawn", "inside", "disagreements"] as const) sum[figure] += one[figure];
  },
});
const { moves, wrong, drawn, inside, left, disagreements } = sum;
conclude(
  `${n} changes, ${left} of them counted in part\n${moves} moves of users, ${wrong} foretold otherwise\n` +
    `${inside} of ${drawn} intervals hold what the update drew\n${disagreements} answers in which another SDK differs from statsig-node`,
  wrong + disagreements + Math.max(0, 0.95 * drawn - inside),
);
