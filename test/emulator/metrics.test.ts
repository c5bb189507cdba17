import { describe, expect, test } from "@jest/globals";
import { finding } from "./desk";
import { desksOfTests, sharedDesk } from "./test-desk";

const path = (id: string, rest = "") => `/metrics/${encodeURIComponent(id)}${rest}`;
const open = desksOfTests();
const { ask, must, list } = sharedDesk();

const revenue = {
  name: "revenue",
  type: "sum",
  unitTypes: ["userID"],
  metricEvents: [{ name: "purchase", type: "value" }],
};
const id = "revenue::sum";

test("a metric is listed, and read by its id or by name and type", async () => {
  await must("POST", "/metrics", revenue);
  expect(await list("/metrics/list")).toMatchObject([
    { id, isHidden: false, owner: { name: "CONSOLE API" } },
  ]);
  expect(await must("GET", path(id))).toEqual(await must("GET", "/metrics/revenue/sum"));
  const changed = await must("POST", path(id), { description: "new", tags: ["shop"] });
  expect(changed).toMatchObject({ ...revenue, description: "new", tags: ["shop"] });
  await must("DELETE", path(id));
  const gone = { status: 404, message: "Metric not found" };
  expect((await ask("GET", "/metrics/revenue/sum")).body).toEqual(gone);
});

test("the id is made of name and type, and stays when the name changes", async () => {
  await must("POST", "/metrics", revenue);
  await must("POST", "/metrics", { ...revenue, type: "mean" });
  expect(await must("POST", path(id), { name: "turnover" })).toMatchObject({ id, name: "turnover" });
  expect((await ask("GET", path("turnover::sum"))).status).toBe(404);
});

test("what an update does not take stays, and warehouseNative is replaced whole", async () => {
  const native = { aggregation: "sum", metricSourceName: "purchases", valueColumn: "amount" };
  await must("POST", "/metrics", { ...revenue, tags: "core", warehouseNative: native });
  const change = { type: "mean", metricEvents: [], warehouseNative: { aggregation: "count" } };
  const changed = await must("POST", path(id), change);
  expect(changed).toMatchObject({ ...revenue, tags: ["core"] });
  expect(changed.warehouseNative).toEqual({ aggregation: "count" });
});

test.each([
  [{ name: "ab", type: "sum" }, "name"],
  [{ name: "metric", type: "event_count" }, "type"],
  [{ name: "metric" }, "type"],
  [{ name: "metric", type: "funnel", funnelCountDistinct: "users" }, "funnelEventList"],
  [{ name: "metric", type: "composite_sum" }, "metricComponentMetrics"],
  [
    { name: "metric", type: "sum", warehouseNative: { winsorizationHigh: 2 } },
    "warehouseNative.winsorizationHigh",
  ],
])("%j is refused", async (body, property) => {
  const refused = { status: 400, body: { errors: [{ property }] } };
  expect(await ask("POST", "/metrics", body)).toMatchObject(refused);
  expect(await list("/metrics/list")).toEqual([]);
});

test("a funnel says what it counts", async () => {
  const steps = ["visit", "purchase"].map((name) => ({ name, type: "event_dau" }));
  const funnel = { name: "funnel", type: "funnel", funnelEventList: steps };
  expect((await ask("POST", "/metrics", funnel)).body).toEqual(finding("funnelCountDistinct", "Required"));
  expect((await ask("POST", "/metrics", { ...funnel, funnelCountDistinct: "users" })).status).toBe(201);
});

test("a dry run answers and stores nothing", async () => {
  const made = await ask("POST", "/metrics", { ...revenue, dryRun: true });
  expect(made).toMatchObject({ status: 201, data: { id } });
  expect(await list("/metrics/list")).toEqual([]);
  await must("POST", "/metrics", revenue);
  const changed = await must("POST", path(id), { description: "tried", dryRun: true });
  expect(changed).toMatchObject({ description: "tried" });
  expect(await must("GET", path(id))).toMatchObject({ description: "" });
});

test("a permanent metric cannot be deleted", async () => {
  await must("POST", "/metrics", { ...revenue, isPermanent: true });
  expect((await ask("DELETE", path(id))).status).toBe(400);
  await must("POST", path(id), { isPermanent: false });
  expect((await ask("DELETE", path(id))).status).toBe(200);
});

