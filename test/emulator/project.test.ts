import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { getUser, getUserById, listUsers } from "../../src";
import { createEmulator, type EmulatorOptions } from "../../src/emulator";
import { createClient } from "../../src/provider/client";
import { profiles } from "../../src/provider/client/profile";
import { emptyTeam } from "../laws/furniture";
import { freshFolder } from "../support/folders";
import { type Desk, type Item, openDesk, testKey } from "./desk";
import { desksOfTests, sharedDesk } from "./test-desk";

const api = sharedDesk();
const { ask, must, list, refused } = api;
const open = desksOfTests();

test("every key of a project is told the same id of it", async () => {
  const one = await must("GET", "/project");
  expect(one).toEqual({ id: expect.stringMatching(/^emulated_\w{12}$/) });
  api.emulator.reset();
  expect(await must("GET", "/project")).toEqual(one);
});

describe("the id of a project", () => {
  const idOf = async (options: EmulatorOptions) => {
    const emulator = createEmulator(options);
    const headers = { [profiles.custom.keyHeader]: "k" };
    const url = "http://console/console/v1/project";
    const { text } = await emulator.transport.send({ method: "GET", url, headers });
    emulator.close();
    return (JSON.parse(text) as { data: { id: string } }).data.id;
  };

  test("is another one for each console, also for consoles of one seed, unless the seed has one", async () => {
    const seed = { gates: [{ name: "checkout" }] };
    const ids = [await idOf({}), await idOf({}), await idOf({ seed }), await idOf({ seed })];
    expect(new Set(ids).size).toBe(4);
    expect(await idOf({ seed: { projects: [{ id: "shop" }] } })).toBe("shop");
  });

  test("stays in the file, also in one of before, and for the embedded console", async () => {
    const folder = freshFolder();
    const data = path.join(folder, "console.db");
    const id = await idOf({ data });
    expect([await idOf({ data }), await idOf({ data, profile: "embedded" })]).toEqual([id, id]);
    expect(await idOf({ data: path.join(folder, "another.db") })).not.toBe(id);
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    const database = new DatabaseSync(data);
    database.exec("DELETE FROM record WHERE collection = 'project'");
    database.close();
    const anew = await idOf({ data });
    expect([await idOf({ data }), anew !== id]).toEqual([anew, true]);
  });
});

describe("tags", () => {
  const names = async () => (await list("/tags")).map(({ name }) => name);
  const tagsOf = async (gate: string): Promise<unknown> => (await must("GET", `/gates/${gate}`)).tags;

  test("[W3] are read, changed and removed by their id as by their name, also when renamed", async () => {
    expect(await refused("POST", "/tags", { name: "c" })).toBe("400 description: Required");
    const { id } = await must("POST", "/tags", { name: "shop", description: "" });
    expect(await must("GET", `/tags/${id}`)).toEqual(await must("GET", "/tags/shop"));
    const changed = { name: "shop", description: "new" };
    expect(await must("PATCH", `/tags/${id}`, { description: "new" })).toMatchObject(changed);
    expect(await must("PATCH", "/tags/shop", { name: "store" })).toMatchObject({ id, description: "new" });
    expect((await ask("GET", "/tags/shop")).status).toBe(404);
    expect((await must("GET", "/tags/store")).id).toBe(id);
    await ask("DELETE", `/tags/${id}`);
    expect((await ask("GET", "/tags/store")).status).toBe(404);
  });

  test("that nothing knew before come into being when an object carries them", async () => {
    await must("POST", "/gates", { name: "gate_a", tags: ["shop", "beta"] });
    expect(await names()).toEqual(["shop", "beta"]);
    expect((await ask("POST", "/tags", { name: "shop", description: "" })).status).toBe(400);
  });

  test("that are renamed are carried under the new name, by what is archived too", async () => {
    await must("POST", "/tags", { name: "old", description: "" });
    for (const name of ["gate_a", "gate_b"]) await must("POST", "/gates", { name, tags: ["one", "old"] });
    await must("PUT", "/gates/gate_b/archive", { archiveReason: "Done" });
    await must("PATCH", "/tags/old", { name: "new" });
    for (const gate of ["gate_a", "gate_b"]) expect(await tagsOf(gate)).toEqual(["one", "new"]);
    expect((await list("/gates")).map(({ name }) => name)).toEqual(["gate_a"]);
    expect(await names()).toEqual(["new", "one"]);
  });

  test("that are core have a star on other objects, which is no part of the name", async () => {
    await must("POST", "/tags", { name: "shop", description: "", isCore: true });
    await must("POST", "/gates", { name: "gate_a", tags: ["shop", "beta"] });
    const starred = ["★ shop", "beta"];
    expect(await tagsOf("gate_a")).toEqual(starred);
    await must("PATCH", "/gates/gate_a", { tags: starred });
    expect(await tagsOf("gate_a")).toEqual(starred);
    await must("PATCH", "/tags/shop", { isCore: false });
    expect(await tagsOf("gate_a")).toEqual(["shop", "beta"]);
    expect(await names()).toHaveLength(2);
  });
});

