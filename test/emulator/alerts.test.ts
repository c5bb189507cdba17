import { expect, test } from "@jest/globals";
import { emptyTeam } from "../laws/furniture";
import { desksOfTests, sharedDesk } from "./test-desk";

let now = 1_000_000;
const open = desksOfTests();
const { ask, must, list } = sharedDesk({ clock: () => now });
const make = (more: object = {}) => must("POST", "/alerts", { name: "Errors", ...more });

test("create takes a part, with tags as objects; PATCH takes the rest, with tags as names", async () => {
  const made = await make({
    ...{
      message: "m",
      formula: "A",
      alertThreshold: 5,
      teamID: "team-1",
      tags: [{ id: "t1", name: "shop" }],
    },
    ...{ definitionMetricsJson: ['{"metric":"a"}'], groupBys: [{ column: "c", key: "country" }] },
  });
  expect(made).toMatchObject({
    ...{ message: "m", formula: "A", alertThreshold: 0, tags: ["shop"], team: "team-1" },
    ...{ metrics: { 0: { metric: "a" } }, metricGroupBys: { country: "c" } },
  });
  const written = Object.keys(made).filter((name) => /Json$|^groupBys$|teamID/.test(name));
  expect(written).toEqual([]);
  const at = `/alerts/${made.id}`;
  const change = { alertThreshold: 5, tags: ["beta"], priority: "P1" };
  expect(await must("PATCH", at, change)).toMatchObject({ ...change, message: "m", status: "stable" });
  const cleared = await must("PATCH", at, { formula: null, tags: [], teamID: null, name: "Faults" });
  expect(cleared).toMatchObject({ id: made.id, name: "Faults", tags: [], team: null });
  expect(cleared).not.toHaveProperty("formula");
  for (const body of [{ tags: [{ id: "a", name: "b" }] }, { windowMs: 59_999 }, { name: "abc" }])
    expect((await ask("PATCH", at, body)).status).toBe(400);
  for (const body of [{ name: "Errors", tags: ["shop"] }, { message: "m" }])
    expect((await ask("POST", "/alerts", body)).status).toBe(400);
});

test("the list leaves out what only one alert shows; names may be the same", async () => {
  const ids = [(await make()).id, (await make()).id];
  const listed = await list("/alerts?limit=10&page=1");
  expect(listed.map((item) => item.id)).toEqual(ids);
  for (const member of ["status", "lastTriggeredTime", "activeMuteSchedules"])
    expect(listed[0]).not.toHaveProperty(member);
});

test("silence lasts for a time, in seconds, or for ever until it is ended", async () => {
  const groupBys = [{ key: "country", value: "DE" }];
  const at = `/alerts/${(await make()).id}`;
  const active = async () => (await must("GET", at)).activeMuteSchedules;
  await must("POST", `${at}/mute`, { durationSeconds: 60, groupBys });
  expect(await active()).toEqual([{ start: now / 1000, end: now / 1000 + 60, groupBys }]);
  now += 60_000;
  expect(await active()).toEqual([]);
  const forEver = [{ end: 0, groupBys: [] }];
  expect((await must("POST", `${at}/mute`, { indefinite: true })).activeMuteSchedules).toMatchObject(forEver);
  await must("POST", `${at}/mute`, { indefinite: true, groupBys });
  expect((await must("POST", `${at}/unmute`, { groupBys })).activeMuteSchedules).toMatchObject(forEver);
  expect((await must("POST", `${at}/unmute`, {})).activeMuteSchedules).toEqual([]);
  expect((await ask("POST", `${at}/mute`, { durationSeconds: 0 })).status).toBe(400);
});

test("a seed brings alerts as reads show them, with their history; a team is shown by its name of now", async () => {
  const event = { id: "e1", eventType: "raise", title: "t", message: "m", reason: "r", createdTime: 5 };
  const shown = { id: "alert-1", name: "Errors", tags: ["shop"], priority: "P2" };
  const alerts = [{ ...shown, events: [event, { id: "e2" }] }];
  const { ask, must, list } = await open({
    seed: { alerts, teams: [{ ...emptyTeam, id: "team-1", name: "Growth" }] },
  });
  expect(await must("GET", "/alerts/alert-1")).toMatchObject({ tags: ["shop"], priority: "P2" });
  expect((await list("/alerts/alert-1/events")).map((item) => item.id)).toEqual(["e2", "e1"]);
  expect(await must("GET", "/alerts/alert-1/events/e1")).toEqual(event);
  expect((await ask("GET", "/alerts/alert-1/events/e3")).status).toBe(404);
  const { id } = await must("POST", "/alerts", { name: "Errors", teamID: "team-1" });
  expect(await must("GET", `/alerts/${id}`)).toMatchObject({ team: "Growth" });
});
