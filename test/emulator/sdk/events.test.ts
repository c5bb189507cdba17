import { expect, test } from "@jest/globals";
import { catalog } from "../../../src/provider/definitions";
import { startSubject } from "../../laws/subject";
import { type Desk, ruleFor } from "../desk";
import { desksOfTests } from "../test-desk";
import { startBoth } from "./server-sdks";
import { sdksOfTests } from "./test-sdks";

const stopLater = sdksOfTests();
// After the SDKs, which send what they still have.
const open = desksOfTests();

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
