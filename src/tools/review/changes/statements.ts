import { fieldsWith, inputNames } from "../../../provider/schema/define";
import type { JsonObject } from "../../../provider/schema/json";
import { idArguments, nameArguments, nameField } from "../../../provider/schema/object-id";
import { isNothing, meaning, sameMeaning } from "../../../provider/values/compare";
import { machineOf } from "../../../provider/values/machine";
import {
  argumentChangeText,
  argumentText,
  argumentTextsApart,
  hiddenValue,
  type NewObjectName,
  noEffectText,
  ruleRows,
  ruleSentences,
  valueChanges,
  valueText,
} from "../../../provider/words";
import type { ArgumentChange, RuleTable, Statement } from "../review";
import { type ChangingObject, isFirst } from "../subjects";
import { endsForGood } from "./end-reasons";
import { type Consequence, consequenceOf } from "./passing";
import { reachesOf } from "./reach-effects";
import type { Description } from "./reason-ground";
import { secretChange } from "./secret-changes";
import { isState, rotationOf, type StateMove, stateMove } from "./state-moves";

/** Describes the changed arguments of a subject. `newName`: names of objects whose ids only the update makes. */
export function describe(
  subject: ChangingObject,
  newName: (argument: string) => NewObjectName = () => () => undefined,
  { live, now }: { readonly live?: JsonObject | undefined; readonly now?: number | undefined } = {},
): Description {
  const parts = namesToSay(subject).map((name) => partOf(subject, name, { newName: newName(name), now }));
  const moves = parts.flatMap(({ move }) => move ?? []);
  const consequence = consequenceOf(subject, now);
  const statements = [
    ...moveStatements(subject, moves, consequence),
    ...standingStatements(subject, parts, live),
    ...parts.flatMap((part) => part.statements ?? []),
    ...sharedOutStatements(subject, moves),
    ...(subject.act === "empty" ? emptiedStatements(subject) : []),
  ];
  return {
    statements: statements.sort((one, other) => order.indexOf(one.about) - order.indexOf(other.about)),
    tables: parts.flatMap(({ table }) => table ?? []),
    values: parts.flatMap(({ values }) => values ?? []),
    moves,
    consequence,
  };
}

/** Moves of the object, and their effect. The act itself names a move to the archive or back. */
function moveStatements(
  { act, definition, before }: ChangingObject,
  moves: readonly StateMove[],
  consequence: Consequence | undefined,
): Statement[] {
  const told = act === "archive" || act === "restore" ? [] : moves;
  if (consequence === undefined) return told.map(({ text }) => ({ about: "state", text }));
  const isForGood = endsForGood({ definition, act, outputs: before });
  const says = isForGood
    ? "ends for good, its results stay in the archive"
    : told.map((move) => move.says).join(", ");
  return [{ about: "state", text: says === "" ? consequence.text : `${says}: ${consequence.text}` }];
}

/** That rules which change do not count, before or after. */
function standingStatements(
  subject: ChangingObject,
  parts: readonly Part[],
  live: JsonObject | undefined,
): Statement[] {
  if (isFirst(subject.before) || !parts.some(({ table }) => table !== undefined)) return [];
  const [was, is] = reachesOf(subject, live);
  if (was !== is || was === "rules") return [];
  return [{ about: "state", text: noEffectText(was) }];
}

/** The units that an object loses with a part that is emptied. */
function emptiedStatements({ definition, before }: ChangingObject): Statement[] {
  const own = idArguments(definition);
  return inputNames(definition).flatMap((name): Statement[] => {
    const value = before[name];
    const isList = Array.isArray(value) && value.length > 0;
    if (!isList || own.includes(name)) return [];
    return [{ about: "reach", text: `${argumentText(name)}: ${valueText(value)} removed` }];
  });
}

/** The share of units that take part in an experiment that starts, where the share stays. */
function sharedOutStatements(
  { definition, program = {}, before, changes }: ChangingObject,
  moves: readonly StateMove[],
): Statement[] {
  if (isFirst(before) || !moves.some(({ action }) => action === "start")) return [];
  return fieldsWith(definition, ({ traits }) => traits.share === true).flatMap((name): Statement[] => {
    const share = program[name] ?? before[name];
    if (name in changes || typeof share !== "number") return [];
    const text = argumentChangeText(definition, name, undefined, share, { values: program });
    return [{ about: "reach", text }];
  });
}

const order: readonly Statement["about"][] = ["state", "reach", "value", "rest"];

interface Part {
  readonly statements?: readonly Statement[];
  readonly table?: RuleTable;
  readonly values?: readonly ArgumentChange[];
  readonly move?: StateMove;
}

