import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { desksOfTests } from "./test-desk";

const open = desksOfTests();

const seed = {
  events: [
    { name: "purchase", timestamp: "1000", userID: "u1", value: "9.99", metadata: { currency: "EUR" } },
    { name: "visit page", timestamp: "3000", userID: "u1" },
    { name: "purchase", timestamp: "2000", userID: "u2", value: "5" },
  ],
};

test("events are those of the seed, newest first, whole and by name", async () => {
  const { list, ask } = await open({ seed });
  expect(await list("/events")).toEqual([
    { name: "visit page", timestamp: "3000", source: "", value: "", userID: "u1", metadata: {} },
    { name: "purchase", timestamp: "2000", source: "", value: "5", userID: "u2", metadata: {} },
    {
      ...{ name: "purchase", timestamp: "1000", source: "", value: "9.99", userID: "u1" },
      metadata: { currency: "EUR" },
    },
  ]);
  expect((await list("/events/purchase")).map((item) => item.value)).toEqual(["5", "9.99"]);
  expect(await list("/events/visit%20page")).toHaveLength(1);
  expect(await list("/events/unknown")).toEqual([]);
  const { body } = await ask("GET", "/events?limit=1&page=2");
  expect(body).toMatchObject({ data: [{ timestamp: "2000" }], pagination: { pageNumber: 2, totalItems: 3 } });
});

test("the metrics of an event are the console's own and those made of it", async () => {
  const { must, list } = await open({ seed });
  const metric = { type: "sum", unitTypes: ["userID"] };
  await must("POST", "/metrics", { ...metric, name: "revenue", metricEvents: [{ name: "purchase" }] });
  await must("POST", "/metrics", { ...metric, name: "visits", metricEvents: [{ name: "visit page" }] });
  const steps = ["visit page", "purchase"].map((name) => ({ name, type: "event_dau" }));
  await must("POST", "/metrics", {
    ...{ name: "conversion", type: "funnel", funnelEventList: steps, funnelCountDistinct: "users" },
  });
  const ids = async (name: string) => (await list(`/events/${name}/metrics`)).map((item) => item.id);
  const own = ["purchase::event_count", "purchase::event_dau"];
  expect(await ids("purchase")).toEqual([...own, "revenue::sum", "conversion::funnel"]);
  expect(await ids("visit%20page")).toEqual([
    ...["visit page::event_count", "visit page::event_dau", "visits::sum", "conversion::funnel"],
  ]);
  await must("POST", "/metrics/purchase%3A%3Aevent_count", { description: "Purchases" });
  await must("DELETE", "/metrics/revenue%3A%3Asum");
  expect(await ids("purchase")).toEqual([...own, "conversion::funnel"]);
  expect(await must("GET", "/metrics/purchase/event_count")).toMatchObject({
    ...{ description: "Purchases", type: "event_count", lineage: { events: ["purchase"] } },
  });
});

test("planted again into the same file, nothing is there twice", async () => {
  const folder = mkdtempSync(join(tmpdir(), "events-"));
  const options = { data: join(folder, "console.db"), seed: { events: [...seed.events, { name: "bare" }] } };
  await (await open(options)).close();
  const { list, close } = await open(options);
  expect(await list("/events")).toHaveLength(4);
  await close();
  rmSync(folder, { recursive: true });
});

test("an event without a name is refused with its place", async () => {
  await expect(open({ seed: { events: [{ value: "1" }] } })).rejects.toThrow("seed.events[0].name: Required");
});
