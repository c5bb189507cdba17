import { describe, expect, test } from "@jest/globals";
import { emptyTeam as furniture } from "../laws/furniture";
import { finding } from "./desk";
import { desksOfTests, sharedDesk } from "./test-desk";

const desk = sharedDesk();
const open = desksOfTests();
const emptyTeam = { ...furniture, name: "growth" };
const metric = { name: "purchases", type: "sum" };

describe("[D1] the unit type of the project", () => {
  const settings = { name: "Shop", visibility: "OPEN", default_unit_type: "companyID" };

  test.each([
    ["/gates", "companyID"],
    ["/experiments", "companyID"],
    ["/segments", "userID"],
  ])("%s: a new one counts by %s", async (path, idType) => {
    await desk.must("POST", "/settings/project", settings);
    const body = { name: "one", ...(path === "/segments" ? { type: "rule_based" } : {}) };
    expect(await desk.must("POST", path, body)).toMatchObject({ idType });
    const own = { idType: "stableID" };
    expect(await desk.must("POST", path, { ...body, name: "two", ...own })).toMatchObject(own);
  });
});

describe("[D2] the defaults of a team", () => {
  const team = {
    ...emptyTeam,
    ...{ defaultTargetApplications: ["web"], defaultGateMetrics: [metric] },
    ...{ defaultExperimentPrimaryMetrics: [metric], defaultHoldoutID: "held" },
  };

  test("fill what a new object leaves out, and no more", async () => {
    await desk.must("POST", "/holdouts", { name: "held" });
    const { id } = await desk.must("POST", "/users/teams", team);
    const gate = await desk.must("POST", "/gates", { name: "one", team: "growth" });
    expect(gate).toMatchObject({ targetApps: ["web"], monitoringMetrics: [metric], holdoutIDs: ["held"] });
    const byId = await desk.must("POST", "/experiments", { name: "two", teamID: id });
    expect(byId).toMatchObject({ targetApps: ["web"], primaryMetrics: [metric], holdoutIDs: ["held"] });
    const own = await desk.must("POST", "/gates", { name: "three", team: "growth", targetApps: [] });
    expect(own).toMatchObject({ targetApps: [] });
    const none = { targetApps: [], monitoringMetrics: [], holdoutIDs: [] };
    expect(await desk.must("POST", "/gates", { name: "four" })).toMatchObject(none);
    const members = { gateIDs: ["one", "three"], experimentIDs: ["two"] };
    expect(await desk.must("GET", "/holdouts/held")).toMatchObject(members);
  });

  test("change nothing of an object that joins the team later", async () => {
    await desk.must("POST", "/users/teams", { ...team, defaultHoldoutID: null });
    await desk.must("POST", "/gates", { name: "one" });
    const changed = await desk.must("PATCH", "/gates/one", { team: "growth" });
    expect(changed).toMatchObject({ team: "growth", targetApps: [], monitoringMetrics: [] });
  });
});

describe("[D3] a project that demands teams", () => {
  const refused = finding("team", "This project requires a team");

  test("refuses new gates, configs and experiments without one, and takes changes and other kinds", async () => {
    const desk = await open({ seed: { gates: [{ name: "old" }] } });
    await desk.must("POST", "/settings/teams", { require_teams_on_configs: true });
    for (const path of ["/gates", "/dynamic_configs", "/experiments"]) {
      expect((await desk.ask("POST", path, { name: "one" })).body).toEqual(refused);
      await desk.must("POST", path, { name: "one", team: "growth" });
    }
    await desk.must("PATCH", "/gates/old", { description: "new" });
    await desk.must("POST", "/layers", { name: "layer", idType: "userID" });
  });

  test("unknownTeams refuse: a team that is not there, by name or by id, at creation and later", async () => {
    const desk = await open({
      behaviour: { unknownTeams: "refuse" },
      seed: { teams: [{ ...emptyTeam, id: "t1" }] },
    });
    const create = (body: object) => desk.ask("POST", "/gates", { name: "one", ...body });
    expect((await create({ team: "grwth" })).body).toEqual(finding("team", "Unknown team: grwth"));
    expect((await create({ teamID: "t2" })).body).toEqual(finding("teamID", "Unknown team: t2"));
    await desk.must("POST", "/gates", { name: "one", team: "growth" });
    await desk.must("POST", "/gates", { name: "two", teamID: "t1" });
    expect((await desk.ask("PATCH", "/gates/one", { team: "grwth" })).status).toBe(400);
  });
});

test("[D4] an owner in which every member is left out is none: the key's own stays", async () => {
  const made = await desk.must("POST", "/gates", { name: "one", owner: {} });
  const ordinary = await desk.must("POST", "/gates", { name: "two" });
  expect(made.owner).toEqual(ordinary.owner);
  expect(ordinary.owner).toMatchObject({ ownerType: "SDK_KEY" });
});