/** Arguments that change, but for names that only repeat what the object is called. */
function namesToSay({ act, definition, changes, before, called, program }: ChangingObject): string[] {
  const isNew = isFirst(before);
  const naming = isNew ? nameArguments(definition) : [];
  const { field = "", moves = [] } = machineOf(definition) ?? {};
  const named = moves.flatMap(({ to, needs = [] }): readonly string[] =>
    to === program?.[field] ? needs : [],
  );
  return Object.keys(changes).filter((name) => {
    // That it is taken over is said already.
    if (name === "adopt") return false;
    if (isNew && isNothing(changes[name])) return false;
    // An empty list takes nothing from what is new.
    const isEmpty = Array.isArray(changes[name]) && isNothing(meaning(definition, name, changes[name]));
    if (act === "create" && isEmpty && definition.fields[name]?.traits.namedList !== true) return false;
    if (naming.includes(name)) return name === nameField && changes[name] !== called;
    // The move names the decision and its reason.
    return !named.includes(name);
  });
}

/** Context of words beside the object. */
type Scene = { readonly newName: NewObjectName; readonly now: number | undefined };

function partOf(subject: ChangingObject, name: string, scene: Scene): Part {
  const { definition, before, changes, program = {} } = subject;
  const after = changes[name];
  // A list that is a secret, or not known yet, is a text here.
  if (
    definition.fields[name]?.traits.namedList === true &&
    ![before[name], after].some((list) => typeof list === "string")
  )
    return rulesPart(subject, name, scene);
  const values = valueRows(subject, name);
  if (isState(definition, name)) {
    const isStart = before[name] === undefined;
    const move = stateMove(definition, name, { from: before[name], to: after, args: program });
    // A new object that begins as every object does needs no words.
    if (isStart && sameMeaning(definition, name, definition.fields[name]?.traits.serverDefault, after))
      return { values };
    return { values, move };
  }
  const rotation = rotationOf(subject, name);
  if (rotation !== undefined) {
    const label = argumentChangeText(definition, name, before[name], after);
    return { statements: [{ about: "state", text: `${label}: ${rotation.text}` }], values };
  }
  const share = definition.fields[name]?.traits.share === true;
  const secret = secretChange(name, [before[name], after], subject.changedPaths);
  const [was, is] = meanings(subject, name);
  const text = argumentChangeText(definition, name, was, is, {
    ...{ secret, values: program },
    ...(subject.unset === undefined ? {} : { unset: subject.unset }),
  });
  return { statements: [{ about: share ? "reach" : "value", text }], values };
}

/** An argument before and after, without what the console adds to elements, such as their ids. */
function meanings(
  { definition, before, changes }: Pick<ChangingObject, "definition" | "before" | "changes">,
  name: string,
): [unknown, unknown] {
  const meant = (value: unknown) => (typeof value === "object" ? meaning(definition, name, value) : value);
  return [meant(before[name]), meant(changes[name])];
}

/** One row for each place of an object or a list that changes; one for the whole of anything else. */
function valueRows(
  { definition, before, changes, changedPaths }: ChangingObject,
  name: string,
): ArgumentChange[] {
  const [was, is] = meanings({ definition, before, changes }, name);
  const isWhole = definition.fields[name]?.traits.valueType !== undefined;
  const inside = isWhole || was === undefined || is === undefined ? [] : valueChanges(was, is);
  const { places } = secretChange(name, [was, is], changedPaths);
  const secrets = places.map((place) => ({ place, before: hiddenValue, after: hiddenValue }));
  const all = [...inside, ...(was === undefined ? [] : secrets)];
  if (all.some(({ place }) => place !== "") || all.length > 1)
    return all.map(({ place, before: old, after: next }) => ({
      ...{ argument: name, ...(place === "" ? {} : { place }) },
      ...{ before: old, after: next },
    }));
  const [old, next] = argumentTextsApart(definition, name, was, is);
  return [{ argument: name, before: old, after: next }];
}

function rulesPart(
  { definition, before, changes, program = {} }: ChangingObject,
  name: string,
  { newName, now }: Scene,
): Part {
  const isNew = isFirst(before);
  const wording = { idType: program.idType ?? before.idType };
  const [was, is] = [before[name], changes[name]].map((list) => meaning(definition, name, list));
  const rows = ruleRows(was, is, {
    ...{ before: { ...wording }, after: { ...wording, newName } },
    ...(now === undefined ? {} : { now }),
  });
  const table = rows.length === 0 ? {} : { table: { argument: name, rows } };
  const sentences = ruleSentences(rows, { isNew });
  if (sentences.every(({ isRest }) => isRest)) {
    const text = isNew ? "no rules" : `a secret in ${argumentText(name)} changes`;
    return { ...table, statements: [{ about: "reach", text }] };
  }
  const statements = sentences.map(
    ({ isRest, ...sentence }): Statement => ({ about: isRest ? "rest" : "reach", ...sentence }),
  );
  return { ...table, statements };
}
