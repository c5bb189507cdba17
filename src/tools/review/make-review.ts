import { type Overclaim, overclaims } from "../../provider/decisions/declared-shares";
import { ownerOf } from "../../provider/decisions/owner";
import { isSameObject } from "../../provider/decisions/same-object";
import { auditOf, changeText, lastChangeOf } from "../../provider/schema/audit";
import type { JsonObject } from "../../provider/schema/json";
import { listText, nameIn, textIn } from "../../provider/words";
import { placeText, positionOf } from "../stack/resources";
import { placesHere } from "../stack/source-places";
import { countsOf, notesOf, noticesFor, stackIn } from "./changes/around-changes";
import { environmentsOf } from "./changes/environments";
import { conflictsText, type LiveChange, liveChangeOf } from "./changes/live-changes";
import {
  announcedFailures,
  type ConsoleFindings,
  type CreateFinding,
  describeInstead,
  isAbout,
  outcomeOf,
  presenceOf,
  type Standing,
} from "./changes/outcome";
import { productionTest } from "./changes/production";
import { type ReasonGround, reasonsOf, riskOf } from "./changes/reasons";
import { claimsIn, objectText } from "./changes/shared-claims";
import { describe, headlineOf, isFirst } from "./changes/statements";
import { announcedCreate, asFound } from "./found-objects";
import { hidesSame, type PreviewResult } from "./preview-json";
import { providerChanges } from "./provider-changes";
import { References } from "./references";
import {
  type Act,
  type Change,
  type Exposures,
  type Level,
  levels,
  type Outcome,
  type Review,
} from "./review";
import { type Subject, subjectOf } from "./subjects";
import { announcedTaker } from "./takers";

/** A report that asked no console. */
export const notAsked: ConsoleFindings = { asked: "not asked", objects: [], notes: [] };

/** Resources of this package in a preview, changing or not. */
export function subjectsOf(preview: PreviewResult): Subject[] {
  return preview.steps.flatMap((step) => subjectOf(step) ?? []);
}

/**
 * The review of a preview. Pure: what the console says is in `console`.
 * @param now milliseconds since 1970, against which conditions on the time are read; left out: any time counts
 */
export function makeReview(
  preview: PreviewResult,
  subjects: readonly Subject[] = subjectsOf(preview),
  console: ConsoleFindings = notAsked,
  now?: number,
): Review {
  const isWhole = console.unchanged !== undefined || !hidesSame(preview);
  const references = new References([...subjects, ...(console.unchanged ?? [])], console.objects, isWhole);
  const live = new Map(console.objects.map((one) => [`${one.definition.name}\n${one.id}`, one.values]));
  const isProduction = productionTest(subjects);
  const claimed = (when: "before" | "after") =>
    overclaims(claimsIn([...subjects, ...(console.unchanged ?? [])], console.objects, when));
  const overclaimed = { before: claimed("before"), after: claimed("after") };
  const messages = preview.diagnostics.map(({ message }) => message);
  const failures = announcedFailures(messages);
  const meant = placesHere();
  const ofObjects = subjects
    .filter(({ act }) => act !== undefined)
    .map((subject) => {
      const found = live.get(`${subject.definition.name}\n${subject.id}`);
      const change = liveChangeOf(subject, found);
      const isOther = isOtherObject(subject, found);
      const conflict = isOther ? otherText : conflictOf(subject, change, found);
      const overwrites = console.overwrites?.has(subject.urn) === true;
      return changeOf(change.subject, {
        ...{ references, isProduction, now, overclaimed, meant, notices: noticesFor(subject, preview) },
        edits: { conflicts: change.conflicts, overwrites },
        exposures: console.exposures?.get(subject.urn),
        standing: {
          live: found,
          presence: presenceOf(subject, createOf(subject, console, messages), console, found),
          conflict: overwrites && !isOther ? undefined : conflict,
          isAlreadySo: change.isAlreadySo,
          create: createOf(subject, console, messages),
          taker:
            (isOther ? otherFate : undefined) ??
            console.takers?.get(subject.urn) ??
            announcedTaker(subject, messages),
          announced: failures.find((text) => isAbout(subject, text)),
        },
      });
    });
  const changes = [
    ...ofObjects,
    ...providerChanges(preview),
    ...(console.settings ? [console.settings] : []),
  ];
  changes.sort(worstFirst);
  return {
    format: 1,
    ...stackIn(preview),
    changes,
    counts: countsOf(preview, subjects, changes),
    console: console.asked,
    notes: [...notesOf(preview, ofObjects, console), ...console.notes],
    willFail: willFailOf(changes, failures),
    failed: preview.diagnostics.some(({ severity }) => severity === "error"),
  };
}

