import { overclaimText } from "../../../provider/decisions/declared-shares";
import { releasePipeline } from "../../../provider/definitions/flags/release-pipeline";
import { reviewsIn } from "../../../provider/engine";
import { fieldsWith } from "../../../provider/schema/define";
import { isObject, type JsonObject } from "../../../provider/schema/json";
import { type Path, valueAt } from "../../../provider/schema/path";
import { referencesIn } from "../../../provider/schema/references";
import { argumentText, nameIn, timeText } from "../../../provider/words";
import { type Level, levels, type Reason } from "../review";
import { isFirst } from "../subjects";
import { endReasons, endsUse, reason, replacementReasons, useReasons } from "./end-reasons";
import { hasUnreadEdit } from "./live-changes";
import { passingOf } from "./passing";
import { consequenceReasons, shareReasons, tableReasons } from "./reach-reasons";
import type { ReasonGround } from "./reason-ground";
import { valueReasons } from "./value-reasons";

/** Why a change is as risky as it is, worst first. */
export function reasonsOf(ground: ReasonGround): Reason[] {
  const { outcome } = ground;
  if (outcome.what === "left") return [reason("outcome", "low", `nothing happens: ${outcome.why}`)];
  const facts = [
    ...outcomeReasons(ground),
    ...endReasons(ground),
    ...replacementReasons(ground),
    ...stateReasons(ground),
    ...consequenceReasons(ground),
    ...ground.said.tables.flatMap((table) => tableReasons(ground, table)),
    ...shareReasons(ground),
    ...(ground.overclaim === undefined ? [] : [reason("warning", "medium", overclaimText(ground.overclaim))]),
    ...valueReasons(ground),
    ...adoptionReasons(ground),
    ...consoleReasons(ground),
    ...warningReasons(ground),
  ];
  const isRisky = facts.some(({ level }) => level === "high" || level === "medium");
  const all = [...facts, ...(endsUse(ground.subject.act) ? [] : useReasons(ground, isRisky))];
  const once = [...new Map(all.map((one) => [one.text, one])).values()];
  return once.sort((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level));
}

/** The worst level of reasons; "low" for a change without any. */
export function riskOf(facts: readonly Reason[]): Level {
  const worst = facts[0]?.level ?? "low";
  return worst === "info" ? "low" : worst;
}

/** Reasons for which the change does not come, or may not. */
function outcomeReasons({ outcome: { what, why = "" } }: ReasonGround): Reason[] {
  if (what === "fails") return [reason("outcome", "high", `this update will fail: ${why}`)];
  return what === "not known"
    ? [reason("outcome", "medium", `whether this update will fail is not known: ${why}`)]
    : [];
}

const stateLevels: Readonly<Record<string, readonly [Level, string]>> = {
  launch: ["high", "launched to everyone: its rules are ignored"],
  disable: ["high", "it is switched off"],
  archive: ["medium", "it is taken out of use"],
  enable: ["medium", "its rules take effect"],
  start: ["medium", "units are assigned to its groups"],
  makeDecision: ["high", "an experiment ends and one group's values go to everyone whom it targets"],
  abandon: ["high", "an experiment ends without a decision: everyone gets what they would without it"],
  reset: ["high", "it begins anew"],
};

function stateReasons({ said, subject }: ReasonGround): Reason[] {
  const isNew = subject.act === "create";
  // Nobody was let in, and nobody is.
  const isUnfelt =
    !isNew && said.consequence === undefined && passingOf(subject.definition, subject.before) !== undefined;
  return said.moves.flatMap(({ action, loses }): Reason[] => {
    const [level, text] = stateLevels[action ?? ""] ?? ["medium", "its state changes"];
    const lost = loses === undefined ? [] : [reason("results", "high", loses)];
    return [reason("state", isUnfelt || isNew ? "low" : level, text), ...lost];
  });
}

function adoptionReasons({ subject: { act, before, definition } }: ReasonGround): Reason[] {
  const overwrites = "an object that exists comes under the program, which overwrites what differs";
  const isReadable = definition.lifecycle.read.how !== "remember";
  const why = isReadable ? "the report did not ask the console" : "no request reads them";
  const unseen = `its present values are not known: ${why}`;
  if (act === "adopt")
    return [overwrites, ...(isFirst(before) ? [unseen] : [])].map((one) => reason("adoption", "medium", one));
  return act === "restore" ? [reason("end", "medium", "it comes back from the archive")] : [];
}

function consoleReasons({ subject, said, live, lastChange, edit, overwrites }: ReasonGround): Reason[] {
  const { definition, outputs, state } = subject;
  const overwritten = overwrites ? "; this update overwrites it" : "";
  const facts = edit.conflicts.map(({ now, seen }) =>
    reason("console", "high", `console now: ${now}, when this stack last saw it: ${seen}${overwritten}`),
  );
  const { at, by } = lastChange;
  const isUnread = live && state && at !== undefined && hasUnreadEdit(definition, state, live);
  if (facts.length === 0 && isUnread) {
    const author = by ? `, by ${by}` : "";
    const text = `changed in the console since this stack last read it${author}, ${timeText(at)}: refresh first`;
    facts.push(reason("console", "medium", text));
  }
  const reviews = fieldsWith(definition, ({ traits }) => traits.openReview === true);
  const own = new Set(reviewsIn(state ?? {}).map(({ id }) => id));
  const isOther = (review: unknown) => isObject(review) && !own.has(String(review.reviewID));
  if (reviews.some((name) => isOther((live ?? outputs)[name])))
    facts.push(reason("review", "medium", "a review of another change is open in the console"));
  const staged = referencesIn(definition, subject.program ?? {}).some(
    ({ kind }) => kind === releasePipeline.name,
  );
  if (staged && subject.act === "update" && said.tables.length > 0)
    facts.push(reason("stages", "info", "a release pipeline brings the rules out in stages"));
  return facts;
}

/** Warnings of the definition that the state gave no reason for yet, and those of the preview. */
function warningReasons({ subject: { definition, outputs, program }, warnings }: ReasonGround): Reason[] {
  const textsOf = (args: JsonObject | undefined) =>
    (args && definition.warnings?.(outputs, args))?.map(
      ({ path, message }) => `${placeNamed(args, path)}: ${message}`,
    ) ?? [];
  const known = textsOf(outputs);
  const texts = [...textsOf(program).filter((text) => !known.includes(text)), ...warnings];
  return texts.map((text) => reason("warning", "medium", text));
}

/** A place by the names of the elements on the way: `groups "control" size`. */
function placeNamed(args: JsonObject, path: Path): string {
  return path
    .map((step, depth) => {
      if (typeof step === "string") return argumentText(step);
      const element = valueAt(args, path.slice(0, depth + 1));
      return isObject(element) && typeof element.name === "string" ? nameIn(element.name) : String(step + 1);
    })
    .join(" ");
}
