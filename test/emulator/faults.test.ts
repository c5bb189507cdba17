import { afterEach, describe, expect, test } from "@jest/globals";
import type { Fault } from "../../src/emulator";
import { createEmulator } from "../../src/emulator";
import { type Desk, openDesk, testKey } from "./desk";

const desks: Desk[] = [];
const open = async (...given: Parameters<typeof openDesk>) => {
  const desk = await openDesk(...given);
  desks.push(desk);
  return desk;
};
afterEach(async () => {
  for (const desk of desks.splice(0)) await desk.close();
});

test("429 twice, then fine", async () => {
  const { emulator, ask } = await open({
    faults: [{ method: "POST", path: "/gates", times: 2, status: 429, retryAfter: 3 }],
  });
  const create = () =>
    fetch(`${emulator.url}/console/v1/gates`, {
      method: "POST",
      headers: { "SERVICE-API-KEY": testKey },
      body: '{"name":"gate"}',
    });
  const first = await create();
  expect([first.status, first.headers.get("retry-after")]).toEqual([429, "3"]);
  expect((await ask("GET", "/gates/gate")).status).toBe(404);
  expect((await create()).status).toBe(429);
  expect((await create()).status).toBe(201);
});

test("a lost answer leaves the write done, a connection reset before it does not", async () => {
  const { ask, list, emulator } = await open();
  emulator.addFaults([
    { method: "POST", reset: "after", times: 1 },
    { method: "POST", reset: "before", times: 1 },
  ]);
  await expect(ask("POST", "/gates", { name: "done" })).rejects.toThrow();
  await expect(ask("POST", "/gates", { name: "not done" })).rejects.toThrow();
  expect((await list("/gates")).map(({ id }) => id)).toEqual(["done"]);
  expect(emulator.requests.map(({ status }) => status)).toEqual([0, 0, 200]);
});

test("a slow answer comes late, a foreign one comes as it is told", async () => {
  const { ask, emulator } = await open({
    faults: [
      { times: 1, delayMs: 120 },
      { times: 1, status: 502, body: "<html>", contentType: "text/html" },
    ],
  });
  const start = Date.now();
  await ask("GET", "/gates");
  expect(Date.now() - start).toBeGreaterThanOrEqual(110);
  const answer = await fetch(`${emulator.url}/console/v1/gates`);
  expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
    502,
    "text/html",
    "<html>",
  ]);
});

test.each([
  ["/gates", "/gates/one", true],
  ["/console/v1/gates", "/gates/one", true],
  ["gates", "/gates", true],
  ["/gates/*", "/gates/one", true],
  ["/gates/*", "/gates/one/rules", false],
  ["/gates/**", "/gates/one/rules", true],
  ["/gates/*/rules", "/gates/one/rules", true],
  ["/gates/one", "/gates", false],
])("a fault at %s meets %s: %s", async (path, asked, meets) => {
  const { ask } = await open({ faults: [{ path, times: 1, status: 418 }] });
  expect((await ask("GET", asked)).status === 418).toBe(meets);
});

test("a malformed fault is refused with its place", async () => {
  const faults = [{ times: 1 }, { times: 0, stauts: 500 }] as unknown as Fault[];
  await expect(open({ faults })).rejects.toThrow(
    /^faults\[1\]\.times: .*faults\[1\]: Unrecognized key\(s\) in object: 'stauts'/,
  );
});

test("the door inside the process meets the same faults and keeps the same record", async () => {
  const { transport, requests, close } = createEmulator({ faults: [{ reset: "after", times: 1 }] });
  const send = (method: "GET" | "POST", path: string, body?: string) =>
    transport.send({
      method,
      url: `http://embedded.invalid/console/v1${path}`,
      headers: { "Service-Api-Key": testKey },
      ...(body === undefined ? {} : { body }),
    });
  await expect(send("POST", "/gates", '{"name":"a.."}')).rejects.toThrow("reset");
  const answer = await send("GET", "/gates/a%2E.");
  expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
  expect(requests).toMatchObject([
    { route: "create", status: 0 },
    { route: "get", status: 200 },
  ]);
  close();
});

test("a wait inside the process ends with its signal", async () => {
  const { transport, close } = createEmulator({
    profile: "embedded",
    faults: [{ delayMs: 60_000, times: 1 }],
  });
  const signal = AbortSignal.timeout(30);
  const url = "http://embedded.invalid/console/v1/gates";
  await expect(transport.send({ method: "GET", url, headers: {}, signal })).rejects.toThrow(/timeout/i);
  close();
});

describe("write limits", () => {
  let now = 0;
  const limited = () => open({ rateLimit: true, clock: () => now });

  test("100 writes in 10 s, whatever they do; reads are free", async () => {
    const { ask } = await limited();
    for (let index = 0; index < 100; index++)
      expect((await ask("DELETE", "/gates/unknown")).status).toBe(404);
    expect((await ask("POST", "/gates", { name: "gate" })).status).toBe(429);
    expect((await ask("GET", "/gates")).status).toBe(200);
    now += 10_000;
    expect((await ask("POST", "/gates", { name: "gate" })).status).toBe(201);
  });

  test("in windows of another length", async () => {
    const { ask } = await open({ rateLimit: true, rateLimitScale: 0.02, clock: () => now });
    const write = () => ask("DELETE", "/gates/unknown");
    for (let index = 0; index < 100; index++) await write();
    now += 199;
    expect((await write()).status).toBe(429);
    now += 1;
    expect((await write()).status).toBe(404);
  });

  test("900 writes in 15 minutes", async () => {
    const { ask } = await limited();
    for (let index = 0; index < 900; index++) {
      now += 200;
      await ask("DELETE", "/gates/unknown");
    }
    now += 10_000;
    expect((await ask("DELETE", "/gates/unknown")).status).toBe(429);
    now += 900_000;
    expect((await ask("DELETE", "/gates/unknown")).status).toBe(404);
  });

  test("12 writes of id lists in 10 s", async () => {
    const { ask, must } = await limited();
    await must("POST", "/segments", { name: "list", type: "id_list" });
    const write = () => ask("PATCH", "/segments/list/id_list", { ids: ["a"] });
    for (let index = 0; index < 12; index++) expect((await write()).status).toBe(200);
    expect((await write()).status).toBe(429);
    expect((await ask("POST", "/gates", { name: "gate" })).status).toBe(201);
  });
});
