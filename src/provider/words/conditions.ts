import { conditionType, type conditionTypes } from "../definitions/parts/condition-types";
import { isObject, type JsonObject } from "../schema/json";
import { kindInWords } from "../schema/references";
import { UNKNOWN } from "../schema/unknown";
import { pluralOf } from "../texts/count-text";
import { listText, nameIn, textIn, timeText, unknownText } from "./text";

type TypeName = keyof typeof conditionTypes;

/** How an object is called whose id only an update will tell: by its kind in camelCase. Undefined where nobody knows. */
export type NewObjectName = (kind: string) => string | undefined;

/** What a condition asks for: alone (`e-mail contains x`), and right after a noun (`users whose e-mail contains x`). */
interface Phrase {
  readonly alone: string;
  readonly afterNoun: string;
}

/** What each condition type looks at. */
const subjects: Readonly<Record<TypeName, string>> = {
  app_version: "app version",
  browser_name: "browser",
  browser_version: "browser version",
  country: "country",
  custom_field: "field",
  device_model: "device model",
  email: "e-mail",
  environment_tier: "environment",
  experiment_group: "experiment group",
  fails_gate: "gate",
  fails_segment: "segment",
  ip_address: "IP address",
  javascript: "script",
  locale: "language",
  os_name: "operating system",
  os_version: "operating system version",
  passes_gate: "gate",
  passes_segment: "segment",
  public: "everyone",
  target_app: "app",
  time: "time",
  unit_id: "id",
  url: "page address",
  user_agent: "user agent",
  user_id: "id",
};

/** Types whose values follow a noun without a verb: `users in NZ`, `users not on iOS`. */
const placed: Partial<Readonly<Record<TypeName, string>>> = {
  browser_name: "with browser",
  country: "in",
  environment_tier: "in environment",
  os_name: "on",
  target_app: "in app",
  time: "",
  user_id: "with id",
};

/** Types that ask whether a unit is in another object. */
const memberships: Partial<Readonly<Record<TypeName, string>>> = {
  fails_gate: "not in",
  fails_segment: "not in",
  passes_gate: "in",
  passes_segment: "in",
};

/** What stands in the place of values where there are none. */
const noValues = "no values";
const oneOf = (one: string, several: string) => (values: readonly string[]) =>
  `${values.length === 1 ? one : several} ${values.length === 0 ? noValues : listText(values)}`;
const withOne =
  (before: string, after = "") =>
  (values: readonly string[]) =>
    [before, values.length === 0 ? noValues : listText(values), after]
      .filter((part) => part !== "")
      .join(" ");

/** What each operator says between what is looked at and the values. */
const verbs: Readonly<Record<string, (values: readonly string[]) => string>> = {
  "": oneOf("is", "is one of"),
  any: oneOf("is", "is one of"),
  none: oneOf("is not", "is none of"),
  any_case_sensitive: oneOf("is exactly", "is exactly one of"),
  none_case_sensitive: oneOf("is not exactly", "is exactly none of"),
  str_contains_any: oneOf("contains", "contains one of"),
  str_contains_none: oneOf("does not contain", "contains none of"),
  str_matches: oneOf("matches the pattern", "matches one of the patterns"),
  gt: withOne("is more than"),
  gte: withOne("is", "or more"),
  lt: withOne("is less than"),
  lte: withOne("is", "or less"),
  version_gt: withOne("is later than"),
  version_gte: withOne("is", "or later"),
  version_lt: withOne("is earlier than"),
  version_lte: withOne("is", "or earlier"),
  version_eq: withOne("is version"),
  after: withOne("is after"),
  before: withOne("is before"),
  on: withOne("is on the day of"),
  is_null: () => "is not set",
  is_not_null: () => "is set",
  encoded_any: (values) => `is one of ${values.length} encoded values`,
  array_contains_any: oneOf("has", "has one of"),
  array_contains_none: oneOf("does not have", "has none of"),
  array_contains_all: oneOf("has", "has all of"),
  not_array_contains_all: oneOf("does not have", "does not have all of"),
};

const timeOperators: ReadonlySet<unknown> = new Set(["after", "before", "on"]);

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
  return isObject(condition) && condition.type === "public";
}

function phraseOf(condition: unknown, newName: NewObjectName = () => undefined): Phrase {
  if (!isObject(condition)) return same(condition === UNKNOWN ? `(${unknownText})` : textIn(condition));
  if (isEverybody(condition)) return same("everyone");
  const name = typeName(condition.type);
  if (name === undefined) return verbPhrase(textIn(condition.type), condition);
  const into = memberships[name];
  if (into !== undefined) return same(`${into} ${objectsText(name, condition, newName)}`);
  if (name === "javascript" && isNone(condition.operator))
    return same(`for whom this script says yes: ${valuesOf(condition).join(", ")}`);
  return placedPhrase(name, condition) ?? verbPhrase(subjectOf(name, condition), condition);
}

function typeName(type: unknown): TypeName | undefined {
  return conditionType(type) === undefined ? undefined : (type as TypeName);
}

function placedPhrase(name: TypeName, condition: JsonObject): Phrase | undefined {
  const before = placed[name];
  const { operator } = condition;
  const named = valuesOf(condition);
  if (before === undefined || named.length === 0) return undefined;
  const values = listText(named);
  if (timeOperators.has(operator)) return name === "time" ? same(`${operator} ${values}`) : undefined;
  if (name === "time" || !(isNone(operator) || operator === "any" || operator === "none")) return undefined;
  return same(`${operator === "none" ? "not " : ""}${before} ${values}`);
}

function verbPhrase(subject: string, condition: JsonObject): Phrase {
  const { operator } = condition;
  const called = isNone(operator) ? "" : String(operator);
  const values = valuesOf(condition);
  const verb = Object.hasOwn(verbs, called) ? verbs[called] : undefined;
  // `app version is 1.0`
  const isOfVersion = called === "version_eq" && subject.endsWith("version");
  const said = isOfVersion
    ? oneOf("is", "is one of")(values)
    : (verb?.(values) ?? [textIn(called), listText(values)].filter((part) => part !== "").join(" "));
  const alone = `${subject} ${said}`;
  return { alone, afterNoun: `whose ${alone}` };
}

function subjectOf(name: TypeName, condition: JsonObject): string {
  const named = conditionType(name)?.needs;
  return named === undefined || isNone(condition[named]) ? subjects[name] : textIn(condition[named]);
}

/** `gate "x"`, `segment "a" or "b"`. */
function objectsText(name: TypeName, { targetValue }: JsonObject, newName: NewObjectName): string {
  const kind = conditionType(name)?.refersTo ?? "";
  const ids = [targetValue].flat().filter((id) => !isNone(id));
  if (ids.length === 0) return `one of no ${pluralOf(kindInWords(kind))}`;
  const names = ids.map((id) => (id === UNKNOWN ? (newName(kind) ?? nameIn(id)) : nameIn(id)));
  return `${kindInWords(kind)} ${names.length > 3 ? listText(names, 3) : names.join(" or ")}`;
}

function valuesOf({ operator, targetValue, type }: JsonObject): string[] {
  if (isNone(targetValue)) return [];
  const isTime = type === "time" || timeOperators.has(operator);
  return [targetValue].flat().map((value: unknown) => {
    const time = isTime && value !== "" ? Number(value) : Number.NaN;
    return Number.isFinite(time) ? timeText(time) : textIn(value);
  });
}

function same(text: string): Phrase {
  return { alone: text, afterNoun: text };
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}
