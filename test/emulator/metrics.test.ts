import { describe, expect, test } from "@jest/globals";
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

test("a permanent metric cannot be deleted", async () => {
  await make({ isPermanent: true });
  expect((await ask("DELETE", path(id))).status).toBe(400);
  await must("POST", path(id), { isPermanent: false });
  expect((await ask("DELETE", path(id))).status).toBe(200);
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