describe("target apps", () => {
  const make = (name: string, more = {}): Promise<Item> =>
    must("POST", "/target_app", { name, description: "x", ...more });
  const appsOf = async (path: string): Promise<unknown> => (await must("GET", path)).targetApps;

  test("answer a change by a message alone, and a new name is on their members", async () => {
    const { id } = await make("web");
    await must("POST", "/experiments", { name: "experiment_a", targetApps: ["web"] });
    const { body } = await ask("PATCH", `/target_app/${id}`, { name: "site", description: "y" });
    expect(Object.keys(body)).toEqual(["message"]);
    expect(await list("/target_app")).toEqual([{ id, name: "site" }]);
    expect(await appsOf("/experiments/experiment_a")).toEqual(["site"]);
    expect(await refused("POST", "/target_app", { name: "web" })).toBe("400 description: Required");
  });

  test("take their first members at creation", async () => {
    await must("POST", "/gates", { name: "gate_a" });
    await make("web", { gates: ["gate_a"] });
    expect(await appsOf("/gates/gate_a")).toEqual(["web"]);
    const unknown = { name: "x", description: "", dynamicConfigs: ["no"] };
    const reason = "404 Dynamic configs with IDs [no] do not exist";
    expect(await refused("POST", "/target_app", unknown)).toBe(reason);
    expect(await list("/target_app")).toHaveLength(1);
  });

  test("are assigned in bulk, and refused with the ids that are unknown", async () => {
    await must("POST", "/gates", { name: "gate_a", targetApps: ["web"] });
    await must("POST", "/experiments", { name: "experiment_a" });
    const targetApps = [(await make("web")).id, (await make("phone")).id];
    const body = { targetApps, gates: ["gate_a"], experiments: ["experiment_a"] };
    expect(Object.keys((await ask("PATCH", "/target_app", body)).body)).toEqual(["message"]);
    for (const path of ["/gates/gate_a", "/experiments/experiment_a"])
      expect(await appsOf(path)).toEqual(["web", "phone"]);
    for (const [sent, reason] of [
      [{ ...body, gates: ["x", "y"] }, "404 Gates with IDs [x, y] do not exist"],
      [{ ...body, targetApps: ["z"] }, "404 Target apps with IDs [z] do not exist"],
      [{ targetApps: [] }, "400 targetApps: Array must contain at least 1 element(s)"],
    ] as const)
      expect(await refused("PATCH", "/target_app", sent)).toBe(reason);
  });
});

describe("environments", () => {
  const read = async () => (await must("GET", "/environments")).environments as readonly Item[];
  const write = (environments: unknown) => ["POST", "/environments", { environments }] as const;
  const flags = { isProduction: false, requiresReview: false, requiresReleasePipeline: false };

  test("[E1] begin with reviews of production and release pipelines everywhere", async () => {
    expect(await read()).toMatchObject([
      { name: "production", requiresReview: true, requiresReleasePipeline: true },
      { name: "staging", requiresReview: false, requiresReleasePipeline: true },
      { name: "development", requiresReview: false, requiresReleasePipeline: true },
    ]);
  });

  test("are replaced as a whole: an id keeps one, none makes a new one, what is left out goes", async () => {
    const [production, staging] = await read();
    const sent = [
      { ...flags, ...production, requiresReview: true },
      { ...flags, name: "staging" },
    ];
    expect((await ask(...write(sent))).status).toBe(200);
    const after = await read();
    expect(after.map(({ name }) => name)).toEqual(["production", "staging"]);
    expect(after[0]).toMatchObject({ id: production?.id, requiresReview: true });
    expect(after[1]?.id).not.toBe(staging?.id);
  });

  const one = { ...flags, name: "a" };
  const live = { ...one, isProduction: true };
  test.each([
    ["[E2] no production", [one], "environments: Exactly one environment must be production"],
    ["[E2] two", [live, { ...live, name: "b" }], "environments: Exactly one environment must be production"],
    ["a flag too few", [{ ...one, requiresReview: undefined }], "environments.0.requiresReview: Required"],
    [
      "an empty review group",
      [{ ...one, requiredReviewGroupID: "" }],
      "environments.0.requiredReviewGroupID: String must contain at least 1 character(s)",
    ],
    ["one name twice", [one, one], "environments: Duplicate environment name(s) given"],
    ["no list", undefined, "environments: Required"],
  ])("of a body with %s are refused, and nothing changes", async (_, sent, reason) => {
    const before = await read();
    expect(await refused(...write(sent))).toBe(`400 ${reason}`);
    expect(await read()).toEqual(before);
  });
});

