import { choice, flag, proofOptions, wholeNumber } from "../../scripts/prove-options.ts";
import type { Outcome } from "./play.ts";

const about = `Plays random histories of two stacks and a person over one console, of every kind, and looks after each command whether
anything was changed, taken or lost that the preview had not named or that another stack or person holds.`;

const {
  n: count,
  seed,
  adapter,
  planted,
  json,
} = proofOptions("model", about, {
  n: wholeNumber(5000, "How many histories", 1),
  seed: wholeNumber(1, "The seed of the first; the others follow"),
  adapter: choice(["both", "dynamic", "native"], "The adapter of the stacks; both: drawn by chance"),
  planted: flag("Puts known mistakes into copies of the source and looks whether each is found"),
  json: flag("The figures as JSON"),
});

await (planted ? findPlanted() : playAll());

async function playAll(): Promise<void> {
  const { codeWith } = await import("../world/provider.ts");
  const { playCases, conclude } = await import("../world/proof.ts");
  const { playHistory } = await import("./play.ts");
  const { drawHistory } = await import("./history.ts");
  const { historyText, shrunk, Summing } = await import("./report.ts");
  const code = codeWith([]);
  const sum = new Summing();
  const started = Date.now();
  const wrong = await playCases<Outcome>({
    ...{ what: "histories", n: count, seed },
    play: (one) => playHistory(drawHistory(one, adapter), code),
    isWrong: ({ violations }) => violations.length > 0,
    text: async (outcome) => historyText(await shrunk(outcome, (history) => playHistory(history, code))),
    onOutcome: (outcome) => sum.add(outcome),
  });
  const figures = { count, seed, seconds: Math.round((Date.now() - started) / 1000), ...sum };
  conclude(json ? JSON.stringify(figures, null, 2) : sum.text(), wrong);
}

async function findPlanted(): Promise<void> {
  const { findAll } = await import("../world/proof.ts");
  const { findBug, plantedBugs } = await import("./planted.ts");
  const { codeWith } = await import("../world/provider.ts");
  const { playHistory } = await import("./play.ts");
  const { historyText, shrunk } = await import("./report.ts");
  const sound = codeWith([]);
  await findAll(plantedBugs, async (bug) => {
    const { outcome, code } = await findBug(bug, { count, seed }, sound);
    return outcome && historyText(await shrunk(outcome, (history) => playHistory(history, code)));
  });
}
