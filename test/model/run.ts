import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { drawHistory, type History, type StackName } from "./history";
import type { PlantedBug } from "./planted";
import { type Notes, type Outcome, play } from "./play";
import { codeWith, type ProviderCode } from "./process";
import { shrink } from "./shrink";

/** Plays the history of a seed, or one that is given, with a folder of its own. */
export async function playHistory(history: History, code: ProviderCode): Promise<Outcome> {
  const folder = mkdtempSync(path.join(tmpdir(), "feature-console-model-"));
  const folderOf = (stack: StackName) => path.join(folder, history.sameFolder ? "project" : stack);
  const notes: Notes = {
    folderOf,
    forget: (stack) =>
      rmSync(path.join(folderOf(stack), ".feature-console"), { recursive: true, force: true }),
  };
  try {
    return await play(history, code, notes);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Which histories are played. */
export interface Range {
  readonly count: number;
  /** Of the first; the others follow. */
  readonly seed: number;
}

/** Plays histories. `onOutcome` is told of each. */
export async function playMany(
  code: ProviderCode,
  { count, seed }: Range,
  onOutcome: (outcome: Outcome) => void,
): Promise<void> {
  for (let number = 0; number < count; number += 1)
    onOutcome(await playHistory(drawHistory(seed + number), code));
}

/** Plays histories with a mistake in the source until one breaks a rule that the mistake breaks; made as short as can be. */
export async function findBug(
  { patches, breaks }: PlantedBug,
  { count, seed }: Range,
): Promise<{ readonly histories: number; readonly outcome: Outcome | undefined }> {
  const code = codeWith(patches);
  for (let number = 0; number < count; number += 1) {
    const outcome = await playHistory(drawHistory(seed + number), code);
    const violations = outcome.violations.filter(({ rule }) => breaks.includes(rule));
    if (violations.length === 0) continue;
    const short = await shrink({ ...outcome, violations }, (history) => playHistory(history, code));
    return { histories: number + 1, outcome: short };
  }
  return { histories: count, outcome: undefined };
}
