import JSON5 from "json5";
import { equalJson, isObject, type JsonObject } from "../schema/json";
import { UNKNOWN } from "../schema/unknown";
import { listText } from "../texts/count-text";
import { quote } from "../texts/issue-text";
import { nameIn, percentText, textIn } from "./text";

/** One place of a value that changed, in words; undefined where nothing stands there. */
export interface ValueChange {
  /** `limits.maxItems`; empty for the value itself. */
  readonly place: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Text of a change that the two sides would not show well: `blue removed, green added`. */
  readonly says?: string;
}

/** A value in a few words: `maxItems 50, colour blue`. */
export function valueText(value: unknown): string {
  const read = readAsJson(value);
  if (!isObject(read)) return Array.isArray(read) ? listOf(read) : textIn(read);
  const members = Object.entries(read);
  if (members.length === 0) return "an empty object";
  return listText(
    members.map(
      ([name, inner]) => `${textIn(name)} ${Array.isArray(inner) ? `[${listOf(inner)}]` : textIn(inner)}`,
    ),
    4,
  );
}

function listOf(values: readonly unknown[]): string {
  if (values.length === 0) return "none";
  if (values.some(isObject)) return listText(values.map(titleOf), 4);
  return listText(values.map(textIn));
}

/** Compares two values by place: each member of an object, and each element with a name, by itself. */
export function valueChanges(before: unknown, after: unknown): ValueChange[] {
  return changesAt("", readAsJson(before), readAsJson(after));
}

/** `maxItems 20 → 50; colour (new) blue`. Undefined where nothing changed. */
export function valueChangesText(before: unknown, after: unknown, most = 4): string | undefined {
  const changes = valueChanges(before, after);
  return changes.length === 0 ? undefined : listText(changes.map(valueChangeText), most);
}

/** One change: `maxItems 20 → 50`, `maxItems 50 (new)`, `maxItems removed (was 20)`. */
function valueChangeText({ place, before, after, says }: ValueChange): string {
  const at = place === "" ? "" : `${place} `;
  if (says !== undefined) return place === "" ? says : `${place}: ${says}`;
  if (before === undefined) return `${at}${after} (new)`;
  if (after === undefined) return `${at}removed (was ${before})`;
  return `${at}${before} → ${after}`;
}

function changesAt(place: string, before: unknown, after: unknown): ValueChange[] {
  if (equalJson(before, after)) return [];
  if (isObject(before) && isObject(after)) return memberChanges(place, before, after);
  if (isListOfNamed(before) && isListOfNamed(after))
    return memberChanges(place, byName(before), byName(after));
  if (isListOfScalars(before) && isListOfScalars(after) && before.length + after.length > 2)
    return [listChange(place, before, after)];
  // Of two forms of nothing, Pulumi's own diff shows no difference.
  if ((before ?? after ?? null) === null)
    return place === "" ? [] : [{ place, before: nullText(before), after: nullText(after) }];
  const [was, is] = textsApart(before, after, (value) =>
    value === undefined || value === null ? undefined : valueText(value),
  );
  return [{ place, before: was, after: is }];
}

function nullText(value: unknown): string | undefined {
  return value === null ? "null" : undefined;
}

/** Two values in words. Where those are the same and the values are not, such as 1 and "1", the values as a program writes them. */
export function textsApart(
  before: unknown,
  after: unknown,
  textOf: (value: unknown) => string | undefined,
): [string | undefined, string | undefined] {
  const [was, is] = [textOf(before), textOf(after)];
  const areAlike = was !== undefined && was === is && !equalJson(before, after);
  return areAlike ? [quote(before), quote(after)] : [was, is];
}

function memberChanges(place: string, before: JsonObject, after: JsonObject): ValueChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [was, is] = [unnamed(name, before[name]), unnamed(name, after[name])];
    // The name alone labels the share of an element that has one.
    if (place !== "" && sharing.has(name) && typeof was === "number" && typeof is === "number" && was !== is)
      return [{ place, before: percentText(was), after: percentText(is) }];
    // So are the values that it gives.
    if (place !== "" && giving.has(name) && isObject(was) && isObject(is)) return changesAt(place, was, is);
    return changesAt(place === "" ? textIn(name) : `${place}.${textIn(name)}`, was, is);
  });
}

/** An element that stands under its name, without that. */
function unnamed(name: string, value: unknown): unknown {
  if (!isObject(value) || value.name !== name) return value;
  const { name: _, ...rest } = value;
  return rest;
}

/** Members with the share of units that get an element, in percent. */
const sharing: ReadonlySet<string> = new Set(["passPercentage", "size"]);

/** Members that hold all that an element with a name gives. */
const giving: ReadonlySet<string> = new Set(["parameterValues"]);

/** Elements that joined and left a list; a new order alone has its own words. */
function listChange(place: string, before: readonly unknown[], after: readonly unknown[]): ValueChange {
  const left = before.filter((one) => !after.includes(one)).map(textIn);
  const joined = after.filter((one) => !before.includes(one)).map(textIn);
  const parts = [
    ...(joined.length > 0 ? [`${listText(joined)} added`] : []),
    ...(left.length > 0 ? [`${listText(left)} removed`] : []),
  ];
  const says = parts.length === 0 ? "in another order" : parts.join(", ");
  return { place, before: listOf(before), after: listOf(after), says };
}

function isListOfScalars(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every((one) => typeof one !== "object" || one === null);
}

function isListOfNamed(value: unknown): value is JsonObject[] {
  if (!Array.isArray(value)) return false;
  const names = value.map((one) => (isObject(one) ? one.name : undefined));
  return names.every((name) => typeof name === "string") && new Set(names).size === names.length;
}

function byName(list: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(list.map(({ name, ...rest }) => [String(name), rest]));
}

function titleOf(value: unknown): string {
  if (!isObject(value)) return textIn(value);
  return typeof value.name === "string" ? nameIn(value.name) : quote(value);
}

/** Text that holds a JSON object or list, as the API takes values and schemas, is read as such. */
function readAsJson(value: unknown): unknown {
  if (typeof value !== "string" || value === UNKNOWN || !/^\s*(?:[[{]|\/[/*])/.test(value)) return value;
  try {
    return JSON5.parse(value);
  } catch {
    return value;
  }
}

/** Groups that units are shared out to: `control 50 %, test 50 %`. */
export function groupsText(groups: readonly { readonly name: string; readonly size: number }[]): string {
  return listText(groups.map(({ name, size }) => `${textIn(name)} ${percentText(size)}`));
}
