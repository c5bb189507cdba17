import type { JsonObject } from "../../src/provider/schema/json";
import type { PlantedFault } from "../planted/fault";
import { fixtures } from "../world/draw";
import { changeText, type Declared } from "../world/programs";
import { shrink } from "../world/proof";
import type { Patch } from "../world/source-copy";
import { type Case, drawCase } from "./draw";
import { type Judged, judged, type Untrue, untrueIn } from "./judge";
import { type Played, play } from "./play";
import { type Code, codeWith } from "./world";

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
export interface PlantedSentence extends PlantedFault {
  /** Other places that it takes as well. */
  readonly also?: readonly Patch[];
}

/** The first case that finds a planted sentence: something is not so in it that is so without it. */
export async function findPlanted(
  { also = [], ...patch }: PlantedSentence,
  { count, seed, code }: { readonly count: number; readonly seed: number; readonly code: Code },
): Promise<Outcome | undefined> {
  const planted = codeWith([patch, ...also]);
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

/** The same for sentences that differ in names and numbers alone. */
export function sortOf(sentence: string): string {
  return sentence.replaceAll(/"[^"]*"|\d+/g, "…").slice(0, 60);
}

/** The case with one part less, the largest parts first. */
function* smaller(drawn: Case): Generator<Case> {
  const { history, deeds, program } = drawn;
  for (const [at] of history.entries())
    if (history.length > 1) yield { ...drawn, history: history.toSpliced(at, 1) };
  const all = [...history, program].flat();
  for (const name of new Set(all.map((one) => one.name)))
    if (!all.some(({ args }) => JSON.stringify(args).includes(`.${name}"`)))
      yield inPrograms(drawn, (some) => some.filter((one) => one.name !== name));
  for (const [at] of deeds.entries()) yield { ...drawn, deeds: deeds.toSpliced(at, 1) };
  const plain: Partial<Case> = {
    ...{ adoptedElsewhere: undefined, refreshes: false, freshCheckout: false },
    ...{ oldState: false, replace: undefined, offline: false },
  };
  for (const [member, value] of Object.entries(plain))
    if (drawn[member as keyof Case] !== value) yield { ...drawn, [member]: value };
  // Who is in them the judge knows by heart.
  for (const { name, args } of all)
    if (!fixtures.some((one) => one.name === name)) yield* withoutArguments(drawn, name, args);
}

/** Without one argument of a resource, or one of its rules, in all programs. */
function* withoutArguments(drawn: Case, name: string, args: JsonObject): Generator<Case> {
  const edit = (change: (args: JsonObject) => JsonObject) =>
    inPrograms(drawn, (some) =>
      some.map((one) => (one.name === name ? { ...one, args: change(one.args) } : one)),
    );
  for (const argument of Object.keys(args)) {
    const isOptional = argument === "description" || argument === "isEnabled";
    if (isOptional) yield edit(({ [argument]: _, ...others }) => others);
  }
  for (const rule of rulesOf(args))
    yield edit((one) => ({ ...one, rules: rulesOf(one).filter((other) => other.name !== rule.name) }));
}

function rulesOf({ rules }: JsonObject): readonly JsonObject[] {
  return Array.isArray(rules) ? (rules as JsonObject[]) : [];
}

function inPrograms(drawn: Case, change: (program: readonly Declared[]) => readonly Declared[]): Case {
  return { ...drawn, history: drawn.history.map(change), program: change(drawn.program) };
}

/** The programs of a case, each as it differs from the one before. */
function programsText({ history, program }: Case): string {
  const programs = [...history, program];
  return programs
    .map((one, at) => {
      const text = changeText(programs[at - 1] ?? [], one);
      const when = at === programs.length - 1 ? "reported" : `applied ${at + 1}`;
      return `  ${when}:\n    ${text === "" ? "(nothing changes)" : text}`;
    })
    .join("\n");
}
