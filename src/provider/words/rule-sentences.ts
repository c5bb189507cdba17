import { changesOf } from "../decisions/plan";
import type { ResourceDefinition } from "../schema/define";
import { type JsonObject, picked } from "../schema/json";
import { UNKNOWN } from "../schema/unknown";
import { countOf } from "../texts/count-text";
import { meaning } from "../values/compare";
import { objectValues, viewOf } from "../values/managed";
import { isArchived, reachOf, stateNames } from "../values/states";
import type { Where } from "./reach-changes";
import type { Unreachable } from "./reach-words";
import { type RuleRow, type RuleSide, ruleRows } from "./rule-rows";
import { everywhere, getText, shareText, whereText, whomText } from "./rules";
import { percentText, unknownText } from "./text";

/** A sentence, and the environments in which it holds; without them it names its own. */
export interface RuleSentence {
  readonly text: string;
  readonly environments?: string;
  /** It counts the rules that stay. */
  readonly isRest?: true;
}

/**
 * One line for each list of rules that the program changes, to stand beside Pulumi's diff, which compares by position. `olds` is the
 * state; `isSecret`: true for an argument that holds a secret now.
 */
export function listChangeLines(
  definition: ResourceDefinition,
  olds: JsonObject,
  news: JsonObject,
  isSecret: (name: string) => boolean = () => false,
): string[] {
  const changes = changesOf(definition, objectValues(news, olds));
  const before = viewOf(definition, olds);
  return Object.entries(definition.fields).flatMap(([name, { traits }]) => {
    if (traits.namedList !== true || !(name in changes)) return [];
    if (isSecret(name)) return [`${name}: changes, with a secret in it`];
    const [was, is] = [before[name], changes[name]].map((list) => meaning(definition, name, list));
    const text = ruleListText(was, is, { idType: news.idType ?? before.idType, hidesBefore: true });
    const standing = standingText(definition, before, news);
    return text === undefined ? [] : [`${name}: ${standing === undefined ? "" : `${standing}; `}${text}`];
  });
}

/** Text about rules that do not count, before or after; undefined where they do. */
function standingText(
  definition: ResourceDefinition,
  before: JsonObject,
  news: JsonObject,
): string | undefined {
  // It comes back, or the update is refused.
  if (isArchived(definition, before)) return undefined;
  const set = stateNames(definition).filter((name) => news[name] !== undefined);
  const [was, is] = [before, set.length === 0 ? before : picked(news, set)].map((one) =>
    reachOf(definition, one),
  );
  return was === is && (is === "nobody" || is === "everybody") ? noEffectText(is) : undefined;
}

/** `no effect while it is off`: of rules that do not count in such a state. */
export function noEffectText(reach: "nobody" | "everybody"): string {
  return `no effect while it is ${reach === "nobody" ? "off" : "launched"}`;
}

/**
 * The change of a list of rules in one line: `10 % → 25 % of everyone; rule "Staff" unchanged`. Undefined where nothing changed.
 * `hidesBefore`: former values may be secrets that nothing marks any more, and the console may have other rules beside those of the
 * list; then only former shares are shown, and nothing of what rules take from each other.
 */
export function ruleListText(
  before: unknown,
  after: unknown,
  { idType, hidesBefore = false }: { readonly idType?: unknown; readonly hidesBefore?: boolean } = {},
): string | undefined {
  if (after === UNKNOWN) return unknownText;
  const rows = ruleRows(before, after, { before: { idType }, after: { idType } });
  const sentences = ruleSentences(hidesBefore ? rows.flatMap(withoutNeighbours) : rows, { hidesBefore });
  if (sentences.every(({ isRest }) => isRest)) return undefined;
  return sentencesText(
    sentences.map(({ text, environments }) =>
      environments === undefined || environments === everywhere ? { text } : { text, environments },
    ),
  );
}

/** A row without what other rules take from it; none where that alone changes: such a rule is not unchanged. */
function withoutNeighbours({
  shift: _,
  unreachable: _covered,
  condition: _changed,
  ...row
}: RuleRow): RuleRow[] {
  return row.what === "touched" ? [] : [row];
}

