import { type Overclaim, overclaims } from "../../provider/decisions/declared-shares";
import { ownerOf } from "../../provider/decisions/owner";
import { lastChangeOf } from "../../provider/schema/audit";
import { type JsonObject, objectsIn } from "../../provider/schema/json";
import { failureIn, listText, sentencesText, textIn } from "../../provider/words";
import { hidesSame, type PreviewResult } from "../stack/preview";
import { placeText } from "../stack/source-places";
import {
  claimsIn,
  countsOf,
  linesAbout,
  notesOf,
  noticesIn,
  stackIn,
  warningsIn,
} from "./changes/around-changes";
import { endsUse } from "./changes/end-reasons";
import { type ConsoleFindings, notAsked } from "./changes/findings";
import { asFound, conflictsText, withConsoleShares } from "./changes/live-changes";
import { describeInstead, outcomeOf } from "./changes/outcome";
import { eachOf } from "./changes/passing";
import type { Description } from "./changes/reason-ground";
import { reasonsOf, riskOf } from "./changes/reasons";
import { heirsOf, type Standing, standingOf } from "./changes/standing";
import { isEnding } from "./changes/state-moves";
import { describe } from "./changes/statements";
import { providerChanges } from "./provider-changes";
import { References } from "./references";
import { type Act, actTexts, type Change, type Level, levels, type Outcome, type Review } from "./review";
import { isFirst, objectText, type Subject, subjectsOf, trafficField } from "./subjects";

/**
 * The review of a preview. Pure: `console` holds the answers of the console.
 * @param now milliseconds since 1970, against which conditions on the time are read; left out: any time counts
 */
export function makeReview(
  preview: PreviewResult,
  subjects: readonly Subject[] = subjectsOf(preview),
  console: ConsoleFindings = notAsked,
  now?: number,
): Review {
  const scene = sceneOf(preview, subjects, console, now);
  const ofObjects = subjects
    .filter(({ act }) => act !== undefined)
    .map((subject) => changeOf(subject, scene));
  const changes = [...ofObjects, ...providerChanges(preview), ...(console.settings ?? [])];
  changes.sort(worstFirst);
  return {
    format: 1,
    ...stackIn(preview),
    changes,
    counts: countsOf(preview, subjects, changes),
    console: console.asked,
    notes: [...notesOf(preview, ofObjects, console), ...console.notes],
    willFail: willFailOf(changes, scene.failures),
    failed: preview.failed,
  };
}

/** Context of the reviews of all objects of a preview. */
type Scene = ReturnType<typeof sceneOf>;

function sceneOf(
  preview: PreviewResult,
  subjects: readonly Subject[],
  console: ConsoleFindings,
  now: number | undefined,
) {
  const all = [...subjects, ...(console.unchanged ?? [])];
  const isWhole = console.unchanged !== undefined || !hidesSame(preview);
  const { diagnostics } = preview;
  const heirs = heirsOf(subjects);
  return {
    ...{ console, diagnostics, heirs, now },
    references: new References(all, console, { heirs, isWhole }),
    isProduction: productionTest(subjects),
    overclaimsBefore: overclaims(claimsIn(all, console, "before")),
    overclaimsAfter: overclaims(claimsIn(all, console, "after")),
    /** Reasons that the provider gave in the preview for an update that will fail. */
    failures: [...new Set(diagnostics.flatMap(({ message }) => failureIn(message) ?? []))],
  };
}

/** Reasons for which the update will fail: those of each change, and those that the provider gave for others. */
function willFailOf(changes: readonly Change[], failures: readonly string[]): Review["willFail"] {
  const known = new Map<string, Review["willFail"][number]>();
  for (const { outcome, title, called } of changes) {
    const { what, why = "" } = outcome;
    const object = objectText({ title }, called);
    // A resource that was renamed goes under one name and comes under another.
    if (what === "fails") known.set(`${object}\n${why}`, { object, why });
  }
  const said = new Set([...known.values()].map(({ why }) => why));
  return [...known.values(), ...failures.filter((why) => !said.has(why)).map((why) => ({ why }))];
}

