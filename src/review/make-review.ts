import { auditOf } from "../core/audit";
import { isObject, type JsonObject } from "../core/json";
import { viewOf } from "../core/managed";
import { ownerOf } from "../core/owner";
import { changesOf } from "../core/plan";
import { positionOf } from "../drift";
import { hiddenValue, isHidden, nameIn, textIn } from "../plain-words";
import { environmentsOf } from "./environments";
import { factsOf, riskOf } from "./facts";
import type { PreviewResult } from "./preview-json";
import { type ConsoleObject, References } from "./references";
import { type Act, type Change, type Level, levels, type Review } from "./review";
import { headlineOf, isFirst, saidOf } from "./statements";
import { type Subject, subjectOf } from "./subjects";

/** What the console told. */
export interface ConsoleFindings {
  readonly asked: Review["console"];
  readonly objects: readonly ConsoleObject[];
  /** What could not be read. */
  readonly notes: readonly string[];
}

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
  const references = new References(subjects, console.objects);
  const live = new Map(console.objects.map((one) => [`${one.definition.name}\n${one.id}`, one.values]));
  const isProduction = productionTest(subjects);
  const changes = subjects
    .filter(({ act }) => act !== undefined)
    .map((subject) =>
      changeOf(subject, {
        references,
        isProduction,
        now,
        live: live.get(`${subject.definition.name}\n${subject.id}`),
        notices: noticesFor(subject, preview),
      }),
    )
    .sort(worstFirst);
  return {
    format: 1,
    ...stackIn(preview),
    changes,
    counts: countsOf(preview, subjects, changes),
    console: console.asked,
    notes: [...notesOf(preview, subjects, console), ...console.notes],
    failed: preview.diagnostics.some(({ severity }) => severity === "error"),
  };
}

interface Surroundings {
  readonly references: References;
  readonly isProduction: (environment: string) => boolean;
  readonly live: JsonObject | undefined;
  readonly notices: readonly string[];
  readonly now: number | undefined;
}

function changeOf(
  described: Subject,
  { references, isProduction, live, notices, now: clock }: Surroundings,
): Change {
  const subject = withLive(described, live);
  const { definition, outputs, wants, called } = subject;
  const said = saidOf(subject, (argument) => references.newNameIn(subject, argument), { live, now: clock });
  const dependents = references.dependentsOf(subject);
  const now = live ?? outputs;
  const checksPerHour = trafficOf(subject, now);
  const { changed, changedBy } = auditOf(definition, now);
  const lastChange =
    changed === undefined
      ? undefined
      : { ...(typeof changedBy === "string" && changedBy !== "" ? { by: changedBy } : {}), at: changed };
  const facts = factsOf({
    subject,
    said,
    dependents,
    checksPerHour,
    isProduction,
    live,
    lastChange,
    now: clock,
  });
  const owner = ownerOf(definition, wants ?? {}, now);
  const position = positionText(subject);
  const page = now.permalink;
  return {
    ...{ urn: subject.urn, name: subject.name, kind: definition.kind, title: definition.title, called },
    act: subject.act as Act,
    headline: headlineText(subject, headlineOf(said.statements), notices),
    ...{ statements: said.statements, tables: said.tables, values: said.values },
    environments: environmentsOf(said),
    risk: riskOf(facts),
    ...{ facts, dependents },
    ...(checksPerHour === undefined ? {} : { checksPerHour }),
    ...(owner === undefined ? {} : { owner: textIn(owner) }),
    ...(lastChange === undefined
      ? {}
      : { lastChange: { ...lastChange, at: new Date(lastChange.at).toISOString() } }),
    ...(position === undefined ? {} : { position }),
    ...(typeof page === "string" ? { page } : {}),
    notices,
  };
}

