import { describe, expect, test } from "@jest/globals";
import { emptyTeam } from "../laws/furniture";
import { desksOfTests, sharedDesk } from "./test-desk";

const path = (id: string, rest = "") => `/metrics/${encodeURIComponent(id)}${rest}`;
const open = desksOfTests();
const { ask, must, list, refused } = sharedDesk();

const metricEvents = [{ name: "purchase", type: "value" }];
const revenue = { name: "revenue", type: "sum", unitTypes: ["userID"], metricEvents };
const id = "revenue::sum";
const make = (more: object = {}) => must("POST", "/metrics", { ...revenue, ...more });
const message = { message: expect.any(String) };

test("a metric is listed, and read by its id or by name and type", async () => {
  await make();
  const listed = [{ id, isHidden: false, owner: { name: "CONSOLE API" } }];
  expect(await list("/metrics/list")).toMatchObject(listed);
  expect(await must("GET", path(id))).toEqual(await must("GET", "/metrics/revenue/sum"));
  const change = { description: "new", tags: ["shop"] };
  expect(await must("POST", path(id), change)).toMatchObject({ ...revenue, ...change });
  expect(await list("/metrics/list?tags=shop")).toHaveLength(1);
  expect(await list("/metrics/list?tags=other")).toEqual([]);
  expect((await ask("POST", path(id, "/reload?incremental=true"))).body).toEqual(message);
  expect(await must("GET", path(id, "/sql"))).toMatchObject({ sql: "" });
  await must("DELETE", path(id));
  expect(await refused("GET", "/metrics/revenue/sum")).toBe("404 Metric not found");
});

test("the id is made of name and type, and stays when the name changes", async () => {
  await make();
  await make({ type: "mean" });
  expect(await must("POST", path(id), { name: "turnover" })).toMatchObject({ id, name: "turnover" });
  expect((await ask("GET", path("turnover::sum"))).status).toBe(404);
});

test("what an update does not take stays, and warehouseNative is replaced whole", async () => {
  const native = { aggregation: "sum", metricSourceName: "purchases", valueColumn: "amount" };
  await make({ tags: "core", warehouseNative: native });
  const change = { type: "mean", metricEvents: [], warehouseNative: { aggregation: "count" } };
  const changed = await must("POST", path(id), change);
  expect(changed).toMatchObject({ ...revenue, tags: ["core"] });
  expect(changed.warehouseNative).toEqual({ aggregation: "count" });
});

const steps = ["visit", "purchase"].map((name) => ({ name, type: "event_dau" }));
test.each([
  [{ name: "metric", type: "funnel", funnelCountDistinct: "users" }, "funnelEventList"],
  [{ name: "metric", type: "funnel", funnelEventList: steps }, "funnelCountDistinct"],
  [{ name: "metric", type: "composite_sum" }, "metricComponentMetrics"],
  [{ ...revenue, warehouseNative: { winsorizationHigh: 2 } }, "warehouseNative.winsorizationHigh"],
])("%j is refused", async (body, property) => {
  expect(await refused("POST", "/metrics", body)).toMatch(new RegExp(`^400 ${property}: [^;]+$`));
  expect(await list("/metrics/list")).toEqual([]);
});

test("a dry run answers and stores nothing", async () => {
  const made = await ask("POST", "/metrics", { ...revenue, dryRun: true });
  expect(made).toMatchObject({ status: 201, data: { id } });
  expect(await list("/metrics/list")).toEqual([]);
  await make();
  const tried = { description: "tried" };
  expect(await must("POST", path(id), { ...tried, dryRun: true })).toMatchObject(tried);
  expect(await must("GET", path(id))).toMatchObject({ description: "" });
});

