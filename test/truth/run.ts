import type { Patch } from "../model/source-copy";
import { drawCase } from "./draw";
import { type Untrue, untrueIn } from "./judge";
import { type Played, play } from "./play";
import { type Code, codeWith } from "./world";

/** What came of one case. */
export interface Outcome {
  readonly seed: number;
  readonly played: Played;
  readonly untrue: readonly Untrue[];
}

/** Plays the case of a seed; undefined where its own programs cannot be applied. */
export async function judge(seed: number, code: Code): Promise<Outcome | undefined> {
  const played = await play(drawCase(seed), code);
  return played && { seed, played, untrue: untrueIn(played) };
}

/** An untrue sentence that is put into a copy of the source. */
export interface PlantedSentence {
  readonly name: string;
  readonly patches: readonly Patch[];
}

/** The first case that finds a planted sentence. */
export async function findPlanted(
  { patches }: PlantedSentence,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<Outcome | undefined> {
  const code = codeWith(patches);
  for (let number = 0; number < count; number += 1) {
    const outcome = await judge(seed + number, code);
    if (outcome !== undefined && outcome.untrue.length > 0) return outcome;
  }
  return undefined;
}

/** A case and what is not so in it, for people. */
export function outcomeText({ seed, played, untrue }: Outcome): string {
  const { told, review, preview, update, drawn } = played;
  return [
    `seed ${seed}${drawn.offline ? ", offline" : ""}${drawn.freshCheckout ? ", a fresh checkout" : ""}${drawn.oldState ? ", old state" : ""}:`,
    ...told.map((line) => `  ${line}`),
    ...preview.lines.map((line) => `  preview: ${line}`),
    ...review.changes.map(({ title, called, headline }) => `  report: ${title} "${called}" · ${headline}`),
    ...(update.run.error === undefined ? [] : [`  the update failed: ${update.run.error}`]),
    ...untrue.map(
      ({ object, sentence, because }) =>
        `  => not so${object ? `, of ${object}` : ""}: ${sentence}\n     ${because}`,
    ),
  ].join("\n");
}
