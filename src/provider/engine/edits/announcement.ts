import { changesOf, fromTheBeginning, stateNames } from "../../decisions/plan";
import type { ResourceDefinition } from "../../schema/define";
import { isObject, type JsonObject, stableText } from "../../schema/json";
import { calledBy } from "../../schema/object-id";
import { quote, quoteField } from "../../texts/issue-text";
import { hiddenValue } from "../../texts/secret-texts";
import { viewOf } from "../../values/managed";
import { assumedValues, type Finding } from "../claims/evidence";
import { nameOf } from "../context";

/** Most fields that are shown with their values. */
const mostShown = 10;

/**
 * What a preview says about an object that a create would take over, in lines: the first is whole in itself, the others
 * show what would change, as Pulumi shows the differences of an import. Nothing where there is none.
 */
export function announcement(
  definition: ResourceDefinition,
  finding: Finding,
  args: JsonObject,
  isSecret: (name: string) => boolean,
): string[] {
  const { found, claim } = finding;
  if (claim.act === "send") return namesakeLines(definition, finding, args);
  if (found === undefined || claim.act === "refuse") return [];
  const title = nameOf(definition, found.id);
  if (claim.act === "recreate")
    return [
      `${title} is archived: would be deleted for ever and created anew, because it cannot become what the program declares.`,
    ];
  const revived = claim.act === "unarchive";
  const { wants, names } = plannedChanges(definition, found.live, args, revived);
  const now = viewOf(definition, found.live);
  const listed = names.map((name) => `${name}${countText(now[name], wants[name])}`).join(", ");
  const what = names.length === 0 ? "matches the program" : `would change ${listed}`;
  const first = revived
    ? `${title} is archived: would be brought back${names.length === 0 ? "" : ` and ${what}`}`
    : `${title} exists: ${what}`;
  // Where the program has a secret, what is there now is likely one too.
  const valueText = (value: unknown, name: string) =>
    isSecret(name) ? hiddenValue : quoteField(definition, name, value);
  const details = names
    .slice(0, mostShown)
    .map((name) => `    ~ ${name}: ${valueText(now[name], name)} => ${valueText(wants[name], name)}`);
  return [first, ...details];
}

/** Names need not be unique: a second object of one is made without a word of the console. */
function namesakeLines(
  definition: ResourceDefinition,
  { namesakes = [] }: Finding,
  args: JsonObject,
): string[] {
  const [first, ...more] = namesakes;
  if (first === undefined) return [];
  const who = `${nameOf(definition, first)}${more.length === 0 ? "" : ` and ${more.length} more`}`;
  return [
    `${definition.title} ${quote(calledBy(definition, args))} would be another one of this name, beside ${who}, which the program does not ` +
      "manage. Set adopt: true to take over the only one there is.",
  ];
}

/** What a create would write to an object that it takes over: names of fields, and what the program wants them to be. */
export function plannedChanges(
  definition: ResourceDefinition,
  live: JsonObject,
  args: JsonObject,
  revived: boolean,
): { wants: JsonObject; names: string[] } {
  const wants = revived ? fromTheBeginning(definition, args) : args;
  const changes = changesOf(definition, live, wants, [], assumedValues(definition, wants, live));
  const states = stateNames(definition);
  return { wants, names: Object.keys(changes).filter((name) => !revived || !states.includes(name)) };
}

/** ` (+2 −1)`: how many elements a list would gain and lose. What has the same name is the same element. */
function countText(from: unknown, to: unknown): string {
  if (!Array.isArray(to)) return "";
  const before = (Array.isArray(from) ? from : []).map(called);
  const after = to.map(called);
  const counts = [
    ["+", without(after, before)],
    ["−", without(before, after)],
  ] as const;
  const texts = counts.flatMap(([sign, count]) => (count === 0 ? [] : [`${sign}${count}`]));
  return texts.length === 0 ? "" : ` (${texts.join(" ")})`;
}

const called = (element: unknown): string =>
  isObject(element) && typeof element.name === "string" ? element.name : stableText(element);

/** How many elements of a list are missing from another. Duplicates count each time. */
function without(list: readonly string[], other: readonly string[]): number {
  const left = [...other];
  return list.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  }).length;
}
