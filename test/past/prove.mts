/**
 * Proves `feature-console rollback`: `npm run prove -- rollback`, `--n 40 --seed 7`. Ends with 1 where an object is not as it was, and
 * the plan had not named that.
 */
import { proofOptions, wholeNumber } from "../../scripts/prove-options.ts";
import { conclude, playCases } from "../world/proof.ts";
import { type PlayedHistory, playHistory } from "./histories.ts";

const about = `Plays random lives of gates, dynamic configs and experiments by their program and by people, brings a random version back, and
compares the object with that version by the raw API.`;
const { n, seed } = proofOptions("rollback", about, {
  n: wholeNumber(1000, "How many histories", 1),
  seed: wholeNumber(1, "The seed of the first; the others follow"),
});

const counts = { histories: 0, wholly: 0, named: 0, noPreview: 0, settings: 0, interrupted: 0 };
const faults = await playCases<PlayedHistory>({
  ...{ what: "histories", n, seed },
  play: playHistory,
  isWrong: (one) => one.faults.length > 0,
  text: (one) => one.faults.map((fault) => `seed ${one.seed}: ${fault.slice(0, 300)}`).join("\n"),
  onOutcome(one) {
    counts.histories += 1;
    if (one.hasNoPreview) counts.noPreview += 1;
    else if (one.faults.length === 0) counts[one.named.length > 0 ? "named" : "wholly"] += 1;
    if (one.wroteSettings) counts.settings += 1;
    if (one.isInterrupted) counts.interrupted += 1;
  },
});
const { histories, wholly, named, noPreview, settings, interrupted } = counts;
conclude(
  `${histories} histories: ${wholly} wholly as they were, ${named} but for what was named, ${noPreview} without a preview to begin with, ${faults} with faults; ${settings} changed settings that the program reads, ${interrupted} ended between two files and were carried on`,
  faults,
);
