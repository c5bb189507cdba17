import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { createEmulator, type Fault } from "../../src/emulator";
import { httpTransport } from "../../src/provider/client/transport";
import { overHttp, testKey } from "./desk";
import { desksOfTests } from "./test-desk";

const open = desksOfTests();
const openOverHttp = desksOfTests(overHttp);
/** Makes a gate as a program does that knows nothing of this package. */
const fetched = (url: string, name: string) =>
  fetch(`${url}/console/v1/gates`, {
    ...{ method: "POST", headers: { "SERVICE-API-KEY": testKey }, body: JSON.stringify({ name }) },
  });

test("429 twice, then fine", async () => {
  const fault = { method: "POST", path: "/gates", times: 2, status: 429, retryAfter: 3 } as const;
  const { emulator, ask } = await open({ faults: [fault] });
  const create = () => fetched(emulator.url, "gate");
  const first = await create();
  expect([first.status, first.headers.get("retry-after")]).toEqual([429, "3"]);
  expect((await ask("GET", "/gates/gate")).status).toBe(404);
  expect((await create()).status).toBe(429);
  expect((await create()).status).toBe(201);
});

test("a lost answer leaves the write done, a connection reset before it does not", async () => {
  const { ask, list, emulator } = await openOverHttp();
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
  const page = { times: 1, status: 502, body: "<html>", contentType: "text/html" };
  const { ask, emulator } = await openOverHttp({ faults: [{ times: 1, delayMs: 120 }, page] });
  const start = Date.now();
  await ask("GET", "/gates");
  expect(Date.now() - start).toBeGreaterThanOrEqual(110);
  const answer = await fetch(`${emulator.url}/console/v1/gates`);
  const got = [answer.status, answer.headers.get("content-type"), await answer.text()];
  expect(got).toEqual([502, "text/html", "<html>"]);
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

test("the first fitting requests pass, and several methods may be meant", async () => {
  const { ask } = await open({ faults: [{ method: ["POST", "DELETE"], after: 1, times: 2, status: 418 }] });
  const statuses = [];
  for (const method of ["GET", "DELETE", "DELETE", "GET", "POST", "DELETE"])
    statuses.push((await ask(method, method === "DELETE" ? "/gates/none" : "/gates")).status);
  expect(statuses).toEqual([200, 404, 418, 200, 418, 404]);
});

test("requests that an earlier fault meets do not count for a later one", async () => {
  const faults = [418, 420].map((status, after) => ({ times: 1, status, after }));
  const { ask } = await open({ faults });
  const statuses = [];
  for (let number = 1; number <= 4; number += 1) statuses.push((await ask("GET", "/gates")).status);
  expect(statuses).toEqual([418, 200, 420, 200]);
});

test("a request may be carried out and answered otherwise", async () => {
  const { emulator, list } = await open({
    faults: [
      { times: 1, status: 504, body: "<html>", contentType: "text/html", carriedOut: true },
      { times: 1, status: 200, body: "", carriedOut: true },
      { times: 1, contentType: "text/plain" },
    ],
  });
  const create = async (name: string) => {
    const answer = await fetched(emulator.url, name);
    const text = await answer.text();
    return [answer.status, answer.headers.get("content-type"), text.slice(0, 6)];
  };
  expect(await create("one")).toEqual([504, "text/html", "<html>"]);
  expect(await create("two")).toEqual([200, "application/json; charset=utf-8", ""]);
  expect(await create("three")).toEqual([201, "text/plain", '{"mess']);
  expect((await list("/gates")).map(({ id }) => id).sort()).toEqual(["one", "three", "two"]);
});

test.each([
  ["first", 201],
  ["second", 400],
] as const)("a request is delivered twice and the %s answer is given", async (twice, status) => {
  const { ask, list } = await open({ faults: [{ method: "POST", times: 1, twice }] });
  expect((await ask("POST", "/gates", { name: "gate" })).status).toBe(status);
  expect(await list("/gates")).toHaveLength(1);
  await expect(ask("POST", "/alerts", { name: "alert" })).resolves.toMatchObject({ status: 201 });
});

test("names that need not be unique make two of a request that is delivered twice", async () => {
  const { must, list } = await open({ faults: [{ method: "POST", times: 1, twice: "first" }] });
  await must("POST", "/alerts", { name: "alert" });
  expect(await list("/alerts")).toHaveLength(2);
});

test.each(["memory", "file"])("a stale read is as before the last write (%s)", async (where) => {
  const folder = mkdtempSync(path.join(tmpdir(), "feature-console-stale-"));
  const data = where === "file" ? { data: path.join(folder, "console.db") } : {};
  const { ask, must } = await open({ ...data, faults: [{ after: 1, times: 3, stale: true }] });
  await must("POST", "/gates", { name: "gate", description: "first", tags: ["kept"] });
  expect((await ask("GET", "/gates/gate")).data.description).toBe("first");
  await must("PATCH", "/gates/gate", { description: "second" });
  expect((await ask("GET", "/gates/gate")).data.description).toBe("first");
  await must("POST", "/gates", { name: "other" });
  // A write that is refused leaves nothing to be late with.
  expect((await ask("PATCH", "/gates/gate", { description: 5 })).status).toBe(400);
  expect((await ask("GET", "/gates")).items.map(({ id }) => id)).toEqual(["gate"]);
  expect((await ask("GET", "/gates/other")).status).toBe(404);
  expect((await ask("GET", "/gates/other")).status).toBe(200);
  rmSync(folder, { recursive: true, force: true });
});

test("a 401 repeats the key, as the console does", async () => {
  const { ask } = await open({ faults: [{ times: 1, status: 401 }] });
  expect((await ask("GET", "/gates")).body.message).toBe(`An invalid API key was sent. Key: ${testKey}`);
});

describe.each(["a socket", "the process"])("what goes wrong on the way, through %s", (way) => {
  const ways = [{ truncate: "right" }, { truncate: "wrong" }, { byteEveryMs: 1 }] as const;
  const stalls = [{ stall: "answer" }, { stall: "body" }] as const;
  const faults: Fault[] = [...ways, ...stalls].map((fault) => ({ times: 1, ...fault }));

  test("cut, slow and endless answers to writes that were made", async () => {
    const { emulator, list } = await open({ faults });
    const socket = httpTransport(2);
    const { send } = way === "a socket" ? socket : emulator.transport;
    const create = (name: string, limitMs = 20_000) =>
      send({
        method: "POST",
        url: `${emulator.url}/console/v1/gates`,
        headers: { "SERVICE-API-KEY": testKey },
        body: JSON.stringify({ name }),
        signal: AbortSignal.timeout(limitMs),
      });
    const cut = await create("one");
    expect([cut.status, cut.text.startsWith('{"message"')]).toEqual([201, true]);
    expect(() => JSON.parse(cut.text) as unknown).toThrow();
    await expect(create("two")).rejects.toThrow(/reset|UND_ERR_SOCKET|ECONNRESET|aborted|terminated/i);
    expect(JSON.parse((await create("three")).text)).toMatchObject({ data: { id: "three" } });
    await expect(create("four", 50)).rejects.toThrow(/time/i);
    await expect(create("five", 50)).rejects.toThrow(/time/i);
    const made = (await list("/gates")).map(({ id }) => id);
    expect(new Set(made)).toEqual(new Set(["one", "two", "three", "four", "five"]));
  });
});

test.each<[string, object, RegExp]>([
  ["carriedOut", { carriedOut: true }, /^faults\[0\]\.carriedOut: Goes with 'status' or 'body' only$/],
  ["retryAfter", { retryAfter: 1 }, /\.retryAfter: Goes with 'status' or 'body' only$/],
  ["twice", { twice: "first", status: 200 }, /\.twice: Does not go with 'status' or 'body'$/],
  ["stale", { stale: true, method: "POST" }, /\.stale: Is for GET only$/],
  ["two shapes", { stall: "body", truncate: "right" }, /\.truncate: Does not go with 'stall'$/],
  [
    "an unknown way",
    { stall: "half" },
    /\.stall: Invalid enum value\. Expected 'answer' \| 'body', received 'half'$/,
  ],
])("a fault that contradicts itself is refused: %s", async (_, fault, message) => {
  await expect(open({ faults: [{ times: 1, ...fault } as Fault] })).rejects.toThrow(message);
});

test("the ingress inside the process meets the same faults and keeps the same record", async () => {
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
