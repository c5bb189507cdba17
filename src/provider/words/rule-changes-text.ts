import { changesOf } from "../decisions/plan";
import type { ResourceDefinition } from "../schema/define";
import type { JsonObject } from "../schema/json";
import { pathText } from "../schema/path";
import { UNKNOWN } from "../schema/unknown";
import { quote } from "../texts/issue-text";
import { meaning } from "../values/compare";
import { objectValues, viewOf } from "../values/managed";
import { type KeptRule, type LoneRule, type MemberChange, ruleChanges } from "./rule-changes";

/** As many are named of each sort of change; the rest are counted. */
const most = 5;

/**
 * One line for each list of named objects that the program changes, to stand beside Pulumi's diff, which compares by
 * position. `olds` is the state.
 */
export function listChangeLines(
  definition: ResourceDefinition,
  olds: JsonObject,
  news: JsonObject,
): string[] {
  const changes = changesOf(definition, objectValues(news, olds));
  const before = viewOf(definition, olds);
  return Object.entries(definition.fields).flatMap(([name, { traits }]) => {
    if (traits.namedList !== true || !(name in changes)) return [];
    const [was, is] = [before[name], changes[name]].map((list) => meaning(definition, name, list));
    const text = ruleChangesText(was, is);
    return text === undefined ? [] : [`${name}: ${text}`];
  });
}

/**
 * What changed between two lists of named objects, for example `+ "Zero" at 1; "Everyone" 10 → 25 %; 4 unchanged; moved:
 * "Staff" 2 → 3`. Places count from 1, in the lists of state and the program: what only the console has counts in none. Of values only percentages are shown: others may be long, or secrets. Undefined
 * where nothing changed; what is no list counts as an empty one.
 */
export function ruleChangesText(before: unknown, after: unknown): string | undefined {
  if (after === UNKNOWN) return "not known yet";
  const { removed, added, unknown, kept } = ruleChanges(listOf(before), listOf(after));
  const changed = kept.filter(({ members }) => members.length > 0);
  const renamed = kept.filter(({ renamedFrom }) => renamedFrom !== undefined);
  const moved = kept.filter((rule) => rule.moved);
  const touched = new Set([...changed, ...renamed, ...moved]);
  if (touched.size + added.length + removed.length + unknown.length === 0) return undefined;
  const unchanged = kept.length - touched.size;
  // What is not known yet may turn out to be what seems to be removed.
  const perhaps = unknown.length > 0 ? "perhaps " : "";
  return [
    ...each(added, (rule) => `+ ${titleOf(rule)} at ${rule.at + 1}`, "added"),
    ...each(removed, (rule) => `${perhaps}− ${titleOf(rule)} (was ${rule.at + 1})`, "removed"),
    ...together("renamed", renamed, (rule) => `${quote(rule.renamedFrom)} → ${titleOf(rule)}`),
    ...each(changed, changedText, "changed"),
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...together("moved", moved, (rule) => `${titleOf(rule)} ${rule.from + 1} → ${rule.to + 1}`),
    ...together("not known yet", unknown, ({ at }) => `${at + 1}`),
  ].join("; ");
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function each<Rule extends KeptRule | LoneRule>(
  rules: readonly Rule[],
  textOf: (rule: Rule) => string,
  what: string,
): string[] {
  const rest = rules.length - most;
  return [...rules.slice(0, most).map(textOf), ...(rest > 0 ? [`${rest} more ${what}`] : [])];
}

function together<Rule extends KeptRule | LoneRule>(
  what: string,
  rules: readonly Rule[],
  textOf: (rule: Rule) => string,
): string[] {
  return rules.length === 0 ? [] : [`${what}: ${bounded(rules.map(textOf))}`];
}

function bounded(texts: readonly string[]): string {
  const rest = texts.length - most;
  return `${texts.slice(0, most).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** What a rule is called: its name, or its place where it has none. */
function titleOf(rule: KeptRule | LoneRule): string {
  return rule.name === undefined ? `#${("at" in rule ? rule.at : rule.to) + 1}` : quote(rule.name);
}

function changedText(rule: KeptRule): string {
  return `${titleOf(rule)} ${bounded(rule.members.map(memberText))}`;
}

function memberText({ path, before, after }: MemberChange): string {
  const place = pathText(path);
  if (after === UNKNOWN) return `${place} not known yet`;
  if (path.at(-1) !== "passPercentage" || typeof before !== "number" || typeof after !== "number")
    return place;
  return `${path.length > 1 ? `${place} ` : ""}${before} → ${after} %`;
}
