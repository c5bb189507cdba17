import type { Change } from "../../src/review";
import { gateSentences, unnamedChange } from "./gate-sentences";
import type { Ground, Verdict } from "./ground";
import { actFates, type Fate, fateOf, objectSentences } from "./object-sentences";
import type { Played } from "./play";
import { untrueLines } from "./preview-sentences";

/** A sentence that is not so. */
export interface Untrue {
  /** The object that it is about; undefined for the whole report. */
  readonly object: string | undefined;
  readonly sentence: string;
  readonly because: string;
}

/** Holds every sentence of a report, and of the lines of its preview, against what then happened. */
export function untrueIn(played: Played): Untrue[] {
  const { review, update, preview } = played;
  const failed = update.run.error;
  const foretold = preview.run.error !== undefined || review.failed || review.willFail.length > 0;
  const whole: Untrue[] = untrueLines(played).map((one) => ({ object: "(preview)", ...one }));
  const isAsked = review.console === "asked";
  if (failed === undefined && foretold)
    whole.push({ object: undefined, sentence: "this update will fail", because: "it did not" });
  if (
    failed !== undefined &&
    !foretold &&
    isAsked &&
    !review.changes.some(({ outcome }) => outcome.what === "not known")
  )
    whole.push({ object: undefined, sentence: "(nothing of a failure)", because: failed });
  // Of an update that failed, nobody says how far it came.
  if (failed !== undefined) return whole;
  return [
    ...whole,
    ...review.changes.flatMap((change) => untrueOf(groundOf(played, change))),
    ...silentIn(played),
  ];
}

const kindNames: Readonly<Record<string, string>> = {
  Gate: "gate",
  DynamicConfig: "dynamicConfig",
  Experiment: "experiment",
  Segment: "segment",
};

function groundOf(played: Played, change: Change): Ground {
  const key = keyOf(change);
  const [before, after] = [played.before, played.after].map(({ objects }) => objects.get(key));
  return { played, change, before, after, named: new Map() };
}

function keyOf({ kind, called }: Change): string {
  return `${kindNames[kind]} ${called}`;
}

function untrueOf(ground: Ground): Untrue[] {
  const { change } = ground;
  const untrue: Untrue[] = [];
  const say = (sentence: string, because: Verdict) => {
    if (because !== undefined && because !== "")
      untrue.push({ object: `${change.title} ${change.called}`, sentence, because });
  };
  const fate = fateOf(ground);
  const { outcome, act } = change;
  if (outcome.what === "left" && fate !== "same" && fate !== "nothing")
    say(`nothing happens: ${outcome.why}`, `it is ${fate}`);
  const caveat = change.inConsole === "not known" ? caveats[act] : undefined;
  if (caveat !== undefined) {
    const { review, told } = ground.played;
    const lacking = caveat.notes.filter((begin) => !review.notes.some((note) => note.startsWith(begin)));
    for (const begin of lacking) say(`(not: ${begin})`, "nobody looked");
    if (lacking.length === 0 && caveat.fates.includes(fate) && (act === "create" || told.length > 0))
      return untrue;
  }
  if (outcome.what === "changes" && actFates[act]?.includes(fate) === false) say(act, `it is ${fate}`);
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
  if (change.kind === "Gate" && outcome.what === "changes" && change.inConsole !== "not known")
    say("(nothing of these users)", unnamedIn(ground));
  return untrue;
}

/** What a report has to say that it does not know where it did not ask the console, and what may have happened then. */
interface Caveat {
  readonly notes: readonly string[];
  readonly fates: readonly Fate[];
}

const removal: Caveat = {
  notes: ["Whether somebody has changed these objects in the console", "Whether another stack has adopted"],
  fates: ["same", "nothing"],
};
const caveats: Readonly<Partial<Record<Change["act"], Caveat>>> = {
  create: {
    notes: ["Whether the console has objects with the keys of what is new is not known: "],
    fates: ["back"],
  },
  archive: removal,
  delete: removal,
};

/** New gates are asked by nobody; of one that ends, the consequence is told of all. */
function unnamedIn(ground: Ground): Verdict {
  return ground.change.act === "update" ? unnamedChange(ground) : undefined;
}

const withRules: ReadonlySet<string> = new Set(["Gate", "DynamicConfig"]);

function verdictOn(text: string, ground: Ground): Verdict {
  const table = withRules.has(ground.change.kind) ? [...objectSentences, ...gateSentences] : objectSentences;
  const known = table.flatMap(([pattern, check]) => {
    const found = pattern.exec(text);
    return found === null ? [] : [() => check([...found].slice(1), ground)];
  });
  return known[0] === undefined ? "no check is for such a sentence" : known[0]();
}

/** What changed although the report is silent about it. */
function silentIn({ review, before, after }: Played): Untrue[] {
  const told = new Set(review.changes.map(keyOf));
  return [...new Set([...before.objects.keys(), ...after.objects.keys()])]
    .filter((key) => !told.has(key))
    .flatMap((object) => {
      const fate = fateOf({ before: before.objects.get(object), after: after.objects.get(object) });
      return fate === "same" || fate === "nothing"
        ? []
        : [{ object, sentence: "(nothing)", because: `it is ${fate}` }];
    });
}
