import { shrink } from "../world/shrink";
import type { Patch } from "../world/source-copy";
import { type Case, drawCase } from "./draw";
import { type Judged, judged, type Untrue, untrueIn } from "./judge";
import { type Played, play } from "./play";
import { programsText, smaller, sortOf } from "./shrink";
import { type Code, codeWith } from "./world";

/** What came of one case. */
export interface Outcome extends Judged {
  readonly seed: number;
  readonly played: Played;
}

/** Plays the case of a seed; undefined where its own programs cannot be applied. */
export async function judge(seed: number, code: Code): Promise<Outcome | undefined> {
  const played = await play(drawCase(seed), code);
  return played && { seed, played, ...judged(played) };
}

/** An untrue sentence that is put into a copy of the source. */
export interface PlantedSentence {
  readonly name: string;
  readonly patches: readonly Patch[];
}

/** The first case that finds a planted sentence: something is not so in it that is so without it. */
export async function findPlanted(
  { patches }: PlantedSentence,
  { count, seed, code }: { readonly count: number; readonly seed: number; readonly code: Code },
): Promise<Outcome | undefined> {
  const planted = codeWith(patches);
  for (let number = 0; number < count; number += 1) {
    const outcome = await judge(seed + number, planted);
    if (outcome === undefined || outcome.untrue.length === 0) continue;
    const known = await judge(seed + number, code);
    const isKnown = ({ object, sentence }: Untrue) =>
      known?.untrue.some((one) => one.object === object && one.sentence === sentence) === true;
    const untrue = outcome.untrue.filter((one) => !isKnown(one));
    if (untrue.length > 0) return { ...outcome, untrue };
  }
  return undefined;
}

/** A smaller case in which the first sentence that is not so is not so either. */
export async function shrunk(outcome: Outcome, code: Code): Promise<Outcome> {
  const [first] = outcome.untrue;
  if (first === undefined) return outcome;
  const sort = sortOf(first.sentence);
  const drawn = await shrink(outcome.played.drawn, smaller, async (one) => {
    const played = await play(one, code).catch(() => undefined);
    return played !== undefined && untrueIn(played).some(({ sentence }) => sortOf(sentence) === sort);
  });
  const played = await play(drawn, code);
  return played === undefined ? outcome : { ...outcome, played, ...judged(played) };
}

/** A case and what is not so in it, for people. */
export function outcomeText({ seed, played, untrue }: Outcome): string {
  const { told, review, preview, update, drawn } = played;
  return [
    `seed ${seed}${drawn.offline ? ", offline" : ""}${drawn.freshCheckout ? ", a fresh checkout" : ""}${drawn.oldState ? ", old state" : ""}:`,
    programsText(drawn),
    ...told.map((line) => `  ${line}`),
    ...[...preview.lines, ...preview.warnings].map((line) => `  preview: ${line}`),
    ...review.changes.map(({ title, called, headline }) => `  report: ${title} "${called}" · ${headline}`),
    ...(update.run.error === undefined ? [] : [`  the update failed: ${update.run.error}`]),
    ...untrue.map(
      ({ object, sentence, because }) =>
        `  => not so${object ? `, of ${object}` : ""}: ${sentence}\n     ${because}`,
    ),
  ].join("\n");
}
