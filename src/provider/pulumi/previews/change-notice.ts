import { type Plan, stateNames } from "../../decisions/plan";
import { announcement, type Finding, nameOf, reviewLines } from "../../engine";
import { changeLines } from "../../id-lists/changes";
import type { ResourceDefinition, Warning } from "../../schema/define";
import { resourceMember } from "../../schema/internal";
import { type JsonObject, textOf } from "../../schema/json";
import { roundedNumbers } from "../../schema/number-problems";
import type { Path } from "../../schema/path";
import { argumentName, assignment, placeText } from "../../texts/argument-names";
import { quoteField } from "../../texts/issue-text";
import { hiddenValue } from "../../texts/secret-texts";
import { canonical, isNothing, sameMeaning } from "../../values/compare";
import { textFormAt } from "../../values/exact-numbers";
import { machineOf, planPath } from "../../values/machine";
import { exclusiveWith } from "../../values/states";
import { nullChangeLines } from "../../words/null-changes";
import { listChangeLines } from "../../words/rule-sentences";
import { willFail } from "../../words/text";
import type { KindInProcess } from "../process";

/** Says in a preview what Pulumi's own diff does not show, or hides among much else. */
export function announceChanges(
  kind: KindInProcess,
  { id, planned }: { readonly id: string; readonly planned: Plan },
  olds: JsonObject,
  news: JsonObject,
): void {
  const { definition, process } = kind;
  const say = (line: string) => process.reportOnce(line, news[resourceMember]);
  const isRevived = planned.how === "update" && planned.revive;
  for (const line of keptLines(kind, { id, isRevived }, olds, news)) say(line);
  // In an update that follows a preview, all of this has been said before.
  if (process.isPreview === false) return;
  const { note, secretNames } = process.run.resource(news[resourceMember]);
  // A class of this package keeps the nulls of its program.
  const textFor = note?.preview === undefined ? textArgument(definition) : undefined;
  const lines = [
    // Pulumi shows an update in which nothing differs.
    ...(isRevived ? ["it is archived: would be brought back"] : []),
    ...changeLines(definition, olds, news, process.ids.idsOf),
    ...listChangeLines(definition, olds, news, (name) => secretNames?.has(name) === true),
    ...nullChangeLines(definition, olds, news, textFor),
  ];
  const changed = planned.how === "nothing" ? [] : planned.names;
  if (planned.how !== "replace")
    lines.push(...reviewLines({ reviews: process.session().reviews }, definition, olds, news, changed));
  for (const line of lines) say(`${nameOf(definition, id)}: ${line}`);
  announceWarnings(kind, { id, changed }, olds, news);
}

/** Finds the argument that holds a value as text, by the path of a place in the value; as the program writes it. */
const textArgument = (definition: ResourceDefinition) => (path: Path) => {
  const name = textFormAt(definition, path);
  return name === undefined ? undefined : argumentName(name);
};

/** Says what the program does that is probably not meant, or that this console is known to refuse. `changed`: the arguments that are sent. */
export function announceWarnings(
  { definition, process }: KindInProcess,
  { id, changed }: { readonly id: string; readonly changed: readonly string[] },
  olds: JsonObject,
  news: JsonObject,
): void {
  const answers = process.answers();
  const isRefused = ({ path, refusedBy }: Warning) => {
    const isSent = path.length === 0 ? changed.length > 0 : changed.includes(String(path[0]));
    return isSent && refusedBy !== undefined && answers[refusedBy] === "refuse";
  };
  const rounded = changed.flatMap((name) =>
    roundedNumbers({ [name]: news[name] }, olds, textArgument(definition)),
  );
  const refusable = (definition.refusable?.(olds, news) ?? []).filter(isRefused);
  for (const warning of [...(definition.warnings?.(olds, news) ?? []), ...rounded, ...refusable]) {
    const { path, message, refusedBy } = warning;
    const place = path.length === 0 ? "" : `${placeText(definition, path)}: `;
    const text = `${nameOf(definition, id)}: ${place}${message}.`;
    const line = isRefused(warning) ? willFail(`${text} The console refuses it (${refusedBy}).`) : text;
    process.reportOnce(line, news[resourceMember]);
  }
  process.namedObjects.note(definition, { id, changed }, news);
  process.parameters.change(definition, olds, news, nameOf(definition, id));
  for (const reason of process.parameters.failures()) process.reportOnce(willFail(reason));
}

/** Values that stay because no update can clear what the program no longer sets: `gate "a" stays Disabled ...`. */
function keptLines(
  { definition, process }: KindInProcess,
  { id, isRevived }: { readonly id: string; readonly isRevived: boolean },
  olds: JsonObject,
  news: JsonObject,
): string[] {
  const { omitted = [], secretNames } = process.run.resource(news[resourceMember]);
  const states = stateNames(definition);
  const archivedField = definition.lifecycle.archived?.field;
  return omitted.flatMap((name) => {
    if (isRevived && name === archivedField) return [];
    const { serverDefault: initial, startsAction, remembered } = definition.fields[name]?.traits ?? {};
    const isState = states.includes(name);
    const others = isState ? states : exclusiveWith(definition, name);
    if (startsAction === true || others.some((other) => news[other] !== undefined)) return [];
    if (remembered === true)
      return [
        `${nameOf(definition, id)}: removing ${argumentName(name)} changes nothing: no update can clear it.`,
      ];
    if (sameMeaning(definition, name, olds[name], initial)) return [];
    const shown = (one: unknown) => quoteField(definition, name, canonical(definition, name, one));
    const value = secretNames?.has(name) ? hiddenValue : shown(olds[name]);
    const state = textOf(olds[archivedField ?? name]);
    const stays = isState && !isRevived ? `stays ${state}` : `stays with ${argumentName(name)}: ${value}`;
    const machine = isState ? machineOf(definition) : undefined;
    const way = { from: String(olds[name]), to: String(initial), args: news, edits: [] };
    const isNoWay = machine !== undefined && "problems" in planPath(definition, machine, way);
    const advice =
      isNothing(initial) || isNoWay
        ? ""
        : ` Set ${assignment(name, canonical(definition, name, initial))} to change it.`;
    return [`${nameOf(definition, id)} ${stays}: the program no longer sets ${argumentName(name)}.${advice}`];
  });
}

/** Reports what a create will do about the object that was found in its place. */
export function announceFinding(
  { definition, process }: KindInProcess,
  finding: Finding,
  inputs: JsonObject,
): void {
  const lines = announcement(process.declared(definition, inputs), finding);
  if (lines.length > 0) process.reportOnce(lines.join("\n"), inputs[resourceMember]);
}
