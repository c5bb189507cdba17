import { expect, test } from "@jest/globals";
import { judgedExample } from "../../scripts/generate/policies";
import { type Calendar, freezeAt, problemsOf, whenText } from "../src/calendar";
import { freeze } from "../src/rules/freeze";

const weekend: Calendar = {
  timeZone: "Europe/Berlin",
  weekly: [{ name: "weekend", from: "Fri 16:00", to: "Mon 08:00" }],
  dated: [],
};
const holidays: Calendar = {
  timeZone: "America/New_York",
  weekly: [],
  dated: [{ name: "holidays", from: "2026-12-20", to: "2027-01-03" }],
};

test.each([
  ["Friday, a minute before", weekend, "2026-11-20T14:59:00Z", undefined],
  ["Friday at four in Berlin", weekend, "2026-11-20T15:00:00Z", "Mon 2026-11-23 08:00"],
  ["Sunday", weekend, "2026-11-22T12:00:00Z", "Mon 2026-11-23 08:00"],
  ["Monday at eight", weekend, "2026-11-23T07:00:00Z", undefined],
  ["Friday in summer, an hour earlier", weekend, "2026-07-24T14:00:00Z", "Mon 2026-07-27 08:00"],
  ["the weekend that ends summer", weekend, "2026-10-26T06:59:00Z", "Mon 2026-10-26 08:00"],
  ["the day before, in New York", holidays, "2026-12-20T04:59:00Z", undefined],
  ["the first day", holidays, "2026-12-20T05:00:00Z", "Mon 2027-01-04 00:00"],
  ["the last minute of the last day", holidays, "2027-01-04T04:59:00Z", "Mon 2027-01-04 00:00"],
  ["the day after", holidays, "2027-01-04T05:00:00Z", undefined],
])("%s", (_, calendar, now, until) => {
  const found = freezeAt(calendar, new Date(now));
  expect(found?.until.toFormat("ccc yyyy-MM-dd HH:mm")).toBe(until);
});

test("a window within a day and one across the end of the week", () => {
  const at = (from: string, to: string, now: string) =>
    freezeAt({ timeZone: "UTC", weekly: [{ from, to }], dated: [] }, new Date(now)) !== undefined;
  expect(at("Sun 10:00", "Sun 12:00", "2026-11-22T11:00:00Z")).toBe(true);
  expect(at("Sun 10:00", "Sun 12:00", "2026-11-22T12:00:00Z")).toBe(false);
  expect(at("Sat 10:00", "Tue 12:00", "2026-11-24T11:00:00Z")).toBe(true);
  expect(at("Mon 00:00", "Mon 00:00", "2026-11-22T11:00:00Z")).toBe(true);
});

test("of two windows the one that ends last is told", () => {
  const dated = [...holidays.dated, { name: "release", from: "2026-12-21T08:00", to: "2026-12-21T20:00" }];
  const found = freezeAt({ ...holidays, dated }, new Date("2026-12-21T15:00:00Z"));
  expect(found && whenText(found)).toBe('"holidays" until Mon 2027-01-04 00:00 America/New_York');
});

test.each([
  [{ ...weekend, timeZone: "Europe/Berln" }, 'timeZone is "Europe/Berln", which is no time zone'],
  [
    { ...weekend, weekly: [...weekend.weekly, { from: "Fri 16:00", to: "Monday" }] },
    'weekly[1].to is "Monday"; a time of the week is',
  ],
  [
    { ...holidays, dated: [{ from: "20.12.2026", to: "2027-01-03" }] },
    'dated[0].from is "20.12.2026"; a time is',
  ],
  [
    { ...holidays, dated: [{ from: "2026-12-20", to: "2026-01-03" }] },
    'dated[0] is from "2026-12-20" to "2026-01-03", which ends before it begins',
  ],
])("what cannot be read of a calendar is told with its place", (calendar, problem) => {
  expect(problemsOf(calendar)).toEqual([expect.stringContaining(problem)]);
});

test("an emergency passes that has a name which the house knows, and is told", () => {
  const [parameters, environment] = [
    { ...weekend, emergencies: "INC-\\d+" },
    (named: string) => ({ FEATURE_CONSOLE_EMERGENCY: named }),
  ];
  const named = (name: string) =>
    judgedExample(freeze, { kind: "Gate", args: {}, parameters, environment: environment(name) });
  expect(named("INC-42")).toEqual([{ note: expect.stringContaining("by the emergency INC-42") }]);
  expect(named("please")).toEqual([{ message: expect.stringContaining('in the freeze "weekend" until') }]);
  expect(named("INC-42; rm")).toHaveLength(1);
  expect(
    judgedExample(freeze, {
      kind: "Gate",
      args: {},
      parameters: { ...weekend },
      environment: environment("INC-42"),
    }),
  ).toEqual([{ message: expect.any(String) }]);
});
