import { describe, expect, test } from "@jest/globals";
import { Caller } from "../../src/provider/client/call";
import { createClient } from "../../src/provider/client/client";
import { resolveSettings } from "../../src/provider/client/settings";
import { NoAnswer } from "../../src/provider/client/transport";
import type { Method } from "../../src/provider/schema/verbs";
import { allOf } from "../support/raw-client";
import {
  callerOf,
  FakeClock,
  FakeTransport,
  json,
  ok,
  route,
  secretKey,
  settings,
  VirtualClock,
} from "./fakes";

const params = { id: "a" };
const lost = new NoAnswer("ECONNRESET", false);
const refused = new NoAnswer("ECONNREFUSED", true);
const late = new NoAnswer("no answer in time", false);

describe("a call sends", () => {
  test("key, versions and body to the right address", async () => {
    const transport = new FakeTransport(ok({}));
    const { caller } = callerOf(transport, { profile: "statsig" });
    await caller.call(route("POST", "/gates/{id}"), {
      params: { id: "a b" },
      body: { idTypeMapping: [{ serviceUnitID: "u" }], serviceUnitID: "x" },
    });
    expect(transport.requests).toEqual([
      {
        method: "POST",
        url: "https://console.example.com/console/v1/gates/a%20b",
        headers: {
          accept: "application/json",
          "content-type": "application/json",
          "STATSIG-API-KEY": secretKey,
          "STATSIG-API-VERSION": "20240601",
        },
        body: '{"idTypeMapping":[{"statsigUnitID":"u"}],"serviceUnitID":"x"}',
        signal: expect.any(AbortSignal),
      },
    ]);
  });

  test("the neutral key header and no content type without a body", async () => {
    const transport = new FakeTransport(ok({}));
    await callerOf(transport).caller.call(route("GET"), { params });
    expect(transport.requests[0]?.headers).toEqual({
      accept: "application/json",
      "SERVICE-API-KEY": secretKey,
    });
    expect(transport.requests[0]).not.toHaveProperty("body");
  });

  test.each<[string, Record<string, string | number | boolean | string[] | undefined>, string]>([
    ["nothing", {}, ""],
    ["values of every form", { a: 1, b: true, c: "x y", d: undefined }, "?a=1&b=true&c=x+y"],
    ["a value given several times", { tags: ["a&b", "c"] }, "?tags=a%26b&tags=c"],
  ])("as query %s", async (_, query, search) => {
    const transport = new FakeTransport(ok([]));
    await callerOf(transport).caller.call(route("GET", "/gates", "items"), { query });
    expect(new URL(transport.requests[0]?.url ?? "").search).toBe(search);
  });

  test("nothing at all when the path cannot be made", async () => {
    const transport = new FakeTransport();
    await expect(
      callerOf(transport).caller.call(route("DELETE"), { params: { id: "" } }),
    ).rejects.toMatchObject({ category: "invalid-argument" });
    expect(transport.requests).toEqual([]);
  });
});

describe("a call is repeated and succeeds", () => {
  test.each<[string, Method, ConstructorParameters<typeof FakeTransport>, number[]]>([
    ["429 twice", "POST", [json(429, ""), json(429, ""), ok({ id: "a" })], [1000, 2000]],
    ["429 with a delay", "PATCH", [json(429, "", { "retry-after": "7" }), ok({ id: "a" })], [7000]],
    ["409", "DELETE", [json(409, ""), ok({ id: "a" })], [1000]],
    ["a refused connection", "POST", [refused, ok({ id: "a" })], [200]],
    ["a lost answer to a read", "GET", [lost, ok({ id: "a" })], [200]],
    ["429 told in a success", "POST", [json(200, { status: 429, message: "slow" }), ok({ id: "a" })], [1000]],
    ["502 to a read", "GET", [{ status: 502, text: "<html>" }, ok({ id: "a" })], [500]],
  ])("after %s (%s)", async (_, method, replies, sleeps) => {
    const { caller, clock } = callerOf(new FakeTransport(...replies));
    await expect(caller.call(route(method), { params })).resolves.toEqual({ data: { id: "a" } });
    expect(clock.sleeps).toEqual(sleeps);
  });
});

