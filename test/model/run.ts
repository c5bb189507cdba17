import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { codeWith, type ProviderCode } from "../world/provider";
import { drawHistory, type History, type StackName } from "./history";
import type { PlantedBug } from "./planted";
import { type Notes, type Outcome, play } from "./play";

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

/** What came of the search for a mistake. */
export interface Found {
  readonly outcome: Outcome | undefined;
  /** The source with the mistake. */
  readonly code: ProviderCode;
}

/**
 * Plays histories with a mistake in the source until one breaks a rule that the mistake breaks and that the source without
 * it keeps.
 */
export async function findBug(
  { patches, breaks }: PlantedBug,
  { count, seed }: Range,
  sound: ProviderCode,
): Promise<Found> {
  const code = codeWith(patches);
  const broken = ({ violations }: Outcome) => violations.filter(({ rule }) => breaks.includes(rule));
  for (let number = 0; number < count; number += 1) {
    const history = drawHistory(seed + number);
    const outcome = await playHistory(history, code);
    const violations = broken(outcome);
    if (violations.length === 0 || broken(await playHistory(history, sound)).length > 0) continue;
    return { outcome: { ...outcome, violations }, code };
  }
  return { outcome: undefined, code };
}
