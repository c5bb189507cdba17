import { proofOptions, wholeNumber } from "../../scripts/prove-options.ts";
import { conclude, playCases } from "../world/proof.ts";
import { type History, playHistory } from "./history.ts";

const about = "Random histories of a program, approvals, rejections, edits by hand and kills.";

const { n, seed, length } = proofOptions("reviews", about, {
  n: wholeNumber(500, "How many histories", 1),
  seed: wholeNumber(Math.floor(Math.random() * 1_000_000), "The seed of the first"),
  length: wholeNumber(20, "How many steps each has", 1),
});

const wrong = await playCases<History>({
  ...{ what: "histories", n, seed },
  play: (one) => playHistory(one, length),
  isWrong: ({ findings }) => findings.length > 0,
  text: ({ seed: one, console: answers, steps, findings }) =>
    `seed ${one}, ${JSON.stringify(answers)}\n  ${[...steps, ...findings].join("\n  ")}`,
});
conclude(`${n} histories from seed ${seed}, ${length} steps each: ${wrong} not right`, wrong);