test.each([
  ["/gates", {}, "companyID"],
  ["/experiments", {}, "companyID"],
  ["/segments", { type: "rule_based" }, "userID"],
])("[D1] the unit type of the project: of %s %j a new one counts by %s", async (path, more, idType) => {
  const settings = { name: "Shop", visibility: "OPEN", default_unit_type: "companyID" };
  await must("POST", "/settings/project", settings);
  expect(await must("POST", path, { name: "one", ...more })).toMatchObject({ idType });
  const own = { idType: "stableID" };
  expect(await must("POST", path, { name: "two", ...more, ...own })).toMatchObject(own);
});

describe("[D2] the defaults of a team", () => {
  const metrics = [{ name: "purchases", type: "sum" }];
  const team = {
    ...{ ...emptyTeam, name: "growth", defaultTargetApplications: ["web"], defaultGateMetrics: metrics },
    ...{ defaultExperimentPrimaryMetrics: metrics, defaultHoldoutID: "held" },
  };
  const gate = (name: string, more: object = {}) => must("POST", "/gates", { name, ...more });

  test("fill what a new object leaves out, and no more", async () => {
    await must("POST", "/holdouts", { name: "held" });
    const { id } = await must("POST", "/users/teams", team);
    const filled = { targetApps: ["web"], holdoutIDs: ["held"] };
    const byName = { ...filled, monitoringMetrics: metrics };
    expect(await gate("one", { team: "growth" })).toMatchObject(byName);
    const byId = await must("POST", "/experiments", { name: "two", teamID: id });
    expect(byId).toMatchObject({ ...filled, primaryMetrics: metrics });
    const own = { targetApps: [] };
    expect(await gate("three", { team: "growth", ...own })).toMatchObject(own);
    expect(await gate("four")).toMatchObject({ ...own, monitoringMetrics: [], holdoutIDs: [] });
    const members = { gateIDs: ["one", "three"], experimentIDs: ["two"] };
    expect(await must("GET", "/holdouts/held")).toMatchObject(members);
  });

  test("change nothing of an object that joins the team later", async () => {
    await must("POST", "/users/teams", { ...team, defaultHoldoutID: null });
    await gate("one");
    const changed = await must("PATCH", "/gates/one", { team: "growth" });
    expect(changed).toMatchObject({ team: "growth", targetApps: [], monitoringMetrics: [] });
  });
});

test("[D3] a project that demands teams refuses new gates, configs and experiments without one", async () => {
  const { must, refused } = await open({ seed: { gates: [{ name: "old" }] } });
  await must("POST", "/settings/teams", { require_teams_on_configs: true });
  for (const path of ["/gates", "/dynamic_configs", "/experiments"]) {
    expect(await refused("POST", path, { name: "one" })).toBe("400 team: This project requires a team");
    await must("POST", path, { name: "one", team: "growth" });
  }
  await must("PATCH", "/gates/old", { description: "new" });
  await must("POST", "/layers", { name: "layer", idType: "userID" });
});

test("[D3] unknownTeams refuse: a team that is not there, by name or by id, at creation and later", async () => {
  const seed = { teams: [{ ...emptyTeam, name: "growth", id: "t1" }] };
  const { must, refused } = await open({ behaviour: { unknownTeams: "refuse" }, seed });
  for (const [member, unknown, known] of [
    ["team", "grwth", "growth"],
    ["teamID", "t2", "t1"],
  ] as const) {
    const reason = `400 ${member}: Unknown team: ${unknown}`;
    expect(await refused("POST", "/gates", { id: member, [member]: unknown })).toBe(reason);
    await must("POST", "/gates", { id: member, [member]: known });
    expect(await refused("PATCH", `/gates/${member}`, { [member]: unknown })).toBe(reason);
  }
});

