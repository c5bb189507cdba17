import type { ResourceDefinition } from "../schema/define";
import { elementName, isObject, type JsonObject } from "../schema/json";
import { holds, UNKNOWN } from "../schema/unknown";
import { countOf, listText } from "../texts/count-text";
import { isNothing } from "../values/compare";
import { argumentText, hiddenValue, percentText, unknownText } from "./text";
import {
  groupsText,
  textsApart,
  type ValueChange,
  valueChanges,
  valueChangesText,
  valueText,
} from "./values";

/** True for a value that is a secret or holds one. */
export function isHidden(value: unknown): boolean {
  return holds(value, (one) => one === hiddenValue);
}

/** Changes in a value with secrets, outside of them; none where one side is a secret as a whole, or absent. */
export function valueChangesBesideSecrets(before: unknown, after: unknown): ValueChange[] {
  return [before, after].every((value) => typeof value === "object" && value !== null)
    ? valueChanges(before, after)
    : [];
}

/** A value of an argument in a few words; undefined where there is none. */
export function argumentValueText(
  definition: ResourceDefinition,
  name: string,
  value: unknown,
): string | undefined {
  const { valueType, share } = definition.fields[name]?.traits ?? {};
  if (value === undefined || value === null) return undefined;
  if (value === UNKNOWN) return unknownText;
  if (value === hiddenValue) return hiddenValue;
  if (share === true && typeof value === "number") return percentText(value);
  const described = valueType?.describe(value) ?? idCount(value);
  if (described !== undefined) return described;
  if (typeof value === "boolean") return value ? "yes" : "no";
  return isSharedOut(value) ? groupsText(value) : valueText(value);
}

/** Both sides of an argument in a few words that tell them apart. */
export function argumentTextsApart(
  definition: ResourceDefinition,
  name: string,
  before: unknown,
  after: unknown,
): [string | undefined, string | undefined] {
  const textOf = (value: unknown) => argumentValueText(definition, name, value);
  const isAsItIs =
    definition.fields[name]?.traits.valueType === undefined &&
    ![before, after].some((value) => isHidden(value) || isSharedOut(value));
  return isAsItIs ? textsApart(before, after, textOf) : [textOf(before), textOf(after)];
}

/** Secrets in an argument that changes, as far as a preview shows them. */
export interface SecretChange {
  /** "unknown": something changes, and the preview does not show whether a secret does. */
  readonly what: "changes" | "stays" | "unknown";
  /** Places of the secrets that change, inside the argument: `token`. */
  readonly places: readonly string[];
}

/** Context of the words about a change of an argument. */
export interface ArgumentContext {
  /** Secrets in it, as far as they are known. */
  readonly secret?: SecretChange;
  /** The arguments of the object. */
  readonly values?: JsonObject;
  /** Text for a side that does not set it, such as `not set`; left out: the value came, or went. */
  readonly unset?: string;
}

/** A change of one argument, such as `allocation 20 % → 50 %`, or `default value: maxItems 20 → 50`. */
export function argumentChangeText(
  definition: ResourceDefinition,
  name: string,
  before: unknown,
  after: unknown,
  { secret = { what: "unknown", places: [] }, values = {}, unset }: ArgumentContext = {},
): string {
  const label = argumentLabel(definition, name, values);
  const [was, is] = argumentTextsApart(definition, name, before, after);
  const { valueType } = definition.fields[name]?.traits ?? {};
  const isThere = [before, after].every((value) => value !== undefined && value !== null);
  if (isThere && (isHidden(before) || isHidden(after)))
    return `${label}: ${hiddenChangeText(before, after, secret)}`;
  if (valueType !== undefined && was !== undefined && is !== undefined && was !== is) return `${was} → ${is}`;
  if (unset !== undefined && (was === undefined || is === undefined))
    return `${label}: ${was ?? unset} → ${is ?? unset}`;
  if (is === undefined) return `${label} removed${was === undefined ? "" : ` (was ${was})`}`;
  if (was === undefined) return `${label} ${is}`;
  if (typeof before === "object" && typeof after === "object" && valueType === undefined) {
    if (isSharedOut(before) && isSharedOut(after) && was !== is) return `${label}: ${was} → ${is}`;
    const inside = valueChangesText(before, after);
    if (inside !== undefined) return `${label}: ${inside}`;
  }
  return was === is ? `${label} changes (${is})` : `${label} ${was} → ${is}`;
}

function hiddenChangeText(before: unknown, after: unknown, { what, places }: SecretChange): string {
  const named = places.filter((place) => place !== "");
  const changes = `a secret changes${named.length === 0 ? "" : ` (${listText(named)})`}`;
  if (valueChangesBesideSecrets(before, after).length === 0) return changes;
  const more = { changes: `; ${changes}`, stays: "", unknown: "; a secret in it may change too" };
  return `${valueChangesText(before, after)}${more[what]}`;
}

/**
 * Label of an argument before its value. A share names its whole: the first sentence of its description does, but
 * for an object that is in nothing that it could share. `values`: the arguments of the object.
 */
export function argumentLabel(definition: ResourceDefinition, name: string, values: JsonObject = {}): string {
  const { doc = "", share, shareOutside } = definition.fields[name]?.traits ?? {};
  const isOutside = shareOutside !== undefined && isNothing(values[shareOutside.of]);
  const [, said] = /^Share (.+?)(?:, in percent)?\./.exec(doc) ?? [];
  const what = isOutside ? shareOutside.says : said;
  return share === true && what !== undefined
    ? `share ${what}:`
    : argumentText(name.replace(/^is(?=[A-Z])/, ""));
}

/** A set of ids as a preview shows it: how many there are. */
function idCount(value: unknown): string | undefined {
  return isObject(value) && typeof value.count === "number" && typeof value.hash === "string"
    ? countOf(value.count, "id")
    : undefined;
}

/** Elements with names and sizes in percent. */
function isSharedOut(value: unknown): value is readonly { readonly name: string; readonly size: number }[] {
  const isGroup = (one: unknown) =>
    elementName(one) !== undefined && isObject(one) && typeof one.size === "number";
  return Array.isArray(value) && value.length > 0 && value.every(isGroup);
}