/** Sentences about the rules that change, and one about the rest. `isNew`: there is nothing before. */
export function ruleSentences(
  rows: readonly RuleRow[],
  { isNew = false, hidesBefore = false } = {},
): RuleSentence[] {
  const changed = rows.flatMap((row): RuleSentence[] => {
    const text = isNew ? newRuleText(row) : ruleRowText(row, hidesBefore);
    const environments = sharedEnvironments(row);
    return text === undefined ? [] : [{ text, ...(environments === undefined ? {} : { environments }) }];
  });
  const rest = unchangedText(rows);
  return rest === undefined ? changed : [...changed, { text: rest, isRest: true }];
}

function newRuleText({ after, name }: RuleRow): string | undefined {
  if (after === undefined) return undefined;
  const gives = after.gives === undefined ? "" : ` ${getText(after)} ${after.gives}`;
  return `${shareText(after)}${gives}${inRule({ name, after })}`;
}

/** A row in a sentence, without the environments in which it holds; undefined for one that did not change. */
export function ruleRowText(row: RuleRow, hidesBefore = false): string | undefined {
  const { what, before, after, name, shift } = row;
  if (what === "unchanged") return undefined;
  if (what === "touched") return touchedText(row);
  if (what === "unknown") return `rule ${name} ${unknownText}`;
  if (after === undefined) {
    const was = hidesBefore ? "" : ` (it let in ${sideText(before as RuleSide)})`;
    return `rule ${name} ${row.isOpen === true ? "may be" : "is"} removed${was}`;
  }
  if (before === undefined) return `new rule ${name}: ${sideText(after)}${coveredText(row)}`;
  const shown = hidesBefore ? { ...row, gives: row.gives && (after.gives ?? "no value") } : row;
  const changes = [...reachChange(row, before, after, hidesBefore), ...otherChanges(shown, before, after)];
  // Long lists are cut, so that their difference may not show in words.
  const said = changes.length > 0 ? changes.join(", ") : `the conditions of rule ${name} change`;
  const shifted =
    shift === undefined || row.unreachable !== undefined
      ? ""
      : `, and ${changes.length === 1 && row.moved ? "" : "it "}${shift}`;
  return `${said}${coveredText(row)}${shifted}`;
}

function touchedText({ name, shift, unreachable }: RuleRow): string {
  if (unreachable === undefined) return `rule ${name} ${shift}`;
  return `nobody reaches rule ${name} any more: ${unreachable.because}`;
}

function coveredText({ unreachable, unreachableBefore }: RuleRow): string {
  if (unreachable === undefined) return "";
  const text = unreachableText(unreachable, "it");
  return unreachableBefore === true ? `, without effect: ${text}` : `, where ${text}`;
}

/** Why nobody gets what a rule gives, in a sentence: `nobody reaches it: rule "All" before it takes everyone`. */
export function unreachableText({ nobody, because }: Unreachable, rule: string): string {
  return `nobody ${nobody} ${rule}: ${because}`;
}

function sideText(side: RuleSide): string {
  return [shareText(side), ...(side.gives === undefined ? [] : [`which get ${side.gives}`])].join(", ");
}

/** Names the rule, unless its audience is the rule's name. */
function inRule({ name, after }: Pick<RuleRow, "name" | "after">): string {
  const audience = after?.audience ?? "";
  return name.toLowerCase() === `"${audience}"` ? "" : ` (rule ${name})`;
}

function reachChange(row: RuleRow, before: RuleSide, after: RuleSide, hidesBefore: boolean): string[] {
  const isSameAudience = before.audience === after.audience;
  if (before.share === after.share && isSameAudience) return [];
  if (isSameAudience && before.share !== undefined && after.share !== undefined)
    return [
      `${percentText(before.share)} → ${percentText(after.share)} of ${row.kept?.whom ?? whomText(after)}${inRule(row)}`,
    ];
  if (before.share === after.share && row.condition !== undefined && after.share !== undefined)
    return [`${row.condition} (rule ${row.name}, ${percentText(after.share)})`];
  const was = hidesBefore ? "now" : `${shareText(before)} →`;
  return [`${was} ${shareText(after)} (rule ${row.name})`];
}