/** Why the update will fail: for each change, and for what the provider said of others. */
function willFailOf(changes: readonly Change[], failures: readonly string[]): Review["willFail"] {
  const known = changes.flatMap(({ outcome, title, called }) =>
    outcome.what === "fails" ? [{ object: `${title} ${nameIn(called)}`, why: outcome.why ?? "" }] : [],
  );
  const said = new Set(known.map(({ why }) => why));
  return [...known, ...failures.filter((why) => !said.has(why)).map((why) => ({ why }))];
}

/** Why an update is refused that would overwrite what somebody changed; undefined where nobody did. */
const otherText =
  "it is another object than the one in state: a person deleted and created it again; type `pulumi refresh`, then set adopt: true";
const otherFate = "it is another object than the one in state: it stays as it is, and this stack forgets it";

/** True where the console has another object under this id than state has. */
function isOtherObject({ definition, step }: Subject, live: JsonObject | undefined): boolean {
  const state = step.oldState?.outputs;
  if (live === undefined || state === undefined) return false;
  return isSameObject(definition, state, live) === "other";
}

function conflictOf(
  { definition, name }: Subject,
  { conflicts }: LiveChange,
  live: JsonObject = {},
): string | undefined {
  if (conflicts.length === 0) return undefined;
  return (
    `the object changed in the console after this stack last saw it (${changeText(lastChangeOf(definition, live))}), console now: ` +
    `${conflictsText(conflicts)}; \`npx feature-console drift --accept ${name}\` keeps the console's values, or \`pulumi refresh\` and preview again`
  );
}

/** What a create finds, as the console or else the preview shows it. */
function createOf(
  subject: Subject,
  { creates }: ConsoleFindings,
  messages: readonly string[],
): CreateFinding | undefined {
  return creates?.get(subject.urn) ?? announcedCreate(subject, messages);
}

interface Surroundings {
  readonly edits: ReasonGround["edits"];
  readonly references: References;
  readonly isProduction: (environment: string) => boolean;
  readonly standing: Standing;
  readonly notices: readonly string[];
  readonly exposures: Exposures | undefined;
  readonly now: number | undefined;
  /** The file of the program that a noted one means. */
  readonly meant: (file: string) => string;
  readonly overclaimed: Readonly<Record<"before" | "after", readonly Overclaim[]>>;
}