describe("a call fails", () => {
  test.each<[string, Method, ConstructorParameters<typeof FakeTransport>, number, object]>([
    [
      "a lost answer to a create: it may have been carried out",
      "POST",
      [lost],
      1,
      { category: "unreachable", uncertain: true },
    ],
    [
      "an answer to a change that comes too late",
      "PATCH",
      [late],
      1,
      { category: "timeout", uncertain: true },
    ],
    [
      "a console that cannot be reached: nothing happened",
      "POST",
      [refused],
      4,
      { category: "unreachable", uncertain: false },
    ],
    [
      "a read whose answer is lost again and again",
      "GET",
      [lost],
      4,
      { category: "unreachable", uncertain: true },
    ],
    ["500 to a create", "POST", [json(500, { message: "x" })], 1, { category: "unavailable", status: 500 }],
    ["500 to a read, again and again", "GET", [json(500, {})], 4, { category: "unavailable", status: 500 }],
    ["400", "GET", [json(400, { message: "no" })], 1, { category: "refused", uncertain: false }],
    [
      "404 told in a success",
      "DELETE",
      [json(200, { status: 404, message: "Gate not found." })],
      1,
      { category: "not-found", status: 404 },
    ],
    ["404", "GET", [json(404, { message: "Gate not found." })], 1, { category: "not-found" }],
    [
      "a web page as success",
      "POST",
      [{ status: 200, text: "<html>" }],
      1,
      { category: "unexpected-answer", uncertain: true },
    ],
    [
      "something thrown that is no answer",
      "POST",
      [new TypeError(`bad header ${secretKey}`)],
      1,
      { category: "unreachable", uncertain: true },
    ],
  ])("on %s (%s)", async (_, method, replies, requests, expected) => {
    const transport = new FakeTransport(...replies);
    const error = await callerOf(transport)
      .caller.call(route(method), { params })
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject(expected);
    expect(transport.requests).toHaveLength(requests);
    expect(String((error as Error).message)).not.toContain(secretKey);
  });

  test("when the limit on writes outlasts the time for one call", async () => {
    const transport = new FakeTransport(json(429, "", { "retry-after": "60" }));
    const { caller, clock } = callerOf(transport);
    await expect(caller.call(route("POST"), { params })).rejects.toMatchObject({ category: "throttled" });
    expect([transport.requests.length, clock.time]).toEqual([17, 960_000]);
  });

  test("when a delete is refused to the end: that never counts as done", async () => {
    const transport = new FakeTransport(json(429, { message: "Too Many Requests" }));
    const { caller } = callerOf(transport);
    await expect(caller.call(route("DELETE"), { params })).rejects.toMatchObject({
      category: "throttled",
      status: 429,
      message: expect.stringContaining("The console is limiting writes: wait"),
    });
    expect(transport.requests.length).toBeGreaterThan(10);
  });

  test("when reads are refused to the end, without a change at the gate for writes", async () => {
    const transport = new FakeTransport(json(429, "", { "retry-after": "60" }));
    const { caller, clock } = callerOf(transport);
    await expect(caller.call(route("GET"), { params })).rejects.toMatchObject({ category: "throttled" });
    expect([transport.requests.length, clock.time]).toEqual([17, 960_000]);
  });

  test("after the wait for an endless refusal was announced once", async () => {
    const lines: string[] = [];
    const report = (line: string) => void lines.push(line);
    const { caller } = callerOf(new FakeTransport(json(429, "", { "retry-after": "60" })), {}, { report });
    await expect(caller.call(route("POST"), { params })).rejects.toMatchObject({ category: "throttled" });
    expect(lines).toEqual(Array(2).fill("waiting 60 s for the console's write limit"));
  });

  test.each<[NoAnswer, string]>([
    [
      refused,
      "POST /gates/a: no answer from console.example.com (ECONNREFUSED). Check feature-console:baseUrl and that the console can be reached from here.",
    ],
    [
      late,
      "POST /gates/a: no answer from console.example.com (no answer in time). It may have been carried out: run the same command again, it continues from what is there.",
    ],
    [
      new NoAnswer("CERT_UNTRUSTED", true, { advice: "Trust it." }),
      "POST /gates/a: no answer from console.example.com (CERT_UNTRUSTED). Trust it.",
    ],
  ])("saying what to do: %s", async (reply, message) => {
    await expect(
      callerOf(new FakeTransport(reply)).caller.call(route("POST"), { params }),
    ).rejects.toMatchObject({ message });
  });
});