function otherChanges(row: RuleRow, before: RuleSide, after: RuleSide): string[] {
  const { name, moved, renamedFrom, gives } = row;
  const said = [
    ...(before.environments === after.environments
      ? []
      : [`(${shareText(after)}) holds in ${after.environments} instead of ${before.environments}`]),
    ...(gives === undefined ? [] : [`gives ${gives}`]),
    ...(moved ? [row.movedPast ?? `moves from place ${before.place} to ${after.place}`] : []),
    ...(renamedFrom === undefined ? [] : [`was called ${renamedFrom}`]),
  ];
  return said.length === 0 ? [] : [`rule ${name} ${said.join(", ")}`];
}

/** `rule "Staff" unchanged`, `3 other rules unchanged`; undefined where there is none. */
function unchangedText(rows: readonly RuleRow[]): string | undefined {
  const names = rows.filter((row) => row.what === "unchanged").map(({ name }) => name);
  if (names.length === 0) return undefined;
  if (names.length > 2) return `${countOf(names.length, "other rule")} unchanged`;
  return `${names.length === 1 ? "rule" : "rules"} ${names.join(" and ")} unchanged`;
}
/** Environments in which a rule holds, or units come to it; undefined where they change, which a sentence of its own says. */
function sharedEnvironments(row: RuleRow): string | undefined {
  const { before, after, kept, what } = row;
  // Whom other rules take from it, and where, its own sentence says.
  if (what === "touched") return undefined;
  const [was, is] = [before?.environments, after?.environments];
  if (was !== undefined && is !== undefined && was !== is) return undefined;
  const reached = before !== undefined && after !== undefined ? kept?.where : (after ?? before)?.where;
  return reachedText(after ?? before, reached) ?? is ?? was;
}

/** Environments in which units come to a rule, if other rules take some of them: `outside production`. */
function reachedText(side: RuleSide | undefined, reached: Where | undefined): string | undefined {
  if (side === undefined || reached === undefined) return undefined;
  const { environmentNames: names, audience } = side;
  const declared: Where = { all: names === null, names: names ?? [] };
  const isSame =
    declared.all === reached.all &&
    new Set([...declared.names, ...reached.names]).size === declared.names.length &&
    declared.names.length === reached.names.length;
  return isSame || audience.includes("environment") ? undefined : whereText(reached).replace(/^in /, "");
}

/** A sentence with the environments in which it holds: `production: 10 % → 50 % of everyone`. */
export function sentenceText({ text, environments }: RuleSentence): string {
  return environments === undefined ? text : `${environments}: ${text}`;
}

/** Most sentences in one line; one more takes no more room than its count. */
const most = 4;

/** True for sentences of which one line names each. */
export function fitInLine({ length }: readonly RuleSentence[]): boolean {
  return length <= most + 1;
}

/** Sentences in one line: those of one environment together, `production: 10 % → 50 % of everyone; rule "Staff" unchanged`. */
export function sentencesText(sentences: readonly RuleSentence[]): string {
  const shown = fitInLine(sentences) ? sentences : sentences.slice(0, most);
  const rest = sentences.length - shown.length;
  const groups: { environments: string | undefined; texts: string[] }[] = [];
  for (const { environments, text } of shown) {
    const last = groups.at(-1);
    if (last !== undefined && last.environments === environments) last.texts.push(text);
    else groups.push({ environments, texts: [text] });
  }
  const texts = groups.map(({ environments, texts: inside }) =>
    sentenceText({ text: inside.join("; "), ...(environments === undefined ? {} : { environments }) }),
  );
  return [...texts, ...(rest > 0 ? [countOf(rest, "more change")] : [])].join("; ");
}
