import { conditionOperator, type OperatorWords } from "../definitions/parts/condition-operators";
import { type ConditionType, conditionType } from "../definitions/parts/condition-types";
import { isObject, type JsonObject } from "../schema/json";
import { kindInWords } from "../schema/references";
import { UNKNOWN } from "../schema/unknown";
import { listText, pluralOf } from "../texts/count-text";
import { isNothing } from "../values/compare";
import { nameIn, textIn, timeText, unknownText } from "./text";

/** Name of an object whose id only the update makes, by its kind in camelCase; undefined where it is not known. */
export type NewObjectName = (kind: string) => string | undefined;

/** Words of a condition: alone (`e-mail contains x`), and right after a noun (`users whose e-mail contains x`). */
interface Phrase {
  readonly alone: string;
  readonly afterNoun: string;
}

/** Text in the place of values where there are none. */
const noValues = "no values";

/** `is one of x or y`: an operator with its values. */
function operatorText(words: OperatorWords, values: readonly string[], isOfVersion: boolean): string {
  if ("alone" in words) return words.alone;
  if ("counted" in words) return `${words.counted} ${values.length} encoded values`;
  const listed = values.length === 0 ? noValues : listText(values);
  if ("one" in words) return `${values.length === 1 ? words.one : words.several} ${listed}`;
  const begin = isOfVersion ? (words.ofVersion ?? words.before) : words.before;
  return [begin, listed, words.after].filter((part) => part !== undefined).join(" ");
}

/** A condition by itself: `e-mail contains @example.com`. What is not known is named as it is. */
export function conditionText(condition: unknown, newName?: NewObjectName): string {
  return phraseOf(condition, newName).alone;
}

/** A condition after a noun: `in NZ, AU`, `whose e-mail contains @example.com`. */
export function clauseText(condition: unknown, newName?: NewObjectName): string {
  return phraseOf(condition, newName).afterNoun;
}

/** True for a condition that everybody meets. */
export function isEverybody(condition: unknown): boolean {
  return isObject(condition) && conditionType(condition.type)?.everyone === true;
}

function phraseOf(condition: unknown, newName: NewObjectName = () => undefined): Phrase {
  if (!isObject(condition)) return same(condition === UNKNOWN ? `(${unknownText})` : textIn(condition));
  if (isEverybody(condition)) return same("everyone");
  const type = conditionType(condition.type);
  if (type === undefined) return verbPhrase(textIn(condition.type), condition);
  if (type.asks !== undefined) return same(`${type.asks} ${objectsText(type, condition, newName)}`);
  if (type.script === true && isNothing(condition.operator))
    return same(`for whom this script returns true: ${valuesOf(condition).join(", ")}`);
  return placedPhrase(type, condition) ?? verbPhrase(subjectOf(type, condition), condition);
}

function placedPhrase({ placed, clock }: ConditionType, condition: JsonObject): Phrase | undefined {
  const { operator } = condition;
  const named = valuesOf(condition);
  if (placed === undefined || named.length === 0) return undefined;
  const values = listText(named);
  if (isOfTime(operator)) return clock === true ? same(`${operator} ${values}`) : undefined;
  if (clock === true || !(isNothing(operator) || operator === "any" || operator === "none")) return undefined;
  return same(`${operator === "none" ? "not " : ""}${placed} ${values}`);
}

function isOfTime(operator: unknown): boolean {
  return conditionOperator(operator)?.compares === "time";
}

function verbPhrase(subject: string, condition: JsonObject): Phrase {
  const { operator } = condition;
  const called = isNothing(operator) ? "" : String(operator);
  const values = valuesOf(condition);
  const words = conditionOperator(called)?.words;
  const said =
    words === undefined
      ? [textIn(called), listText(values)].filter((part) => part !== "").join(" ")
      : operatorText(words, values, subject.endsWith("version"));
  const alone = `${subject} ${said}`;
  return { alone, afterNoun: `whose ${alone}` };
}

function subjectOf({ needs, subject }: ConditionType, condition: JsonObject): string {
  return needs === undefined || isNothing(condition[needs]) ? subject : textIn(condition[needs]);
}

/** `gate "x"`, `segment "a" or "b"`. */
function objectsText(
  { refersTo: kind = "" }: ConditionType,
  { targetValue }: JsonObject,
  newName: NewObjectName,
): string {
  const ids = [targetValue].flat().filter((id) => !isNothing(id));
  if (ids.length === 0) return `one of no ${pluralOf(kindInWords(kind))}`;
  const names = ids.map((id) => (id === UNKNOWN ? (newName(kind) ?? nameIn(id)) : nameIn(id)));
  return `${kindInWords(kind)} ${names.length > 3 ? listText(names, 3) : names.join(" or ")}`;
}

function valuesOf({ operator, targetValue, type }: JsonObject): string[] {
  if (isNothing(targetValue)) return [];
  const isTime = conditionType(type)?.clock === true || isOfTime(operator);
  return [targetValue].flat().map((value: unknown) => {
    const time = isTime && value !== "" ? Number(value) : Number.NaN;
    return Number.isFinite(time) ? timeText(time) : textIn(value);
  });
}

function same(text: string): Phrase {
  return { alone: text, afterNoun: text };
}
