import { unknownAdopter } from "../../../provider/decisions/claim";
import { type ShareClaim, shareClaimOf } from "../../../provider/decisions/declared-shares";
import {
  codeOf,
  foreignCode,
  foreignCodeAdvice,
  foreignCodeText,
  otherCode,
  otherCodeNotice,
} from "../../../provider/pulumi/runs/foreign-code";
import { programId } from "../../../provider/schema/object-id";
import { urnParts } from "../../../provider/schema/urn";
import { occurrences } from "../../../provider/texts/count-text";
import { failureIn, hiddenValue } from "../../../provider/words";
import { hidesSame, type PreviewResult } from "../../stack/preview";
import { typeInUrn } from "../../stack/stack";
import { keyOf, staysInConsole, valuesByKey } from "../references";
import type { Act, Change, Reason, Review } from "../review";
import { objectText, type Subject } from "../subjects";
import type { ConsoleFindings } from "./findings";

/** Project and stack of a preview, from the names of its resources. */
export function stackIn({ steps: [first] }: PreviewResult): { project?: string; stack?: string } {
  if (first === undefined) return {};
  const { project, stack } = urnParts(first.urn);
  return { project, stack };
}

/** Lines of the provider about a subject. `isOfPlace`: it begins with the name of an argument that is no set of ids. */
export function linesAbout(
  { definition, program, called }: Subject,
  diagnostics: PreviewResult["diagnostics"],
) {
  const object = objectText(definition, called);
  return diagnostics.flatMap(({ severity, message }) => {
    if (program === undefined || severity !== "info" || !message.startsWith(object)) return [];
    const text = message.slice(object.length).replace(/^:? /, "");
    const traits = definition.fields[text.split(/[ :.[]/, 1)[0] ?? ""]?.traits;
    return [{ message, text, traits, isOfPlace: traits !== undefined && traits.valueType === undefined }];
  });
}

/**
 * Warnings of the preview about places of a subject, such as a name that nothing has. Those of the definition are none of them: the
 * review asks it itself; nor are the lines about changes of a list of rules and of nulls.
 */
export function warningsIn(
  { definition, outputs, program = outputs }: Subject,
  lines: ReturnType<typeof linesAbout>,
): string[] {
  const own = [outputs, program].flatMap((args) => definition.warnings?.(outputs, args) ?? []);
  return lines.flatMap(({ text, traits, isOfPlace }) => {
    const isChange = text.includes(" → ") || (traits?.namedList === true && /^\w+: /.test(text));
    const isOwn = own.some(({ message }) => text.endsWith(`: ${message}.`));
    const isWarning = isOfPlace && !isChange && !isOwn && /^\w+[:.[]/.test(text);
    return isWarning ? [text.replace(/\.$/, "")] : [];
  });
}

/** Lines that add to the review: what it would take over, whether a change waits for people, numbers of ids. No reason repeats them. */
export function noticesIn(lines: ReturnType<typeof linesAbout>, reasons: readonly Reason[]): string[] {
  const isTold = (line: string) => reasons.some(({ text }) => line.startsWith(text));
  return lines.flatMap(({ message, text, isOfPlace }) => (isOfPlace || isTold(message) ? [] : [text]));
}

/** Counts of acts, risks and outcomes, and of the resources that a review does not describe. */
export function countsOf(
  { steps, summary }: PreviewResult,
  subjects: readonly Subject[],
  changes: readonly Change[],
): Review["counts"] {
  const done = changes.filter(({ outcome }) => outcome.what === "changes");
  const others = changes.flatMap(({ outcome }) => (outcome.what === "changes" ? [] : [outcome.what]));
  const risks = occurrences(changes.map(({ risk }) => risk));
  const own = new Set(subjects.map(({ urn }) => urn));
  // The stack itself and providers, nobody sees.
  const foreign = steps.filter(({ urn }) => !own.has(urn) && !typeInUrn(urn).startsWith("pulumi:"));
  const seen = steps.filter(({ op }) => op === "same");
  // The CLI leaves what stays out of its JSON unless it is asked, and counts it all the same; the stack itself is one of them.
  const hidden = Math.max((summary.same ?? seen.length) - seen.length, 0);
  const unchanged = seen.filter(({ urn }) => own.has(urn)).length + hidden;
  return {
    acts: Object.fromEntries(occurrences(done.map(({ act }) => act))),
    risks: { high: 0, medium: 0, low: 0, info: 0, ...Object.fromEntries(risks) },
    outcomes: Object.fromEntries(occurrences(others)),
    ...{ unchanged, others: foreign.filter(({ op }) => op !== "same").length },
  };
}

/** Notes on the report itself, and lines of the CLI and the provider that are about no object. */
export function notesOf(preview: PreviewResult, changes: readonly Change[], console: ConsoleFindings) {
  const said = preview.diagnostics.filter(
    ({ severity, message }) =>
      severity === "error" || (severity === "warning" && failureIn(message) === undefined),
  );
  const texts = [...new Set(said.map(({ severity, message }) => `${severity}: ${message}`))];
  const isPartial = hidesSame(preview) && console.unchanged === undefined;
  const have = (isNew: boolean, isKnown: boolean) =>
    changes.some((one) => (one.act === "create") === isNew && (one.inConsole !== "not known") === isKnown);
  const ends = changes.some(({ act, outcome }) => removing.has(act) && outcome.what === "changes");
  return [
    ...texts,
    ...otherCodeNotes(preview),
    ...(isPartial ? [partialText] : []),
    ...(have(false, false) ? [uneditedText(have(false, true))] : []),
    ...(have(true, false) ? [unlookedText(have(true, true))] : []),
    ...(ends && !texts.some((text) => text.includes(unknownAdopter)) ? [adoptedText] : []),
  ];
}

const removing: ReadonlySet<Act> = new Set(["archive", "delete", "empty"]);

const partialText =
  "This preview leaves out unchanged objects, so dependents of the changes may be missing: make it with `pulumi preview --json --show-sames`.";

/** Of objects that the console may have otherwise; `some`: it was asked about others. */
function uneditedText(some: boolean): string {
  return `It is not known whether these objects changed in the console after this stack last read them: the report did not ask the console about ${some ? "all of " : ""}them.`;
}

/** Of new objects that the console may have. A preview may have looked, and found nothing to report. */
function unlookedText(some: boolean): string {
  return `It is not known whether the console already has objects with the keys of the new ones: the report did not ask about ${some ? "all of " : ""}them.`;
}

const adoptedText =
  'It is not known whether another stack has adopted an object that goes here. If one has, first set onDelete: "retain" in an update of its own, or move the resource with `pulumi state move`.';

/** @throws Error where the state that a preview shows holds foreign code: then nothing in it can be relied on. */
export function requireOwnCode({ steps }: PreviewResult): void {
  const urns = foreignCode(steps.flatMap(({ oldState }) => oldState ?? []));
  if (urns.length > 0) throw new Error(`${foreignCodeText(urns)} ${foreignCodeAdvice}`);
}

/** A note on code in the state that neither this package nor the program brings; none where the preview reports it itself. */
function otherCodeNotes({ steps, diagnostics }: PreviewResult): string[] {
  const registered = steps.flatMap(({ newState }) => {
    const text = newState?.inputs?.__provider;
    // The preview hides a secret, so nothing can be compared with it.
    return newState === undefined || typeof text !== "string" || text === hiddenValue
      ? []
      : [codeOf(newState.type, text)];
  });
  const states = steps.flatMap(({ oldState }) => oldState ?? []);
  const urns = otherCode(states, new Set(registered));
  const note = otherCodeNotice(urns);
  return urns.length === 0 || diagnostics.some(({ message }) => message === note) ? [] : [note];
}

/**
 * Claims to shares that objects have in common, before or after the update: of the objects of the preview, and of those of the
 * console that are not in it.
 */
export function claimsIn(
  subjects: readonly Subject[],
  console: ConsoleFindings,
  when: "before" | "after",
): ShareClaim[] {
  const { objects } = console;
  const own = new Set(subjects.map(({ definition, id }) => keyOf(definition.name, id)));
  const live = valuesByKey(objects);
  const labelOf = (urns: readonly string[] | null = []) => {
    const source = subjects.find(({ urn }) => urns?.length === 1 && urn === urns[0]);
    return source && objectText(source.definition, source.called);
  };
  const claimOf = ({ definition, id, outputs, program = {}, changes, state, called, step }: Subject) => {
    const now = live.get(keyOf(definition.name, id));
    // Values that only people changed stay, whatever the program says.
    const sent = now === undefined || state === undefined ? program : changes;
    const args = when === "before" ? (now ?? outputs) : { ...(now ?? outputs), ...sent };
    const sources = step.newState?.propertyDependencies ?? {};
    return (
      shareClaimOf(definition, args, objectText(definition, called), (one) => labelOf(sources[one])) ?? []
    );
  };
  const others = objects.filter(({ definition, id }) => !own.has(keyOf(definition.name, id)));
  const leaving = subjects.filter(({ program }) => program === undefined);
  const left = leaving.filter((one) => staysInConsole(one, console));
  const declared = subjects.filter(({ program }) => program !== undefined);
  return [
    // Of two resources of one object the last counts: the program's.
    ...[...(when === "before" ? leaving : left), ...declared].flatMap(claimOf),
    ...others.flatMap(
      ({ definition, id, values }) =>
        shareClaimOf(definition, values, objectText(definition, programId(definition, values) ?? id)) ?? [],
    ),
  ];
}
