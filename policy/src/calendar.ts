import { DateTime, type WeekdayNumbers } from "luxon";
import { patternOf, timeZoneProblems } from "./parameters";

/** A time in which nothing is to change. */
export interface Window {
  readonly name?: string;
  readonly from: string;
  readonly to: string;
}

/** The windows of a house. */
export interface Calendar {
  readonly timeZone: string;
  /** From and to as in `Fri 16:00`. The same moment twice is the whole week. */
  readonly weekly: readonly Window[];
  /** From and to as in `2026-12-20` or `2026-12-20T12:00`. A day without a time counts whole. */
  readonly dated: readonly Window[];
}

/** A window that is open now. */
export interface Freeze {
  readonly name: string | undefined;
  readonly until: DateTime;
}

const days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** The window in which the moment is that ends last; undefined where there is none. */
export function freezeAt({ timeZone, weekly, dated }: Calendar, moment: Date): Freeze | undefined {
  const now = DateTime.fromJSDate(moment, { zone: timeZone });
  const open = [
    ...weekly.map(({ name, from, to }) => ({ name, until: weeklyEnd(from, to, now) })),
    ...dated.map(({ name, from, to }) => ({ name, until: datedEnd(from, to, now) })),
  ].filter((one): one is Freeze => one.until !== undefined);
  return open.sort((one, other) => other.until.toMillis() - one.until.toMillis())[0];
}

/** What is wrong with a calendar, each with its place. */
export function problemsOf({ timeZone, weekly, dated }: Calendar): string[] {
  const zone = timeZoneProblems("timeZone", timeZone);
  // What a date means hangs on the zone.
  if (zone.length > 0) return zone;
  return [
    ...weekly.flatMap((window, at) =>
      timesOf(window, `weekly[${at}]`)
        .filter(({ text }) => weekTime(text) === undefined)
        .map(({ place, text }) => `${place} is "${text}"; a time of the week is, for example, Fri 16:00`),
    ),
    ...dated.flatMap((window, at) => datedProblems(window, `dated[${at}]`, timeZone)),
  ];
}

function timesOf({ from, to }: Window, place: string) {
  return [
    { place: `${place}.from`, text: from },
    { place: `${place}.to`, text: to },
  ];
}

function datedProblems(window: Window, place: string, zone: string): string[] {
  const unread = timesOf(window, place).filter(({ text }) => !DateTime.fromISO(text, { zone }).isValid);
  if (unread.length > 0)
    return unread.map((one) => `${one.place} is "${one.text}"; a time is, for example, 2026-12-20T12:00`);
  if (endOf(window.to, zone) > DateTime.fromISO(window.from, { zone })) return [];
  return [`${place} is from "${window.from}" to "${window.to}", which ends before it begins`];
}

/** `"holidays" until Mon 2027-01-04 00:00 Europe/Berlin`. */
export function whenText({ name, until }: Freeze): string {
  const end = `until ${until.setLocale("en").toFormat("ccc yyyy-MM-dd HH:mm")} ${until.zoneName}`;
  return name === undefined ? end : `"${name}" ${end}`;
}

/** The emergency that somebody names and the house knows; undefined where there is none. */
export function emergencyIn(
  pattern: string,
  { FEATURE_CONSOLE_EMERGENCY: named }: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (pattern === "" || named === undefined) return undefined;
  return patternOf(`^(?:${pattern})$`).test(named) ? named : undefined;
}

interface WeekTime {
  readonly weekday: WeekdayNumbers;
  readonly hour: number;
  readonly minute: number;
}

function weekTime(text: string): WeekTime | undefined {
  const [, day = "", hour, minute] = /^([A-Z][a-z]{2}) ([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  const at = days.indexOf(day);
  return at < 0
    ? undefined
    : { weekday: (at + 1) as WeekdayNumbers, hour: Number(hour), minute: Number(minute) };
}

/** Counted in the clock of the time zone, so that a change to summer time moves no window. */
function weeklyEnd(from: string, to: string, now: DateTime): DateTime | undefined {
  const [first, last] = [weekTime(from), weekTime(to)];
  if (first === undefined || last === undefined) return undefined;
  const atThisWeek = (time: WeekTime) => now.set({ ...time, second: 0, millisecond: 0 });
  const start = atThisWeek(first) <= now ? atThisWeek(first) : atThisWeek(first).minus({ weeks: 1 });
  const sameWeek = start.set({ ...last, second: 0, millisecond: 0 });
  const end = sameWeek > start ? sameWeek : sameWeek.plus({ weeks: 1 });
  return now < end ? end : undefined;
}

function datedEnd(from: string, to: string, now: DateTime): DateTime | undefined {
  const zone = now.zoneName ?? "UTC";
  const last = endOf(to, zone);
  return DateTime.fromISO(from, { zone }) <= now && now < last ? last : undefined;
}

function endOf(to: string, zone: string): DateTime {
  const end = DateTime.fromISO(to, { zone });
  return /^\d{4}-\d\d-\d\d$/.test(to) ? end.plus({ days: 1 }).startOf("day") : end;
}
