import { describe, expect, test } from "@jest/globals";
import { emptyTeam } from "../laws/furniture";
import { desksOfTests, sharedDesk } from "./test-desk";

const open = desksOfTests();
const { ask, must, list } = sharedDesk();

test("create takes a part, with tags as objects; PATCH takes the rest, with tags as names", async () => {
  const made = await must("POST", "/alerts", {
    ...{ name: "Errors", message: "m", formula: "A", alertThreshold: 5, teamID: "team-1" },
    ...{ definitionMetricsJson: ['{"metric":"a"}'], groupBys: [{ column: "c", key: "country" }] },
    tags: [{ id: "tag-1", name: "shop" }],
  });
  expect(made).toMatchObject({
    ...{ message: "m", formula: "A", alertThreshold: 0, tags: ["shop"], team: "team-1" },
    ...{ metrics: { 0: { metric: "a" } }, metricGroupBys: { country: "c" } },
  });
  for (const member of ["definitionMetricsJson", "groupBys", "teamID"])
    expect(made).not.toHaveProperty(member);
  const at = `/alerts/${made.id}`;
  expect(await must("PATCH", at, { alertThreshold: 5, tags: ["beta"], priority: "P1" })).toMatchObject({
    ...{ name: "Errors", message: "m", alertThreshold: 5, tags: ["beta"], priority: "P1", status: "stable" },
  });
  const cleared = await must("PATCH", at, { formula: null, tags: [], teamID: null, name: "Faults" });
  expect(cleared).toMatchObject({ id: made.id, name: "Faults", tags: [], team: null });
  expect(cleared).not.toHaveProperty("formula");
  const wrong = [{ tags: [{ id: "a", name: "b" }] }, { windowMs: 59_999 }, { name: "abc" }];
  for (const body of wrong) expect((await ask("PATCH", at, body)).status).toBe(400);
  expect((await ask("POST", "/alerts", { name: "Errors", tags: ["shop"] })).status).toBe(400);
  expect((await ask("POST", "/alerts", { message: "m" })).status).toBe(400);
});

test("the team is shown by its name, as it is called now", async () => {
  const teams = [{ ...emptyTeam, id: "team-1", name: "Growth" }];
  const { must } = await open({ seed: { teams } });
  const { id } = await must("POST", "/alerts", { name: "Errors", teamID: "team-1" });
  expect(await must("GET", `/alerts/${id}`)).toMatchObject({ team: "Growth" });
});

test("the list leaves out what only one alert shows; names may be the same", async () => {
  const { id } = await must("POST", "/alerts", { name: "Same" });
  const second = await must("POST", "/alerts", { name: "Same" });
  const listed = await list("/alerts?limit=10&page=1");
  expect(listed.map((item) => item.id)).toEqual([id, second.id]);
  for (const member of ["status", "lastTriggeredTime", "activeMuteSchedules"])
    expect(listed[0]).not.toHaveProperty(member);
});

describe("silence", () => {
  const groupBys = [{ key: "country", value: "DE" }];

  test("lasts for a time, in seconds, and is over then", async () => {
    let now = 1_000_000;
    const { must } = await open({ clock: () => now });
    const { id } = await must("POST", "/alerts", { name: "Errors" });
    const active = async () => (await must("GET", `/alerts/${id}`)).activeMuteSchedules;
    await must("POST", `/alerts/${id}/mute`, { durationSeconds: 60, groupBys });
    expect(await active()).toEqual([{ start: 1000, end: 1060, groupBys }]);
    now += 60_000;
    expect(await active()).toEqual([]);
  });

  test("lasts for ever until it is ended", async () => {
    const { id } = await must("POST", "/alerts", { name: "Errors" });
    const muted = await must("POST", `/alerts/${id}/mute`, { indefinite: true });
    expect(muted.activeMuteSchedules).toMatchObject([{ end: 0, groupBys: [] }]);
    await must("POST", `/alerts/${id}/mute`, { indefinite: true, groupBys });
    const rest = await must("POST", `/alerts/${id}/unmute`, { groupBys });
    expect(rest.activeMuteSchedules).toMatchObject([{ end: 0, groupBys: [] }]);
    expect((await must("POST", `/alerts/${id}/unmute`, {})).activeMuteSchedules).toEqual([]);
    expect((await ask("POST", `/alerts/${id}/mute`, { durationSeconds: 0 })).status).toBe(400);
  });
});

test("a seed brings alerts as reads show them, with their history", async () => {
  const event = { id: "e1", eventType: "raise", title: "t", message: "m", reason: "r", createdTime: 5 };
  const shown = { id: "alert-1", name: "Errors", tags: ["shop"], priority: "P2" };
  const seed = { alerts: [{ ...shown, events: [event, { id: "e2" }] }] };
  const { ask, must, list } = await open({ seed });
  expect(await must("GET", "/alerts/alert-1")).toMatchObject({ tags: ["shop"], priority: "P2" });
  expect((await list("/alerts/alert-1/events")).map((item) => item.id)).toEqual(["e2", "e1"]);
  expect(await must("GET", "/alerts/alert-1/events/e1")).toEqual(event);
  expect((await ask("GET", "/alerts/alert-1/events/e3")).status).toBe(404);
});
