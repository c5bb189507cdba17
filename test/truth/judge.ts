import type { Change } from "../../src/tools/review";
import { judgedAnswers } from "./answer-sentences";
import { unnamedChange } from "./gate-effects";
import { gateSentences } from "./gate-sentences";
import { around, type Ground, kindCalled, type Verdict, verdictBy } from "./ground";
import {
  actFates,
  type Fate,
  fateOf,
  layerShares,
  objectSentences,
  segmentSentences,
} from "./object-sentences";
import type { Played } from "./play";
import { judgedLines, judgedRemovals } from "./preview-sentences";
import { slack } from "./users";

export interface Untrue {
  /** The object that it is about; undefined for the whole report. */
  readonly object: string | undefined;
  readonly sentence: string;
  readonly because: string;
}

/** Sentences that were held against what happened. */
export interface Judged {
  readonly sentences: readonly string[];
  readonly untrue: readonly Untrue[];
}

/** Holds one sentence, or one that is missing, against what happened. */
type Hold = (object: string | undefined, sentence: string, because: Verdict) => void;

/** Holds every sentence of a report, and of the lines of its preview, against what then happened. */
export function judged(played: Played): Judged {
  const sentences: string[] = [];
  const untrue: Untrue[] = [];
  const hold: Hold = (object, sentence, because) => {
    sentences.push(sentence);
    if (because !== undefined && because !== "") untrue.push({ object, sentence, because });
  };
  for (const { sentence, because } of [...judgedLines(played), ...judgedRemovals(played)])
    hold("(preview)", sentence, because);
  holdFailure(played, hold);
  for (const { object, sentence, because } of judgedAnswers(played)) hold(object, sentence, because);
  // Of an update that failed, nobody says how far it came.
  if (played.update.run.error === undefined) {
    for (const change of played.review.changes) holdChange(groundOf(played, change), hold);
    holdSilence(played, hold);
    hold("layer shop", "(nothing of its shares)", silentShares(played));
    hold("(preview)", "(nothing is left to do)", played.unsettled.join(", "));
  }
  return { sentences, untrue };
}

export function untrueIn(played: Played): readonly Untrue[] {
  return judged(played).untrue;
}

const failureLine = /^This update will fail: /;

/** Whether the update fails is told before it. */
function holdFailure({ drawn, review, preview, update }: Played, hold: Hold): void {
  const failed = update.run.error;
  if (preview.run.error !== undefined)
    hold(undefined, "(the preview failed)", review.failed ? undefined : "the report shows no failure");
  const foretold = preview.run.error !== undefined || review.failed || review.willFail.length > 0;
  if (foretold) hold(undefined, "this update will fail", failed === undefined ? "it did not" : undefined);
  const failing = [
    review.willFail.map(({ object, why }) => object ?? subjectOf(why)),
    [...preview.lines, ...preview.warnings].flatMap((text) =>
      failureLine.test(text) ? subjectOf(text) : [],
    ),
  ];
  for (const objects of failing)
    for (const object of new Set(objects)) {
      const often = objects.filter((one) => one === object).length;
      hold(object, "(a failure, told once)", often > 1 ? `it is told ${often} times` : undefined);
    }
  const isOpen =
    review.console !== "asked" || review.changes.some(({ outcome }) => outcome.what === "not known");
  if (!foretold && !isOpen) hold(undefined, "(nothing of a failure)", failed);
  // Also beside a report, which knows it by itself: many read the preview alone.
  const isTold = [...preview.lines, ...preview.warnings].some((text) => failureLine.test(text));
  const asksNobody = preview.run.error !== undefined || drawn.program.length === 0;
  if (failed !== undefined && / is in use by /.test(failed) && !asksNobody)
    hold("(preview)", "(nothing of an object in use)", isTold ? undefined : failed);
}

/** The object that a reason is about, as it begins; else the reason itself. */
function subjectOf(why: string): string {
  return /(?:gate|dynamic config|experiment|segment|layer) "[^"]+"/.exec(why)?.[0] ?? why;
}

function groundOf(played: Played, change: Change): Ground {
  const key = keyOf(change);
  const [before, after] = [played.before, played.after].map(({ objects }) => objects.get(key));
  return { played, change, before, after, named: new Map() };
}

function keyOf({ kind, called }: Change): string {
  return `${kindCalled(kind)} ${called}`;
}

