import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { createEmulator, type Fault } from "../../src/emulator";
import { httpTransport } from "../../src/provider/client/transport";
import { freshFolder } from "../support/folders";
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
  const first = await fetched(emulator.url, "gate");
  expect([first.status, first.headers.get("retry-after")]).toEqual([429, "3"]);
  expect((await ask("GET", "/gates/gate")).status).toBe(404);
  for (const status of [429, 201]) expect((await fetched(emulator.url, "gate")).status).toBe(status);
});

test("a lost answer leaves the write done, a connection reset before it does not", async () => {
  const { ask, list, emulator } = await openOverHttp();
  const resets = (["after", "before"] as const).map(
    (reset) => ({ method: "POST", reset, times: 1 }) as const,
  );
  emulator.addFaults(resets);
  for (const name of ["done", "not done"]) await expect(ask("POST", "/gates", { name })).rejects.toThrow();
  expect((await list("/gates")).map(({ id }) => id)).toEqual(["done"]);
  expect(emulator.requests.map(({ status }) => status)).toEqual([0, 0, 200]);
});

test("a slow answer comes late, a foreign one comes as it is told, and a 401 repeats the key", async () => {
  const page = { times: 1, status: 502, body: "<html>", contentType: "text/html" };
  const faults = [{ times: 1, delayMs: 120 }, page, { times: 1, status: 401 }];
  const { ask, refused, emulator } = await openOverHttp({ faults });
  const start = Date.now();
  await ask("GET", "/gates");
  expect(Date.now() - start).toBeGreaterThanOrEqual(110);
  const answer = await fetch(`${emulator.url}/console/v1/gates`);
  const got = [answer.status, answer.headers.get("content-type"), await answer.text()];
  expect(got).toEqual([502, "text/html", "<html>"]);
  expect(await refused("GET", "/gates")).toBe(`401 An invalid API key was sent. Key: ${testKey}`);
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

test.each<[string, readonly Fault[], number[]]>([
  [
    "the first fitting requests pass, and several methods may be meant",
    [{ method: ["POST", "DELETE"], after: 1, times: 2, status: 418 }],
    [200, 404, 418, 200, 418, 404],
  ],
  [
    "requests that an earlier fault meets do not count for a later one",
    [418, 420].map((status, after) => ({ times: 1, status, after })),
    [418, 404, 420, 200, 201, 404],
  ],
])("%s", async (_, faults, expected) => {
  const { ask } = await open({ faults });
  const statuses = [];
  for (const method of ["GET", "DELETE", "DELETE", "GET", "POST", "DELETE"]) {
    const [path, body] = method === "DELETE" ? ["/gates/none"] : ["/gates", { name: "made" }];
    statuses.push((await ask(method, path, method === "POST" ? body : undefined)).status);
  }
  expect(statuses).toEqual(expected);
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
    return [answer.status, answer.headers.get("content-type"), (await answer.text()).slice(0, 6)];
  };
  expect(await create("one")).toEqual([504, "text/html", "<html>"]);
  expect(await create("two")).toEqual([200, "application/json; charset=utf-8", ""]);
  expect(await create("three")).toEqual([201, "text/plain", '{"mess']);
  expect((await list("/gates")).map(({ id }) => id).sort()).toEqual(["one", "three", "two"]);
});

test.each([
  ["first", "/gates", 201, 1],
  ["second", "/gates", 400, 1],
  // Their names need not be unique.
  ["first", "/alerts", 201, 2],
] as const)(
  "a request is delivered twice and the %s answer is given: %s",
  async (twice, path, status, made) => {
    const { ask, list } = await open({ faults: [{ method: "POST", times: 1, twice }] });
    expect((await ask("POST", path, { name: "alert" })).status).toBe(status);
    expect(await list(path)).toHaveLength(made);
    expect((await ask("POST", path, { name: "later" })).status).toBe(201);
  },
);

test.each(["memory", "file"])("a stale read is as before the last write (%s)", async (where) => {
  const folder = freshFolder();
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
  for (const status of [404, 200]) expect((await ask("GET", "/gates/other")).status).toBe(status);
});

test.each(["a socket", "the process"])(
  "cut, slow and endless answers to writes that were made, through %s",
  async (way) => {
    const ways: Partial<Fault>[] = [{ truncate: "right" }, { truncate: "wrong" }, { byteEveryMs: 1 }];
    const stalls: Partial<Fault>[] = [{ stall: "answer" }, { stall: "body" }];
    const faults = [...ways, ...stalls].map((fault) => ({ times: 1, ...fault }) as Fault);
    const { emulator, list } = await open({ faults });
    const { send } = way === "a socket" ? httpTransport(2) : emulator.transport;
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
    for (const name of ["four", "five"]) await expect(create(name, 50)).rejects.toThrow(/time/i);
    const made = (await list("/gates")).map(({ id }) => id);
    expect(new Set(made)).toEqual(new Set(["one", "two", "three", "four", "five"]));
  },
);

const ways = "'answer' | 'body'";
test.each<[object[], string]>([
  [[{ times: 0, stauts: 500 }], "faults[0]: Unrecognized key(s) in object: 'stauts'"],
  [[{ times: 1 }, { times: 0 }], "faults[1].times: "],
  [[{ times: 1, carriedOut: true }], "faults[0].carriedOut: Goes with 'status' or 'body' only"],
  [[{ times: 1, retryAfter: 1 }], "faults[0].retryAfter: Goes with 'status' or 'body' only"],
  [[{ times: 1, twice: "first", status: 200 }], "faults[0].twice: Does not go with 'status' or 'body'"],
  [[{ times: 1, stale: true, method: "POST" }], "faults[0].stale: Is for GET only"],
  [[{ times: 1, stall: "body", truncate: "right" }], "faults[0].truncate: Does not go with 'stall'"],
  [[{ times: 1, stall: "half" }], `faults[0].stall: Invalid enum value. Expected ${ways}, received 'half'`],
])("malformed and contradictory faults are refused with their place: %j", async (faults, message) => {
  await expect(open({ faults: faults as Fault[] })).rejects.toThrow(message);
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
  const faults = [{ delayMs: 60_000, times: 1 }];
  const { transport, close } = createEmulator({ profile: "embedded", faults });
  const signal = AbortSignal.timeout(30);
  const url = "http://embedded.invalid/console/v1/gates";
  await expect(transport.send({ method: "GET", url, headers: {}, signal })).rejects.toThrow(/timeout/i);
  close();
});

describe("write limits", () => {
  let now = 0;
  const limited = async (options = {}) => {
    const { ask, must } = await open({ rateLimit: true, clock: () => now, ...options });
    const write = async () => (await ask("DELETE", "/gates/unknown")).status;
    return { ask, must, write };
  };

  test("100 writes in 10 s, whatever they do; reads are free", async () => {
    const { ask, write } = await limited();
    for (let index = 0; index < 100; index++) expect(await write()).toBe(404);
    expect((await ask("POST", "/gates", { name: "gate" })).status).toBe(429);
    expect((await ask("GET", "/gates")).status).toBe(200);
    now += 10_000;
    expect((await ask("POST", "/gates", { name: "gate" })).status).toBe(201);
  });

  test.each([
    ["in windows of another length", { rateLimitScale: 0.02 }, 100, 0, 199, 1],
    ["900 writes in 15 minutes", {}, 900, 200, 10_000, 900_000],
  ])("%s", async (_, options, writes, pauseMs, fullForMs, restMs) => {
    const { write } = await limited(options);
    for (let index = 0; index < writes; index++) {
      now += pauseMs;
      await write();
    }
    now += fullForMs;
    expect(await write()).toBe(429);
    now += restMs;
    expect(await write()).toBe(404);
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