function changeOf(described: Subject, around: Surroundings): Change {
  const { references, isProduction, standing, notices, exposures, now: clock } = around;
  const { live, presence } = standing;
  const outcome = outcomeOf(described, standing);
  const subject = asFound(described, standing);
  const { definition, outputs, program, called, replacement } = subject;
  const { conflicts } = around.edits;
  const told =
    describeInstead(outcome, presence, subject.act) ??
    describe(subject, (argument) => references.newNameIn(subject, argument), { live, now: clock });
  const first = { about: "state" as const, text: `console now: ${conflictsText(conflicts)}` };
  const said = conflicts.length === 0 ? told : { ...told, statements: [first, ...told.statements] };
  const dependents = references.dependentsOf(subject);
  const now = live ?? outputs;
  const checksPerHour = trafficOf(subject, now);
  const { changed, changedBy } = auditOf(definition, now);
  const lastChange =
    changed === undefined
      ? undefined
      : { ...(typeof changedBy === "string" && changedBy !== "" ? { by: changedBy } : {}), at: changed };
  const isOwn = ({ by }: Overclaim) => by.includes(objectText(definition, called));
  const facts = reasonsOf({
    ...{ subject, said, dependents, checksPerHour, isProduction, live, lastChange, outcome, presence },
    ...{ edits: around.edits, now: clock },
    overclaim: around.overclaimed.after.find(isOwn),
    wasOverclaimed: around.overclaimed.before.some(isOwn),
  });
  const owner = ownerOf(definition, program ?? {}, now);
  const position = positionText(subject, around.meant);
  const page = now.permalink;
  return {
    ...{ urn: subject.urn, name: subject.name, kind: definition.kind, title: definition.title, called },
    act: subject.act as Act,
    ...(replacement === undefined ? {} : { replacement }),
    ...{ outcome, inConsole: presence },
    headline: headlineText(subject, { said: headlineOf(said.statements), notices, outcome, standing }),
    ...{ statements: said.statements, tables: said.tables, values: said.values },
    environments: environmentsOf(said),
    risk: riskOf(facts),
    ...{ facts, dependents },
    ...(checksPerHour === undefined ? {} : { checksPerHour }),
    ...(exposures === undefined ? {} : { exposures }),
    ...(owner === undefined ? {} : { owner: textIn(owner) }),
    ...(lastChange === undefined
      ? {}
      : { lastChange: { ...lastChange, at: new Date(lastChange.at).toISOString() } }),
    ...(position === undefined ? {} : { position }),
    ...(typeof page === "string" ? { page } : {}),
    notices,
  };
}

const actTexts: Readonly<Record<Act, string>> = {
  create: "new",
  adopt: "taken over from the console",
  update: "",
  replace: "deleted and made anew",
  restore: "back from the archive",
  archive: "to the archive",
  delete: "deleted for good",
  empty: "emptied",
  release: "left to the console",
  run: "carried out once",
};

const replacementTexts: Readonly<Record<NonNullable<Subject["replacement"]>, string>> = {
  "in place": "changed in place",
  revived: "to the archive and back",
  another: "replaced by another one",
  anew: actTexts.replace,
};

interface Line {
  readonly said: string;
  readonly notices: readonly string[];
  readonly outcome: Outcome;
  readonly standing: Standing;
}

function headlineText(subject: Subject, line: Line): string {
  const { act, before, replacement } = subject;
  const { said, notices, outcome, standing } = line;
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

/** What happens, in a few words; of something new what is in its place. */
function beginning({ act }: Subject, { create, presence }: Standing): string {
  if (act === "create" && create !== undefined && create.place !== "nothing")
    return presence === "archived" ? "exists, archived" : "exists";
  return act === undefined ? "" : actTexts[act];
}

function trafficOf({ definition }: Subject, values: JsonObject): number | undefined {
  const name = Object.keys(definition.fields).find((one) => definition.fields[one]?.traits.traffic === true);
  const count = name === undefined ? undefined : values[name];
  return typeof count === "number" ? count : undefined;
}

function positionText({ step }: Subject, meant: Surroundings["meant"]): string | undefined {
  // Where something stood that is gone, there is something else now.
  const found = positionOf(step.newState?.sourcePosition, meant);
  return found && placeText(found);
}

function worstFirst(one: Change, other: Change): number {
  const count = ({ facts }: Change, level: Level) => facts.filter((fact) => fact.level === level).length;
  for (const level of ["high", "medium"] as const) {
    const difference = count(other, level) - count(one, level);
    if (levels.indexOf(one.risk) !== levels.indexOf(other.risk))
      return levels.indexOf(one.risk) - levels.indexOf(other.risk);
    if (difference !== 0) return difference;
  }
  const traffic = (other.checksPerHour ?? 0) - (one.checksPerHour ?? 0);
  return traffic !== 0 ? traffic : one.urn < other.urn ? -1 : 1;
}
