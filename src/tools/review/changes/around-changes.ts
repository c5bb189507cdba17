import { unknownAdopter } from "../../../provider/decisions/claim";
import { nameIn } from "../../../provider/words";
import { otherCodeNotes } from "../own-code";
import { hidesSame, type PreviewResult } from "../preview-json";
import type { Act, Change, Outcome, Review } from "../review";
import type { Subject } from "../subjects";
import type { ConsoleFindings } from "./outcome";

/** Project and stack of a preview, from the names of its resources. */
export function stackIn({ steps }: PreviewResult): { project?: string; stack?: string } {
  const [head = "", project] = (steps[0]?.urn ?? "").split("::");
  const stack = head.replace("urn:pulumi:", "");
  return project === undefined ? {} : { project, stack };
}

/** Lines of the provider about a subject that say more than the review does: what is taken over, which ids come and go. */
export function noticesFor({ definition, called, act }: Subject, { diagnostics }: PreviewResult): string[] {
  const { title, fields } = definition;
  const counted = Object.keys(fields).filter((name) => fields[name]?.traits.valueType !== undefined);
  const begin = `${title} ${nameIn(called)}`;
  return diagnostics.flatMap(({ severity, message }) => {
    if (severity !== "info" || !/^:? /.test(message.slice(begin.length)) || !message.startsWith(begin))
      return [];
    const text = message.slice(begin.length).replace(/^:? /, "");
    // Whether a change applies at once, or waits for people.
    const isOfReview = /^(?:review |(?:a change of|not known) .*\breview)/.test(text);
    return act === "adopt" || isOfReview || counted.some((name) => text.startsWith(`${name} `)) ? [text] : [];
  });
}

/** How much of what a preview would do, and what a review does not describe. */
export function countsOf(
  { steps, summary }: PreviewResult,
  subjects: readonly Subject[],
  changes: readonly Change[],
): Review["counts"] {
  const acts: Partial<Record<Act, number>> = {};
  const outcomes: Partial<Record<Outcome["what"], number>> = {};
  for (const { act, outcome } of changes)
    if (outcome.what === "changes") acts[act] = (acts[act] ?? 0) + 1;
    else outcomes[outcome.what] = (outcomes[outcome.what] ?? 0) + 1;
  const risks = { high: 0, medium: 0, low: 0, info: 0 };
  for (const { risk } of changes) risks[risk] += 1;
  const own = new Set(subjects.map(({ urn }) => urn));
  const foreign = steps.filter(({ urn }) => !own.has(urn) && !isPulumi(urn));
  const seen = steps.filter(({ op }) => op === "same");
  const sameOfOthers = seen.length - seen.filter(({ urn }) => own.has(urn)).length;
  // The CLI leaves what stays out of its JSON unless it is asked, and counts it all the same; the stack itself is one of them.
  const hidden = Math.max((summary.same ?? seen.length) - seen.length, 0);
  const unchanged = seen.length - sameOfOthers + hidden;
  return { acts, risks, outcomes, unchanged, others: foreign.filter(({ op }) => op !== "same").length };
}

/** The stack itself and providers, which nobody sees. */
function isPulumi(urn: string): boolean {
  return (urn.split("::")[2] ?? "").startsWith("pulumi:");
}

/** What a reader should know of the report itself, and what the CLI and the provider said about nobody in particular. */
export function notesOf(
  preview: PreviewResult,
  changes: readonly Change[],
  console: ConsoleFindings,
): string[] {
  const said = preview.diagnostics.filter(({ severity }) => severity === "warning" || severity === "error");
  const texts = [...new Set(said.map(({ severity, message }) => `${severity}: ${message}`))];
  const isPartial = hidesSame(preview) && console.unchanged === undefined;
  const [known, unknown] = [true, false].map((isKnown) =>
    changes.some(({ act, inConsole }) => act === "create" && (inConsole !== "not known") === isKnown),
  );
  const isOld = changes.some(({ act, inConsole }) => act !== "create" && inConsole === "not known");
  const ends = changes.some(({ act, outcome }) => removing.has(act) && outcome.what === "changes");
  return [
    ...texts,
    ...otherCodeNotes(preview),
    ...(isPartial ? [partialText] : []),
    ...(isOld ? [uneditedText] : []),
    ...(unknown ? [unlookedText(known === true)] : []),
    ...(ends && !texts.some((text) => text.includes(unknownAdopter)) ? [adoptedText] : []),
  ];
}

const removing: ReadonlySet<Act> = new Set(["archive", "delete", "empty"]);

const partialText =
  "This preview leaves out unchanged objects, so dependents of the changes may be missing: make it with `pulumi preview --json --show-sames`.";

const uneditedText =
  "It is not known whether these objects changed in the console after this stack last read them: the report did not ask the console about all of them.";

/** Of new objects that the console may have; `some`: it was asked about others. A preview may have looked, and found nothing to report. */
function unlookedText(some: boolean): string {
  return `It is not known whether the console already has objects with the keys of the new ones: the report did not ask about ${some ? "all of " : ""}them.`;
}

const adoptedText =
  'It is not known whether another stack has adopted an object that goes here. If one has, first set onDelete: "retain" in an update of its own, or move the resource with `pulumi state move`.';