describe("archiving", () => {
  const openAt = async () => {
    let now = Date.UTC(2026, 0, 1, 12);
    const api = await open({ clock: () => now });
    await api.must("POST", "/metrics", revenue);
    const ids = async (query = "") => (await api.list(`/metrics/list${query}`)).map((item) => item.id);
    const put = async (verb: string) => {
      const { status, body } = await api.ask("PUT", path(id, `/${verb}`), {});
      if (status === 200) expect(body).toEqual(message);
      return status;
    };
    return { ...api, ids, put, tomorrow: () => (now += 86_400_000 / 2) };
  };

  test("takes effect the next day; the metric can still be read, and listed on request", async () => {
    const { must, ids, put, tomorrow } = await openAt();
    expect(await put("schedule_archive")).toBe(200);
    expect(await ids()).toEqual([id]);
    tomorrow();
    expect(await ids()).toEqual([]);
    expect(await ids("?showHiddenMetrics=true")).toEqual([id]);
    expect(await must("GET", path(id))).not.toHaveProperty("$archivedFrom");
    expect([await put("cancel_archive"), await put("unarchive")]).toEqual([400, 200]);
    expect(await ids()).toEqual([id]);
  });

  test("can be cancelled before that", async () => {
    const { ids, put, tomorrow } = await openAt();
    expect([await put("schedule_archive"), await put("cancel_archive")]).toEqual([200, 200]);
    tomorrow();
    expect(await ids()).toEqual([id]);
  });
});

test("the metrics of a source are those that read from it anywhere", async () => {
  const mapping = { sql: "select 1", timestampColumn: "ts", idTypeMapping: [] };
  for (const name of ["purchases", "visits"])
    await must("POST", "/metrics/metric_source", { name, ...mapping });
  const from = (metricSourceName: string) => ({ metricSourceName });
  for (const [name, warehouseNative] of Object.entries({
    direct: from("purchases"),
    rate: { ...from("visits"), denominatorMetricSourceName: "purchases" },
    steps: { funnelEvents: [from("visits"), from("purchases")] },
    other: { components: [from("visits")], metricSources: [] },
  }))
    await must("POST", "/metrics", { name, type: "user_warehouse", warehouseNative });
  const of = async (name: string) =>
    (await list(`/metrics/metric_source/${name}/metrics`)).map((item) => item.name);
  expect(await of("purchases")).toEqual(["direct", "rate", "steps"]);
  expect(await of("visits")).toEqual(["rate", "steps", "other"]);
  await must("POST", path("direct::user_warehouse"), { warehouseNative: from("visits") });
  expect(await of("purchases")).toEqual(["rate", "steps"]);
  expect((await ask("GET", "/metrics/metric_source/unknown/metrics")).status).toBe(404);
});

test("[A9] experiments are listed by whether they are stale, and those of a metric by much more", async () => {
  const metric = { name: "buys", type: "sum" };
  const one = { name: "one one", primaryMetrics: [metric], idType: "stableID", layerID: "shop_layer" };
  const experiments = [
    { ...one, isStale: true },
    { name: "two two", primaryMetrics: [metric] },
  ];
  const layers = [{ name: "shop_layer", idType: "stableID" }];
  const { list } = await open({ seed: { layers, metrics: [metric], experiments } });
  const names = async (path: string) => (await list(path)).map(({ name }) => name);
  expect(await names("/experiments?stale=true")).toEqual(["one one"]);
  const of = path("buys::sum", "/experiments");
  expect(await names(of)).toEqual(["one one", "two two"]);
  const [made] = await list(of);
  const day = new Date(Number(made?.createdTime)).toISOString().slice(0, 10);
  for (const query of ["layerID=shop_layer", "idType=stableID", "stale=true"])
    expect([query, await names(`${of}?${query}`)]).toEqual([query, ["one one"]]);
  for (const query of [`createdStartDate=${day}`, `createdEndDate=${day}`, "creatorName=CONSOLE API"])
    expect([query, await names(`${of}?${query}`)]).toEqual([query, ["one one", "two two"]]);
  for (const query of ["teamID=t", "creatorID=c", "targetAppID=a", "createdEndDate=2020-01-01"])
    expect([query, await names(`${of}?${query}`)]).toEqual([query, []]);
});