/** An object that is taken over is changed from what the console has, where that is known. */
function withLive(subject: Subject, live: JsonObject | undefined): Subject {
  const { definition, act, wants = {} } = subject;
  if (act !== "adopt" || live === undefined) return subject;
  const view = Object.entries(viewOf(definition, live));
  // What the program keeps secret is one in the console too.
  const before = view.map(([name, value]) => [name, isHidden(wants[name]) ? hiddenValue : value]);
  return {
    ...subject,
    ...{ outputs: live, before: Object.fromEntries(before), changes: changesOf(definition, live, wants, []) },
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

function headlineText({ act, before }: Subject, said: string, notices: readonly string[]): string {
  const begins = act === undefined ? "" : actTexts[act];
  if (act === "adopt" && isFirst(before))
    return [`${begins} and set to`, said === "" ? notices.join("; ") : said].join(": ");
  const parts = [begins, said === "" && act === "adopt" ? "as it is" : said];
  const text = parts.filter((part) => part !== "").join(" · ");
  return text === "" ? "no argument changes: an earlier update that failed is finished" : text;
}

function trafficOf({ definition }: Subject, values: JsonObject): number | undefined {
  const name = Object.keys(definition.fields).find((one) => definition.fields[one]?.facts.traffic === true);
  const count = name === undefined ? undefined : values[name];
  return typeof count === "number" ? count : undefined;
}

function positionText({ step }: Subject): string | undefined {
  // Where something stood that is gone, there is something else now.
  const found = positionOf(step.newState?.sourcePosition);
  return found === undefined ? undefined : `${found.file}:${found.line}:${found.column}`;
}

/** Lines of the provider about a subject that say more than the review does: what is taken over, which ids come and go. */
function noticesFor({ definition, called, act }: Subject, { diagnostics }: PreviewResult): string[] {
  const { title, fields } = definition;
  const counted = Object.keys(fields).filter((name) => fields[name]?.facts.valueType !== undefined);
  const begin = `${title} ${nameIn(called)}`;
  return diagnostics.flatMap(({ severity, message }) => {
    if (severity !== "info" || !/^:? /.test(message.slice(begin.length)) || !message.startsWith(begin))
      return [];
    const text = message.slice(begin.length).replace(/^:? /, "");
    return act === "adopt" || counted.some((name) => text.startsWith(`${name} `)) ? [text] : [];
  });
}

const usualProduction: ReadonlySet<string> = new Set(["production", "prod", "live"]);

/** What counts as production: as the program's own list of environments says, else by its name. */
function productionTest(subjects: readonly Subject[]): (environment: string) => boolean {
  const said = subjects.flatMap(({ wants }) => productionIn(wants?.environments) ?? []);
  const names = new Set(said);
  return (name) => (names.size > 0 ? names.has(name) : usualProduction.has(name.toLowerCase()));
}

/** Names of the environments in a list of them that count as production. */
function productionIn(environments: unknown): string[] | undefined {
  if (!Array.isArray(environments)) return undefined;
  return environments.flatMap((one) =>
    isObject(one) && one.isProduction === true && typeof one.name === "string" ? [one.name] : [],
  );
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

function countsOf(
  { steps, summary }: PreviewResult,
  subjects: readonly Subject[],
  changes: readonly Change[],
): Review["counts"] {
  const acts: Partial<Record<Act, number>> = {};
  for (const { act } of changes) acts[act] = (acts[act] ?? 0) + 1;
  const risks = { high: 0, medium: 0, low: 0, info: 0 };
  for (const { risk } of changes) risks[risk] += 1;
  const own = new Set(subjects.map(({ urn }) => urn));
  const foreign = steps.filter(({ urn }) => !own.has(urn) && !isPulumi(urn));
  const seen = steps.filter(({ op }) => op === "same");
  const sameOfOthers = seen.length - seen.filter(({ urn }) => own.has(urn)).length;
  // The CLI leaves what stays out of its JSON unless it is asked, and counts it all the same; the stack itself is one of them.
  const hidden = Math.max((summary.same ?? seen.length) - seen.length, 0);
  const unchanged = seen.length - sameOfOthers + hidden;
  return { acts, risks, unchanged, others: foreign.filter(({ op }) => op !== "same").length };
}

/** The stack itself and providers, which nobody sees. */
function isPulumi(urn: string): boolean {
  return (urn.split("::")[2] ?? "").startsWith("pulumi:");
}

/** Project and stack of a preview, from the names of its resources. */
export function stackIn({ steps }: PreviewResult): { project?: string; stack?: string } {
  const [head = "", project] = (steps[0]?.urn ?? "").split("::");
  const stack = head.replace("urn:pulumi:", "");
  return project === undefined ? {} : { project, stack };
}

function notesOf(
  { diagnostics, summary }: PreviewResult,
  subjects: readonly Subject[],
  console: ConsoleFindings,
): string[] {
  const said = diagnostics.filter(({ severity }) => severity === "warning" || severity === "error");
  const texts = [...new Set(said.map(({ severity, message }) => `${severity}: ${message}`))];
  const hidesSame =
    (summary.same ?? 0) > 1 &&
    console.asked !== "asked" &&
    !subjects.some(({ act, step }) => act === undefined && step.op === "same");
  return [
    ...texts,
    ...(hidesSame
      ? [
          "What does not change is not in this preview, so who depends on the changes may be missing: make it with `pulumi preview --json --show-sames`.",
        ]
      : []),
  ];
}