test("[D4] an owner in which every member is left out is none: the key's own stays", async () => {
  const made = await must("POST", "/gates", { name: "one", owner: {} });
  const ordinary = await must("POST", "/gates", { name: "two" });
  expect(made.owner).toEqual(ordinary.owner);
  expect(ordinary.owner).toMatchObject({ ownerType: "SDK_KEY" });
});

describe("users", () => {
  const ada = { email: "ada@example.com", firstName: "Ada", lastName: "Byron", role: "Admin" };
  const grace = { email: "grace@example.com", firstName: "", lastName: "", role: "Member" };

  let api: Desk;
  const before = { ...process.env };
  beforeEach(async () => {
    const users = [{ ...ada, email: "Ada@example.com", id: "u1" }, { email: grace.email }];
    api = await openDesk({ seed: { users } });
    process.env.FEATURE_CONSOLE_PROFILE = "custom";
    process.env.FEATURE_CONSOLE_BASE_URL = api.emulator.url;
    process.env.FEATURE_CONSOLE_API_KEY = testKey;
  });
  afterEach(async () => {
    process.env = before;
    await api.close();
  });

  const users = () => createClient({ profile: "custom", baseUrl: api.emulator.url, apiKey: testKey }).user;

  test("users are those of the seed, read by address, whatever its case, or by id", async () => {
    expect(await api.list("/users")).toEqual([ada, grace]);
    for (const path of ["ADA@example.com", "id/u1"])
      expect(await api.must("GET", `/users/${path}`)).toEqual(ada);
    for (const path of ["nobody@example.com", "id/u2"])
      expect(await api.refused("GET", `/users/${path}`)).toBe("404 User not found.");
    const nobody = openDesk({ seed: { users: [{ role: "Admin" }] } });
    await expect(nobody).rejects.toThrow("seed.users[0].email: Required");
  });

  test("lookups find them", async () => {
    const found = { id: ada.email, ...ada };
    expect(await getUser({ email: "Ada@Example.com" })).toEqual(found);
    expect(await getUserById({ id: "u1" })).toEqual(found);
    expect((await listUsers()).map(({ email }) => email)).toEqual([ada.email, grace.email]);
    await expect(getUser({ email: "nobody@example.com" })).rejects.toThrow(
      "Cannot look up user (get): GET /users/nobody%40example.com answered 404: User not found.",
    );
  });

  test("an answer about somebody else is not believed", async () => {
    const body = { message: "", data: ada };
    api.emulator.addFaults([{ method: "GET", path: "/users/x%40example.com", body, times: 1 }]);
    await expect(getUser({ email: "x@example.com" })).rejects.toThrow(/whose email is "ada@example.com"/);
  });

  test("the client changes a user in part", async () => {
    const member = { ...ada, role: "Member" };
    expect(await users().update({ email: ada.email, body: { role: "Member" } })).toEqual(member);
    expect(await api.must("GET", "/users/id/u1")).toEqual(member);
    await expect(users().update({ email: "no@example.com", body: {} })).rejects.toThrow("User not found.");
  });

  test("[H4] the client invites: who is new is a user, who is known stays as they are, all join the teams", async () => {
    const team = await api.must("POST", "/users/teams", { ...emptyTeam, name: "growth" });
    const emails = ["new@example.com", "ADA@example.com"];
    await users().invite({ body: { role: "Viewer", emails, teams: ["growth"] } });
    const invited = { email: "new@example.com", firstName: "", lastName: "", role: "Viewer" };
    expect(await api.list("/users")).toEqual([ada, grace, invited]);
    expect((await api.must("GET", `/users/teams/${team.id}`)).members).toEqual([invited, ada]);
  });

  test.each<[string, object, string]>([
    ["a team", { emails: ["other@example.com"], teams: ["none"] }, "teams: Unknown team: none"],
    ["an own address", { emails: ["x@gmail.com"] }, "emails: Not a company address: x@gmail.com"],
    ["no address", { emails: ["a@example.com", "nobody"] }, "emails.1: Invalid email"],
    ["nobody", {}, "emails: Required"],
  ])("[H4] an invitation is refused for %s", async (_, body, reason) => {
    expect(await api.refused("POST", "/users/invite", { role: "Viewer", ...body })).toBe(`400 ${reason}`);
    expect(await api.list("/users")).toHaveLength(2);
  });
});