describe("sources of data", () => {
  const mapping = (member: string) => ({ idTypeMapping: [{ [member]: "userID", column: "user" }] });
  const query = { sql: "select 1", timestampColumn: "ts", ...mapping("serviceUnitID") };
  const assignment = { ...query, experimentIDColumn: "e", groupIDColumn: "g" };
  const allRequired = (...parts: string[]) => `400 ${parts.map((part) => `${part}: Required`).join("; ")}`;

  describe("metric sources", () => {
    const all = "/metrics/metric_source";
    const one = `${all}/source`;
    const make = (body: object = {}) => must("POST", all, { name: "source", ...query, ...body });

    test("the update needs every part of the query, refuses a name, and keeps what it does not name", async () => {
      await make({ description: "old", tags: ["a"] });
      expect(await refused("POST", one, { description: "new" })).toBe(
        allRequired("sql", "timestampColumn", "idTypeMapping"),
      );
      expect(await refused("POST", one, { ...query, name: "other" })).toBe(
        "400 name: Invalid literal value, expected undefined",
      );
      expect(await must("POST", one, query)).toMatchObject({ description: "old", tags: ["a"] });
      // [X3] Other clients send the name along.
      expect(await must("POST", one, { ...query, name: "source" })).toMatchObject({ name: "source" });
      expect((await ask("PATCH", one, query)).status).toBe(404);
    });

    test("a query that reads from nothing is refused, unless a table is named or nothing is to be checked", async () => {
      const empty = { ...query, name: "source", sql: " " };
      const reason = "400 sql: The query is empty and no table is named";
      for (const more of [{}, { dryRun: true }])
        expect(await refused("POST", all, { ...empty, ...more })).toBe(reason);
      await make({ name: "table", sql: "", sourceType: "table", tableName: "shop.purchases" });
      await make({ ...empty, skip_validation: true });
      expect(await refused("POST", one, empty)).toBe(reason);
    });
  });

  describe("assignment sources", () => {
    const all = "/experiments/assignment_sources";
    const one = "/experiments/assignment_source/source";
    const make = (name = "source") => must("POST", all, { name, ...assignment });

    test("a source is changed in part by PATCH, where null clears the hour, and as a whole by POST", async () => {
      await make();
      for (const hour of [{ scheduledReloadHour: 3 }, { scheduledReloadHour: null }])
        expect(await must("PATCH", one, { description: "new", ...hour })).toMatchObject(hour);
      const whole = await must("POST", one, { ...assignment, sql: "select 2" });
      expect(whole).toMatchObject({ sql: "select 2", description: "new" });
    });

    test("a rename moves the source to its new path and keeps its place", async () => {
      for (const name of ["source", "second"]) await make(name);
      expect(await refused("PATCH", one, { name: "second" })).toBe("400 Name is already in use");
      await must("PATCH", one, { name: "third" });
      expect((await list(all)).map(({ name }) => name)).toEqual(["third", "second"]);
      for (const method of ["PATCH", "DELETE"])
        expect(await refused(method, one, {})).toBe("404 No assignment source was found with the given name");
      await make();
    });
  });

  test("profile statsig has its own name for the unit id, in bodies, answers, findings and seeds", async () => {
    const own = mapping("statsigUnitID");
    const seed = { metric_sources: [{ name: "planted", ...query, ...own }] };
    const { must, list, refused } = await open({ profile: "statsig", seed });
    expect(await must("GET", "/metrics/metric_source/planted")).toMatchObject(own);
    for (const path of ["/metrics/metric_source", "/experiments/assignment_sources"])
      expect(await must("POST", path, { name: "source", ...assignment, ...own })).toMatchObject(own);
    expect(await list("/experiments/assignment_sources")).toMatchObject([own]);
    expect(await refused("PATCH", "/experiments/assignment_source/source", mapping("serviceUnitID"))).toBe(
      "400 idTypeMapping.0.statsigUnitID: Required",
    );
  });
});

describe("alerts", () => {
  let now = 1_000_000;
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
    expect((await must("POST", `${at}/mute`, { indefinite: true })).activeMuteSchedules).toMatchObject(
      forEver,
    );
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
});
