import { formerForms } from "../../provider/engine/edits/authors";
import { auditOf, type Change, changeText, lastChangeOf } from "../../provider/schema/audit";
import type { JsonObject } from "../../provider/schema/json";
import { timeText } from "../../provider/words";
import type { Consoles, ObjectPlace } from "../stack/live";

/** An object as it was from one change to the next. */
export interface Form {
  /** Counts the changes; undefined where the console does not show it. */
  readonly version: number | undefined;
  /** Author and time of this form. */
  readonly change: Change;
  readonly values: JsonObject;
}

/** The forms of an object as far as the console keeps them, newest first: the one that it has, and the former ones. None of an object that is gone. */
export async function formsOf(
  consoles: Consoles,
  { definition, id = "", provider }: ObjectPlace,
): Promise<readonly Form[]> {
  const live = await consoles.live(definition, id, provider);
  if (live === undefined) return [];
  const object = { context: consoles.context(provider), definition, id };
  const formOf = (shown: JsonObject): Form => {
    const values = { ...live, ...shown };
    return { version: auditOf(definition, values).version, change: lastChangeOf(definition, values), values };
  };
  const [now, others] = [formOf(live), await Array.fromAsync(formerForms(object), formOf)];
  // The reference does not tell whether the list holds the present form too.
  return [now, ...others.filter(({ version }) => version === undefined || version !== now.version)];
}

/** A point in the life of a flag: a number of its versions, or a time in milliseconds since 1970. */
export type Moment = { readonly version: number } | { readonly time: number };

/**
 * A moment as a person types it: `7`, `2026-11-24`, `2026-11-24T21:40Z`, `2026-11-24 21:40 UTC`. Times are in UTC. A time without
 * seconds, as `history` shows it, is the end of its minute. Undefined for anything else.
 */
export function momentOf(text: string): Moment | undefined {
  if (/^[1-9]\d*$/.test(text)) return { version: Number(text) };
  const [, day, time, zone = "Z"] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|UTC|[+-]\d{2}:\d{2})?)?$/.exec(text) ??
    [];
  const at = Date.parse(`${day}T${time ?? "00:00"}${zone === "UTC" ? "Z" : zone}`);
  if (Number.isNaN(at)) return undefined;
  return { time: time?.length === "21:40".length ? at + 59_999 : at };
}

/** The form that an object had at a moment; a sentence where the versions do not reach there. `forms`: newest first, one at least. */
export function formAt(forms: readonly Form[], moment: Moment): Form | string {
  if ("version" in moment)
    return (
      forms.find(({ version }) => version === moment.version) ??
      `there is no version ${moment.version}; there are ${versionsText(forms)}`
    );
  const found = forms.find(({ change: { at } }) => at !== undefined && at <= moment.time);
  return found ?? `no version reaches back to ${timeText(moment.time)}; there are ${versionsText(forms)}`;
}

/** Most versions in a message. */
const mostVersions = 10;

function versionsText(forms: readonly Form[]): string {
  const shown = forms.slice(0, mostVersions).map(({ version, change }) => versionText(version, change));
  const rest = forms.length - shown.length;
  return `${shown.join(", ")}${rest > 0 ? ` and ${rest} older` : ""}`;
}

/** `version 3 (ana@example.com, 2026-11-22 10:05 UTC)`. */
export function versionText(version: number | undefined, change: Change): string {
  return `${version === undefined ? "one" : `version ${version}`} (${changeText(change)})`;
}