describe("archiving", () => {
  const noon = Date.UTC(2026, 0, 1, 12);
  const openAt = async () => {
    let now = noon;
    const desk = await open({ clock: () => now });
    await desk.must("POST", "/metrics", revenue);
    const ids = async (query = "") => (await desk.list(`/metrics/list${query}`)).map((item) => item.id);
    return { ...desk, ids, tomorrow: () => (now += 86_400_000 / 2) };
  };

  test("takes effect the next day; the metric can still be read, and listed on request", async () => {
    const { ask, must, ids, tomorrow } = await openAt();
    const { body } = await ask("PUT", path(id, "/schedule_archive"), {});
    expect(body).toEqual({ message: expect.any(String) });
    expect(await ids()).toEqual([id]);
    tomorrow();
    expect(await ids()).toEqual([]);
    expect(await ids("?showHiddenMetrics=true")).toEqual([id]);
    expect(await must("GET", path(id))).not.toHaveProperty("$archivedFrom");
    expect((await ask("PUT", path(id, "/cancel_archive"), {})).status).toBe(400);
    expect((await ask("PUT", path(id, "/unarchive"), {})).status).toBe(200);
    expect(await ids()).toEqual([id]);
  });

  test("can be cancelled before that", async () => {
    const { ask, ids, tomorrow } = await openAt();
    await ask("PUT", path(id, "/schedule_archive"), {});
    expect((await ask("PUT", path(id, "/cancel_archive"), {})).status).toBe(200);
    tomorrow();
    expect(await ids()).toEqual([id]);
  });
});

test("the metrics of a source are those that read from it anywhere", async () => {
  const mapping = { timestampColumn: "ts", idTypeMapping: [] };
  for (const name of ["purchases", "visits"])
    await must("POST", "/metrics/metric_source", { name, sql: "select 1", ...mapping });
  const native = (name: string, warehouseNative: object) =>
    must("POST", "/metrics", { name, type: "user_warehouse", warehouseNative });
  await native("direct", { metricSourceName: "purchases" });
  await native("rate", { metricSourceName: "visits", denominatorMetricSourceName: "purchases" });
  const funnelEvents = [{ metricSourceName: "visits" }, { metricSourceName: "purchases" }];
  await native("steps", { funnelEvents });
  await native("other", { components: [{ metricSourceName: "visits" }], metricSources: [] });
  const of = async (name: string) =>
    (await list(`/metrics/metric_source/${name}/metrics`)).map((item) => item.name);
  expect(await of("purchases")).toEqual(["direct", "rate", "steps"]);
  expect(await of("visits")).toEqual(["rate", "steps", "other"]);
  await must("POST", path("direct::user_warehouse"), { warehouseNative: { metricSourceName: "visits" } });
  expect(await of("purchases")).toEqual(["rate", "steps"]);
  expect((await ask("GET", "/metrics/metric_source/unknown/metrics")).status).toBe(404);
});

test("the rest of the routes answer", async () => {
  await must("POST", "/metrics", { ...revenue, tags: ["shop"] });
  expect((await ask("POST", path(id, "/reload?incremental=true"))).body).toEqual({
    message: expect.any(String),
  });
  expect(await list(path(id, "/experiments"))).toEqual([]);
  expect(await must("GET", path(id, "/sql"))).toMatchObject({ sql: "" });
  expect(await list("/metrics/list?tags=shop")).toHaveLength(1);
  expect(await list("/metrics/list?tags=other")).toEqual([]);
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
  const of = `/metrics/${encodeURIComponent("buys::sum")}/experiments`;
  expect(await names(of)).toEqual(["one one", "two two"]);
  const day = new Date().toISOString().slice(0, 10);
  for (const query of ["layerID=shop_layer", "idType=stableID", "stale=true"])
    expect([query, await names(`${of}?${query}`)]).toEqual([query, ["one one"]]);
  for (const query of [`createdStartDate=${day}`, `createdEndDate=${day}`, "creatorName=CONSOLE API"])
    expect([query, await names(`${of}?${query}`)]).toEqual([query, ["one one", "two two"]]);
  for (const query of ["teamID=t", "creatorID=c", "targetAppID=a", "createdEndDate=2020-01-01"])
    expect([query, await names(`${of}?${query}`)]).toEqual([query, []]);
});
