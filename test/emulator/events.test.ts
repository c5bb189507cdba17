import { join } from "node:path";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { catalog } from "../../src/provider/definitions";
import { startSubject } from "../laws/subject";
import { freshFolder } from "../support/folders";
import { type Desk, ruleFor } from "./desk";
import { startBoth } from "./sdk/server-sdks";
import { sdksOfTests } from "./sdk/test-sdks";
import { desksOfTests, sharedDesk } from "./test-desk";

const open = desksOfTests();

const purchase = {
  name: "purchase",
  timestamp: "1000",
  userID: "u1",
  value: "9.99",
  metadata: { currency: "EUR" },
};
const visit = { name: "visit page", timestamp: "3000", userID: "u1" };
const seed = { events: [purchase, visit, { name: "purchase", timestamp: "2000", userID: "u2", value: "5" }] };

test("events are those of the seed, newest first, whole and by name", async () => {
  const { list, ask } = await open({ seed });
  const plain = { source: "", value: "", metadata: {} };
  expect(await list("/events")).toEqual([
    { ...plain, ...visit },
    { ...plain, name: "purchase", timestamp: "2000", value: "5", userID: "u2" },
    { ...plain, ...purchase },
  ]);
  expect((await list("/events/purchase")).map((item) => item.value)).toEqual(["5", "9.99"]);
  expect(await list("/events/visit%20page")).toHaveLength(1);
  expect(await list("/events/unknown")).toEqual([]);
  const { body } = await ask("GET", "/events?limit=1&page=2");
  expect(body).toMatchObject({ data: [{ timestamp: "2000" }], pagination: { pageNumber: 2, totalItems: 3 } });
  const nameless = { events: [{ value: "1" }] };
  await expect(open({ seed: nameless })).rejects.toThrow("seed.events[0].name: Required");
});

test("the metrics of an event are the console's own and those made of it", async () => {
  const { must, list } = await open({ seed });
  const steps = ["visit page", "purchase"].map((name) => ({ name, type: "event_dau" }));
  for (const metric of [
    { name: "revenue", type: "sum", metricEvents: [{ name: "purchase" }] },
    { name: "visits", type: "sum", metricEvents: [{ name: "visit page" }] },
    { name: "conversion", type: "funnel", funnelEventList: steps, funnelCountDistinct: "users" },
  ])
    await must("POST", "/metrics", { unitTypes: ["userID"], ...metric });
  const ids = async (name: string) => (await list(`/events/${name}/metrics`)).map((item) => item.id);
  const own = (event: string) => [`${event}::event_count`, `${event}::event_dau`];
  expect(await ids("purchase")).toEqual([...own("purchase"), "revenue::sum", "conversion::funnel"]);
  expect(await ids("visit%20page")).toEqual([...own("visit page"), "visits::sum", "conversion::funnel"]);
  await must("POST", "/metrics/purchase%3A%3Aevent_count", { description: "Purchases" });
  await must("DELETE", "/metrics/revenue%3A%3Asum");
  expect(await ids("purchase")).toEqual([...own("purchase"), "conversion::funnel"]);
  const changed = { description: "Purchases", type: "event_count", lineage: { events: ["purchase"] } };
  expect(await must("GET", "/metrics/purchase/event_count")).toMatchObject(changed);
});

test("planted again into the same file, nothing is there twice", async () => {
  const folder = freshFolder();
  const options = { data: join(folder, "console.db"), seed: { events: [...seed.events, { name: "bare" }] } };
  await (await open(options)).close();
  const { list, close } = await open(options);
  expect(await list("/events")).toHaveLength(4);
  await close();
});

describe("counts of exposures", () => {
  const hour = 3_600_000;
  let now: number;
  const api = sharedDesk({ clock: () => now });
  beforeEach(async () => {
    now = Date.UTC(2026, 10, 20, 10);
    await api.must("POST", "/gates", { id: "checkout" });
    await api.must("POST", "/dynamic_configs", { name: "limits" });
    const groups = ["a", "b"].map((name) => ({ name, size: 50, parameterValues: {} }));
    await api.must("POST", "/experiments", { name: "prices", idType: "userID", groups, hypothesis: "x" });
  });

  const expose = async (event: string, metadata: Record<string, string>, times = 1) => {
    const events = Array.from({ length: times }, () => ({ eventName: `statsig::${event}`, metadata }));
    const answer = await fetch(`${api.emulator.url}/v1/log_event`, {
      ...{ method: "POST", headers: { "STATSIG-API-KEY": ["secret", "x"].join("-") } },
      body: JSON.stringify({ events }),
    });
    expect(answer.ok).toBe(true);
  };
  const count = (id: string, pastDay: number, past7Days: number) => ({ id, pastDay, past7Days });

  test("[H2] are of the past day and the past seven days, by kind and id", async () => {
    await expose("gate_exposure", { gate: "checkout" }, 3);
    now += 30 * hour;
    await expose("gate_exposure", { gate: "checkout" }, 2);
    await expose("gate_exposure", { gate: "misspelt" });
    await expose("config_exposure", { config: "limits" });
    await expose("config_exposure", { config: "prices" });
    await expose("layer_exposure", { config: "a_layer", allocatedExperiment: "prices" });
    const asked = "/exposure_count?gates=checkout,unasked&experiments=prices&dynamicConfigs=limits";
    expect(await api.must("GET", asked)).toEqual({
      gates: [count("checkout", 2, 5), count("unasked", 0, 0)],
      experiments: [count("prices", 2, 2)],
      dynamicConfigs: [count("limits", 1, 1)],
    });
    now += 7 * 24 * hour;
    expect(await api.must("GET", asked)).toMatchObject({ gates: [count("checkout", 0, 0), {}] });
  });

  test("do not go to a new object of the same id", async () => {
    await expose("gate_exposure", { gate: "checkout" });
    await api.must("DELETE", "/gates/checkout");
    await api.must("POST", "/gates", { id: "checkout" });
    const none = { gates: [count("checkout", 0, 0)], experiments: [], dynamicConfigs: [] };
    expect(await api.must("GET", "/exposure_count?gates=checkout")).toEqual(none);
  });

  test("[H2] are asked for by up to 25 ids, repeated or with commas", async () => {
    const ids = Array.from({ length: 26 }, (_, index) => `gate_${index}`);
    const repeated = ids.slice(1).map((id) => `gates=${id}`);
    const { gates } = await api.must("GET", `/exposure_count?${repeated.join("&")}`);
    expect(gates).toHaveLength(25);
    expect((await api.ask("GET", `/exposure_count?gates=${ids.join(",")}`)).status).toBe(400);
  });
});