function changeOf(previewed: Subject, scene: Scene): Change {
  const { references, isProduction, now: clock, console } = scene;
  const { urn, definition } = previewed;
  const standing = standingOf(previewed, { ...scene, found: console.of.get(urn) ?? {} });
  const { live, presence, edit, exposures } = standing;
  const outcome = outcomeOf(edit.subject, standing);
  const subject = withConsoleShares(asFound(edit.subject, standing), live);
  const { outputs, program, called, replacement, position } = subject;
  const told =
    describeInstead(outcome, presence, subject.act) ??
    describe(subject, (argument) => references.newNameIn(subject, argument), { live, now: clock });
  const first = { about: "state" as const, text: `console now: ${conflictsText(edit.conflicts)}` };
  const said = edit.conflicts.length === 0 ? told : { ...told, statements: [first, ...told.statements] };
  const dependents = references.dependentsOf(subject);
  const now = live ?? outputs;
  const checksPerHour = trafficOf(subject, now);
  const lastChange = lastChangeOf(definition, now);
  const isOwn = ({ by: objects }: Overclaim) => objects.includes(objectText(definition, called));
  const lines = linesAbout(subject, scene.diagnostics);
  const reasons = reasonsOf({
    ...{ ...standing, subject, said, dependents, checksPerHour, isProduction, lastChange, outcome },
    overclaim: scene.overclaimsAfter.find(isOwn),
    wasOverclaimed: scene.overclaimsBefore.some(isOwn),
    warnings: warningsIn(subject, lines),
    now: clock,
  });
  const notices = noticesIn(lines, reasons);
  const owner = ownerOf(definition, program ?? {}, now);
  return {
    ...{ urn, name: subject.name, kind: definition.kind, title: definition.title, called },
    ...{ act: subject.act as Act, replacement, outcome, inConsole: presence },
    headline: headlineText(subject, standing, outcome, sentencesText(said.statements), notices),
    ...{ statements: said.statements, tables: said.tables, values: said.values },
    environments: environmentsOf(said),
    risk: riskOf(reasons),
    endsUse: endsUse(subject.act) || (subject.act !== "create" && said.moves.some(isEnding)),
    ...{ facts: reasons, dependents, checksPerHour, exposures },
    owner: owner && textIn(owner),
    lastChange: shownChange(lastChange),
    position: position && placeText(position),
    page: typeof now.permalink === "string" ? now.permalink : undefined,
    notices,
  };
}

function shownChange({ by, at }: ReturnType<typeof lastChangeOf>): Change["lastChange"] {
  return at === undefined ? undefined : { ...(by ? { by } : {}), at: new Date(at).toISOString() };
}

const replacementTexts: Readonly<Record<NonNullable<Subject["replacement"]>, string>> = {
  "in place": "changed in place",
  revived: "to the archive and back",
  another: "replaced by another one",
  anew: actTexts.replace[0],
};

/** `said`: the sentences about it. */
function headlineText(
  subject: Subject,
  standing: Standing,
  outcome: Outcome,
  said: string,
  notices: readonly string[],
): string {
  const { act, before, replacement } = subject;
  if (outcome.what === "left") return outcome.why ?? "left as it is";
  const begins = replacement === undefined ? beginning(subject, standing) : replacementTexts[replacement];
  const fails = outcome.what === "fails" ? ["will fail"] : [];
  if (act === "adopt" && isFirst(before) && fails.length === 0)
    return [`${begins} and set to`, said === "" ? notices.join("; ") : said].join(": ");
  const parts = [...fails, begins, said === "" && act === "adopt" ? "as it is" : said];
  const text = parts.filter((part) => part !== "").join(" · ");
  return text === "" ? silentText(subject) : text;
}

/** An update that changes nothing to see: it sets arguments anew, or ends what another one began. */
function silentText({ step, program = {} }: Subject): string {
  const set = Object.keys(program).filter((name) => step.oldState?.inputs?.[name] === undefined);
  return set.length > 0
    ? `the program sets ${listText(set)} from now on, as state has it`
    : "no argument changes: an earlier update that failed is finished";
}

/** The act in a few words; of a new object the finding in its place. */
function beginning({ act }: Subject, { create, presence }: Standing): string {
  if (act === "create" && create !== undefined && create.place !== "nothing")
    return presence === "archived" ? "exists, archived" : "exists";
  return act === undefined ? "" : actTexts[act][0];
}

function trafficOf({ definition }: Subject, values: JsonObject): number | undefined {
  const count = values[trafficField(definition) ?? ""];
  return typeof count === "number" ? count : undefined;
}

/** By risk; what goes out of use first; then by the number of high and medium reasons, then by traffic. */
function worstFirst(one: Change, other: Change): number {
  const [ranks, others] = [one, other].map(({ risk, endsUse: ends, facts, checksPerHour = 0 }) => {
    const count = (level: Level) => facts.filter((fact) => fact.level === level).length;
    return [levels.indexOf(risk), ends ? 0 : 1, -count("high"), -count("medium"), -checksPerHour];
  }) as [number[], number[]];
  const differences = ranks.map((rank, at) => rank - (others[at] ?? 0));
  return differences.find((difference) => difference !== 0) ?? (one.urn < other.urn ? -1 : 1);
}

/** Names of environments in which statements of lists of rules make a difference; null: all, or it cannot be told. */
function environmentsOf({ tables, statements }: Description): readonly string[] | null {
  const outside = statements.some(
    ({ about, environments }) => about !== "rest" && environments === undefined,
  );
  if (outside || tables.length === 0) return null;
  // A rule that others touch differs where those do.
  const rows = tables
    .flatMap((table) => table.rows)
    .filter(({ what }) => what !== "unchanged" && what !== "touched");
  return eachOf(rows.flatMap(({ before, after }) => [before, after]).map((side) => side?.environmentNames));
}

const usualProduction: ReadonlySet<string> = new Set(["production", "prod", "live"]);

/** Test for production: by the program's own list of environments, else by the usual names. */
function productionTest(subjects: readonly Subject[]): (environment: string) => boolean {
  const listed = subjects.flatMap(({ program }) => objectsIn(program?.environments));
  const names = new Set(listed.filter(({ isProduction }) => isProduction === true).map(({ name }) => name));
  return (name) => (names.size > 0 ? names.has(name) : usualProduction.has(name.toLowerCase()));
}