function holdChange(ground: Ground, hold: Hold): void {
  const { change } = ground;
  const say = (sentence: string, because: Verdict) =>
    hold(`${change.title} ${change.called}`, sentence, because);
  const fate = fateOf(ground);
  const { outcome, act } = change;
  // Another resource of the program makes it, or takes it over.
  const isOfAnother = ground.played.review.changes.some(
    (one) =>
      one !== change && ["create", "adopt", "restore"].includes(one.act) && keyOf(one) === keyOf(change),
  );
  const isStill =
    ["same", "nothing"].includes(fate) || (["made", "back", "changed"].includes(fate) && isOfAnother);
  if (outcome.what === "left") say(`nothing happens: ${outcome.why}`, isStill ? undefined : `it is ${fate}`);
  const isBlind = change.inConsole === "not known" && outcome.what !== "left";
  const caveat = isBlind ? caveats[act] : undefined;
  if (caveat !== undefined) {
    const { notes } = ground.played.review;
    const lacking = caveat.notes.filter((begin) => !notes.some((note) => note.includes(begin)));
    for (const begin of lacking) say(`(not: ${begin})`, "nobody looked");
    if (lacking.length === 0 && caveat.fates.includes(fate) && (act === "create" || isTouched(ground)))
      return;
  }
  if (outcome.what === "changes")
    say(act, actFates[act]?.includes(fate) === false ? `it is ${fate}` : undefined);
  for (const { text } of [...change.statements, ...change.facts]) say(text, verdictOn(text, ground));
  const [begin = ""] = change.headline.split(" · ");
  if (
    !change.statements.some(({ text }) => change.headline.startsWith(text)) &&
    !/^(?:all environments|production|staging|outside)\b.*:/.test(begin)
  )
    say(begin, verdictOn(begin, ground));
  for (const { object, where } of change.dependents) {
    const isOwn = ground.played.update.run.state.some(({ id }) => object.endsWith(`"${id}"`));
    if (where !== "unknown" && isOwn !== (where === "program"))
      say(`${object} (${where})`, isOwn ? "the stack has it" : "no resource of the stack is it");
  }
  const isUnseen = change.facts.some(({ text }) => text.startsWith("its present values are not known"));
  if (change.kind === "Gate" && outcome.what === "changes" && change.inConsole !== "not known" && !isUnseen)
    say("(nothing of these users)", unnamedIn(ground));
  if (change.kind === "Gate" && outcome.what === "changes" && change.inConsole === "in use")
    say(`(${change.risk})`, unlikelyRisk(ground));
  const startles = change.facts.some(({ about, level }) => about === "state" && level !== "low");
  if (act === "create") say("(levels of what is new)", startles ? "nobody has it yet" : undefined);
}

/** What a report has to say that it does not know where it did not ask the console, and what may have happened then. */
interface Caveat {
  readonly notes: readonly string[];
  readonly fates: readonly Fate[];
}

/** True where somebody did something to the object that state does not show. */
function isTouched({ change, played: { told, drawn } }: Ground): boolean {
  return drawn.oldState || told.some((line) => line.split(" ").includes(String(change.called)));
}

const edited = "It is not known whether these objects changed in the console";
const removal: Caveat = {
  notes: [edited, "hether another stack has adopted"],
  fates: ["same", "nothing"],
};
const caveats: Readonly<Partial<Record<Change["act"], Caveat>>> = {
  create: {
    notes: ["It is not known whether the console already has objects with the keys of the new ones: "],
    fates: ["back"],
  },
  update: { notes: [edited], fates: ["same", "changed", "made"] },
  archive: removal,
  delete: removal,
};

/** New gates are asked by nobody; of one that ends, the consequence is told of all. */
function unnamedIn(ground: Ground): Verdict {
  return ["update", "adopt", "restore"].includes(ground.change.act) ? unnamedChange(ground) : undefined;
}

/** Percent of users in production that gain or lose at least where a change is more than "low". */
const felt = 10;

/** A level that what users feel contradicts: "low" though many gain or lose, or "high" for whom it reaches though nobody does. */
function unlikelyRisk(ground: Ground): Verdict {
  const { change } = ground;
  const { before, after } = around(ground, "production");
  const flips = before.passes.filter((one, at) => one !== after.passes[at]).length;
  const percent = (100 * flips) / before.passes.length;
  if (change.risk === "low" && percent >= felt + slack(felt, before.passes.length))
    return `${percent.toFixed(1)} % of users gain or lose`;
  // Who is in another object, only that knows.
  const isReach = ({ about, level, text }: Change["facts"][number]) =>
    about === "reach" && level === "high" && !/in (?:gate|segment) "/.test(text);
  return change.facts.some(isReach) && flips === 0 ? "nobody gains or loses" : undefined;
}

const withRules: ReadonlySet<string> = new Set(["Gate", "DynamicConfig"]);

function verdictOn(text: string, ground: Ground): Verdict {
  const { kind } = ground.change;
  const table = [
    ...objectSentences,
    ...(withRules.has(kind) ? gateSentences : kind === "Segment" ? segmentSentences : []),
  ];
  return verdictBy(table, text, ground, "no check is for such a sentence");
}

/**
 * Experiments that ask for more than their layer has, because of this update, and no line of its preview. Of one that the program leaves
 * to the console only the report tells: no provider is asked about it.
 */
function silentShares(played: Played): Verdict {
  const [was, is] = [played.before, played.after].map(({ objects }) => layerShares(objects)) as [
    number,
    number,
  ];
  const told = played.review.changes.some(({ act }) => act === "release")
    ? played.review.changes.flatMap(({ facts }) => facts.map(({ text }) => text))
    : played.preview.lines;
  // By an old state, programs ask for another share than the console has.
  const share = played.drawn.oldState ? "\\d+" : is;
  const isTold = told.some((text) => new RegExp(`ask for ${share} % of layer "shop"`).test(text));
  return is > 100 && is !== was && !isTold ? `they ask for ${is} %` : undefined;
}

/** What changed although the report is silent about it. */
function holdSilence({ review, before, after }: Played, hold: Hold): void {
  const told = new Set(review.changes.map(keyOf));
  for (const object of new Set([...before.objects.keys(), ...after.objects.keys()])) {
    if (told.has(object)) continue;
    const fate = fateOf({ before: before.objects.get(object), after: after.objects.get(object) });
    hold(object, "(nothing)", fate === "same" || fate === "nothing" ? undefined : `it is ${fate}`);
  }
}