test("what another attempt would not help is asked once", async () => {
  const transport = new FakeTransport(new NoAnswer("CERT_UNTRUSTED", true, { advice: "Trust it." }));
  await expect(callerOf(transport).caller.call(route("GET"), { params })).rejects.toMatchObject({
    ...{ category: "unreachable", uncertain: false },
  });
  expect(transport.requests).toHaveLength(1);
});

describe("the time for one call", () => {
  test("begins with its first attempt: a write may wait in line for as long as it takes", async () => {
    const clock = new VirtualClock();
    const replies = [ok({}), ok({}), json(429, "", { "retry-after": "30" }), ok({ id: "last" })];
    const transport = new FakeTransport(...replies);
    const limits = { writesPer10s: 1, writesPer15min: 1 };
    const caller = new Caller(resolveSettings({ ...settings, ...limits }), { transport, clock });
    const writes = [1, 2, 3].map(() => caller.call(route("POST"), { params }));
    await clock.passUntil(Promise.all(writes));
    expect(await writes[2]).toEqual({ data: { id: "last" } });
    expect(clock.time).toBeGreaterThan(2 * 900_000);
  });
});

describe("reads of a process", () => {
  test("at the same time are one request, afterwards another", async () => {
    const transport = new FakeTransport(ok({}));
    const { caller } = callerOf(transport);
    await Promise.all([1, 2, 3].map(() => caller.call(route("GET"), { params })));
    expect(transport.requests).toHaveLength(1);
    await caller.call(route("GET"), { params });
    expect(transport.requests).toHaveLength(2);
  });

  test("see the write that was begun before them, also a failed one", async () => {
    const transport = new FakeTransport(json(500, {}), ok({}), ok({}));
    const { caller } = callerOf(transport);
    const read = () => caller.call(route("GET"), { params });
    const write = caller.call(route("PATCH"), { params, body: {} }).catch(() => undefined);
    await Promise.all([read(), write]);
    await read();
    expect(transport.requests.map(({ method }) => method).filter((method) => method === "GET")).toHaveLength(
      2,
    );
  });
});

describe("the client of all kinds", () => {
  const clientOf = (transport: FakeTransport) =>
    createClient({ ...settings, profile: "statsig" }, { transport, clock: new FakeClock() });

  test("fills every parameter of a path by its name", async () => {
    const transport = new FakeTransport(ok({ id: "a" }));
    await clientOf(transport).gate.patchRule({ id: "a/b", ruleID: "r:1.00:2", body: { name: "x" } });
    expect(transport.requests[0]).toMatchObject({
      method: "PATCH",
      url: "https://console.example.com/console/v1/gates/a%2Fb/rules/r%3A1.00%3A2",
    });
  });

  test("answers in neutral names", async () => {
    const transport = new FakeTransport(
      ok([{ name: "s", idTypeMapping: [{ statsigUnitID: "u", column: "c" }] }]),
    );
    const found = await allOf(clientOf(transport).assignmentSource.list());
    expect(found).toEqual([{ name: "s", idTypeMapping: [{ serviceUnitID: "u", column: "c" }] }]);
  });

  test.each<[string, (client: ReturnType<typeof clientOf>) => Promise<unknown>, string | undefined]>([
    ["an archive without reason", (client) => client.gate.archive({ id: "a" }), "{}"],
    [
      "an archive with one",
      (client) => client.gate.archive({ id: "a", body: { archiveReason: "old" } }),
      '{"archiveReason":"old"}',
    ],
    ["an enable, which has none", (client) => client.gate.enable({ id: "a" }), undefined],
    [
      "a delete with a body",
      (client) => client.segment.removeIds({ id: "a", body: { ids: ["x"] } }),
      '{"ids":["x"]}',
    ],
  ])("sends the body of %s", async (_, call, body) => {
    const transport = new FakeTransport(ok({ id: "a" }));
    await call(clientOf(transport));
    expect(transport.requests[0]?.body).toBe(body);
  });

  test("needs no data in an answer to a delete", async () => {
    const silent = () => clientOf(new FakeTransport({ status: 204, text: "" }));
    await expect(silent().gate.delete({ id: "a" })).resolves.toBeUndefined();
    await expect(silent().gate.get({ id: "a" })).rejects.toMatchObject({
      category: "unexpected-answer",
    });
  });

  test("refuses settings at once", () => {
    expect(() => createClient({ profile: "custom" })).toThrow(
      expect.objectContaining({ category: "settings" }),
    );
  });
});