describe("what SDKs send", () => {
  // They stop before their console, which gets what they still have.
  const stopLater = sdksOfTests();
  const started = async ({ emulator }: Pick<Desk, "emulator">) => stopLater(await startBoth(emulator.url));

  test("what an application logs is an event of the console, with its metrics", async () => {
    const api = await open();
    for (const sdk of await started(api)) {
      sdk.log("bought", { userID: `by ${sdk.family}`, email: "a@b.c" }, sdk.family === "node" ? 9.5 : "9.5", {
        currency: "EUR",
      });
      await sdk.flush();
    }
    const events = await api.list("/events");
    expect(events.map(({ name, value, userID, source }) => [name, value, userID, source]).sort()).toEqual([
      ["bought", "9.5", "by core", "statsig-server-core-node"],
      ["bought", "9.5", "by node", "statsig-node"],
    ]);
    const timestamp = expect.stringMatching(/^\d{13}$/);
    expect(events[0]).toMatchObject({ timestamp, metadata: { currency: "EUR" } });
    expect(await api.list("/events/bought")).toHaveLength(2);
    const metrics = await api.list("/events/bought/metrics");
    expect(metrics.map(({ id }) => id)).toEqual(["bought::event_count", "bought::event_dau"]);
  });

  test("checks of the last hour count, of objects that are there, and change nothing else", async () => {
    let now = Date.now();
    const api = await open({ clock: () => now });
    await api.must("POST", "/gates", { id: "asked", rules: [ruleFor("r")] });
    await api.must("POST", "/gates", { id: "unasked" });
    const before = await api.must("GET", "/gates/asked");
    for (const sdk of await started(api)) {
      for (const userID of ["a", "b", "c"]) sdk.gate("asked", { userID });
      sdk.gate("misspelt", { userID: "a" });
      await sdk.flush();
    }
    expect(await api.must("GET", "/gates/asked")).toEqual({ ...before, checksPerHour: 6 });
    expect((await api.list("/gates")).map(({ checksPerHour }) => checksPerHour)).toEqual([6, 0]);
    expect(await api.list("/events")).toEqual([]);
    now += 61 * 60_000;
    expect(await api.must("GET", "/gates/asked")).toEqual({ ...before, checksPerHour: 0 });
    await api.must("DELETE", "/gates/asked");
    expect((await api.ask("GET", "/gates/misspelt")).status).toBe(404);
  });

  test("only the newest events are kept", async () => {
    const api = await open();
    const events = (from: number) =>
      Array.from({ length: 5500 }, (_, index) => ({
        ...{ eventName: "clicked", time: from + index, user: { userID: "u" } },
      }));
    for (const from of [0, 5500]) {
      await fetch(`${api.emulator.url}/v1/log_event`, {
        ...{ method: "POST", headers: { "STATSIG-API-KEY": "secret-x" } },
        body: JSON.stringify({ events: events(from), statsigMetadata: { sdkType: "test" } }),
      });
    }
    const { body } = await api.ask("GET", "/events?limit=1");
    expect(body).toMatchObject({ pagination: { totalItems: 10_000 }, data: [{ timestamp: "10999" }] });
  });

  test("a refresh says nothing of traffic", async () => {
    const subject = await startSubject(catalog.gate);
    try {
      const args = { key: "asked", rules: [ruleFor("r")] };
      const made = await subject.up(args);
      for (const sdk of await started(subject)) {
        sdk.gate("asked", { userID: "u" });
        await sdk.flush();
      }
      expect(await subject.raw.gate.get({ id: "asked" })).toMatchObject({ checksPerHour: 2 });
      const refreshed = await subject.refresh(made);
      expect(refreshed?.inputs).toEqual(made.inputs);
      expect(await subject.diff(refreshed ?? made, args)).toMatchObject({ quiet: true });
    } finally {
      await subject.close();
    }
  });
});
