import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type Desk, openDesk } from "./desk";

const hour = 3_600_000;

let now: number;
let desk: Desk;
beforeEach(async () => {
  now = Date.UTC(2026, 10, 20, 10);
  desk = await openDesk({ clock: () => now });
  await desk.must("POST", "/gates", { id: "checkout" });
  await desk.must("POST", "/dynamic_configs", { name: "limits" });
  const groups = ["a", "b"].map((name) => ({ name, size: 50, parameterValues: {} }));
  await desk.must("POST", "/experiments", { name: "prices", idType: "userID", groups, hypothesis: "x" });
});
afterEach(() => desk?.close());

const expose = async (event: string, metadata: Record<string, string>, times = 1) => {
  const events = Array.from({ length: times }, () => ({ eventName: `statsig::${event}`, metadata }));
  const answer = await fetch(`${desk.emulator.url}/v1/log_event`, {
    ...{ method: "POST", headers: { "STATSIG-API-KEY": ["secret", "x"].join("-") } },
    body: JSON.stringify({ events }),
  });
  expect(answer.ok).toBe(true);
};

test("[H2] exposures of the past day and the past seven days, by kind and id", async () => {
  await expose("gate_exposure", { gate: "checkout" }, 3);
  now += 30 * hour;
  await expose("gate_exposure", { gate: "checkout" }, 2);
  await expose("gate_exposure", { gate: "misspelt" });
  await expose("config_exposure", { config: "limits" });
  await expose("config_exposure", { config: "prices" });
  await expose("layer_exposure", { config: "a_layer", allocatedExperiment: "prices" });
  const asked = "/exposure_count?gates=checkout,unasked&experiments=prices&dynamicConfigs=limits";
  expect(await desk.must("GET", asked)).toEqual({
    gates: [
      { id: "checkout", pastDay: 2, past7Days: 5 },
      { id: "unasked", pastDay: 0, past7Days: 0 },
    ],
    experiments: [{ id: "prices", pastDay: 2, past7Days: 2 }],
    dynamicConfigs: [{ id: "limits", pastDay: 1, past7Days: 1 }],
  });
  now += 7 * 24 * hour;
  expect(await desk.must("GET", asked)).toMatchObject({ gates: [{ pastDay: 0, past7Days: 0 }, {}] });
});

test("a new object of the same id was never exposed", async () => {
  await expose("gate_exposure", { gate: "checkout" });
  await desk.must("DELETE", "/gates/checkout");
  await desk.must("POST", "/gates", { id: "checkout" });
  expect(await desk.must("GET", "/exposure_count?gates=checkout")).toEqual({
    gates: [{ id: "checkout", pastDay: 0, past7Days: 0 }],
    ...{ experiments: [], dynamicConfigs: [] },
  });
});

test("[H2] a request takes 25 ids, repeated or with commas", async () => {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `gate_${index}`);
  const { gates } = await desk.must(
    "GET",
    `/exposure_count?${ids(25)
      .map((id) => `gates=${id}`)
      .join("&")}`,
  );
  expect(gates).toHaveLength(25);
  expect((await desk.ask("GET", `/exposure_count?gates=${ids(26).join(",")}`)).status).toBe(400);
});
