import { describe, expect, test } from "@jest/globals";
import { Caller } from "../../src/provider/client/call";
import { createClient } from "../../src/provider/client/client";
import { eachPage } from "../../src/provider/client/pages";
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
  type Reply,
  route,
  secretKey,
  settings,
  VirtualClock,
} from "./fakes";

const params = { id: "a" };
const lost = new NoAnswer("ECONNRESET", false);
const refused = new NoAnswer("ECONNREFUSED", true);
const late = new NoAnswer("no answer in time", false);
const untrusted = new NoAnswer("CERT_UNTRUSTED", true, { advice: "Trust it." });
const slow = json(429, "", { "retry-after": "60" });

/** Calls a route over a console that answers so in turn, and the last again and again. */
function calling(...replies: ConstructorParameters<typeof FakeTransport>) {
  const transport = new FakeTransport(...replies);
  const { caller, clock } = callerOf(transport);
  const call = (method: Method, more: object = {}) => caller.call(route(method), { params, ...more });
  return { transport, clock, call };
}

describe("a call sends", () => {
  test("key, versions and body to the right address", async () => {
    const transport = new FakeTransport(ok({}));
    await callerOf(transport, { profile: "statsig" }).caller.call(route("POST"), {
      params: { id: "a b" },
      body: { idTypeMapping: [{ serviceUnitID: "u" }], serviceUnitID: "x" },
    });
    expect(transport.requests).toEqual([
      {
        ...{ method: "POST", url: "https://console.example.com/console/v1/gates/a%20b" },
        headers: {
          ...{ accept: "application/json", "content-type": "application/json" },
          ...{ "STATSIG-API-KEY": secretKey, "STATSIG-API-VERSION": "20240601" },
        },
        body: '{"idTypeMapping":[{"statsigUnitID":"u"}],"serviceUnitID":"x"}',
        signal: expect.any(AbortSignal),
      },
    ]);
  });

  test("the neutral key header and no content type without a body", async () => {
    const { transport, call } = calling(ok({}));
    await call("GET");
    const headers = { accept: "application/json", "SERVICE-API-KEY": secretKey };
    expect(transport.requests[0]?.headers).toEqual(headers);
    expect(transport.requests[0]).not.toHaveProperty("body");
  });

  test.each<[string, Record<string, string | number | boolean | string[] | undefined>, string]>([
    ["nothing", {}, ""],
    ["values of every form", { a: 1, b: true, c: "x y", d: undefined }, "?a=1&b=true&c=x+y"],
    ["a value given several times", { tags: ["a&b", "c"] }, "?tags=a%26b&tags=c"],
  ])("as query %s", async (_, query, search) => {
    const { transport, call } = calling(ok({}));
    await call("GET", { query });
    expect(new URL(transport.requests[0]?.url ?? "").search).toBe(search);
  });

  test("nothing at all when the path cannot be made", async () => {
    const { transport, call } = calling();
    await expect(call("DELETE", { params: { id: "" } })).rejects.toMatchObject({
      category: "invalid-argument",
    });
    expect(transport.requests).toEqual([]);
  });
});

type Replies = ConstructorParameters<typeof FakeTransport>;
const done = ok({ id: "a" });
const inFiveSeconds = {
  ...{ date: "Fri, 01 Jan 2100 00:00:00 GMT", "retry-after": "Fri, 01 Jan 2100 00:00:05 GMT" },
};

test.each<[string, Method, Replies, number[]]>([
  ["429 with a delay", "PATCH", [json(429, "", { "retry-after": "7" }), done], [7000]],
  ["429 until a moment of the console's clock", "PATCH", [json(429, "", inFiveSeconds), done], [5000]],
  ["429 told in a success", "POST", [json(200, { status: 429, message: "slow" }), done], [1000]],
  ["502 twice to a read", "GET", [{ status: 502, text: "<html>" }, json(502, ""), done], [500, 1000]],
])("a call is repeated and succeeds after %s (%s)", async (_, method, replies, sleeps) => {
  const { clock, call } = calling(...replies);
  await expect(call(method)).resolves.toEqual({ data: { id: "a" } });
  expect(clock.sleeps).toEqual(sleeps);
});

describe("a call fails", () => {
  const isThere = json(200, { status: 404, message: "Gate not found." });
  const page = { status: 200, text: "<html>" };
  const thrown = new TypeError(`bad header ${secretKey}`);

  test.each<[string, Method, Replies[number], number, object]>([
    ["a lost answer to a create", "POST", lost, 1, { category: "unreachable", uncertain: true }],
    ["an answer that comes too late", "PATCH", late, 1, { category: "timeout", uncertain: true }],
    ["a console that cannot be reached", "POST", refused, 4, { category: "unreachable", uncertain: false }],
    ["a read whose answer is lost each time", "GET", lost, 4, { category: "unreachable", uncertain: true }],
    ["a certificate: once", "GET", untrusted, 1, { category: "unreachable", uncertain: false }],
    ["500 to a create", "POST", json(500, { message: "x" }), 1, { category: "unavailable", status: 500 }],
    ["500 to a read, each time", "GET", json(500, {}), 4, { category: "unavailable", status: 500 }],
    ["400", "GET", json(400, { message: "no" }), 1, { category: "refused", uncertain: false }],
    ["404 told in a success", "DELETE", isThere, 1, { category: "not-found", status: 404 }],
    ["404", "GET", json(404, { message: "Gate not found." }), 1, { category: "not-found" }],
    ["a web page as success", "POST", page, 1, { category: "unexpected-answer", uncertain: true }],
    ["something thrown", "POST", thrown, 1, { category: "unreachable", uncertain: true }],
  ])("on %s (%s)", async (_, method, reply, requests, expected) => {
    const { transport, call } = calling(reply);
    const error = (await call(method).catch((caught: unknown) => caught)) as Error;
    expect(error).toMatchObject(expected);
    expect(transport.requests).toHaveLength(requests);
    expect(error.message).not.toContain(secretKey);
  });

  test.each<[string, Method, string[]]>([
    [
      "a write: a delete never counts as done",
      "DELETE",
      Array(8).fill("waiting 60 s for the console's write limit"),
    ],
    ["a read, without a change at the gate for writes", "GET", []],
  ])("when 429 outlasts the time for one call of %s, and waiting is announced", async (_, method, said) => {
    const lines: string[] = [];
    const transport = new FakeTransport(slow);
    const { caller, clock } = callerOf(transport, {}, { report: (line) => void lines.push(line) });
    const message = expect.stringContaining("The console is limiting writes: wait");
    const call = caller.call(route(method), { params });
    await expect(call).rejects.toMatchObject({ category: "throttled", status: 429, message });
    expect([transport.requests.length, clock.time, lines]).toEqual([17, 960_000, said]);
  });

  const check = "Check feature-console:baseUrl and that the console can be reached from here.";
  const again = "It may have been carried out: run the same command again, it continues from what is there.";
  test.each<[NoAnswer, string]>([
    [refused, `(ECONNREFUSED). ${check}`],
    [late, `(no answer in time). ${again}`],
    [untrusted, "(CERT_UNTRUSTED). Trust it."],
  ])("saying what to do: %s", async (reply, text) => {
    const message = `POST /gates/a: no answer from console.example.com ${text}`;
    await expect(calling(reply).call("POST")).rejects.toMatchObject({ message });
  });
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
    const { transport, call } = calling(ok({}));
    await Promise.all([1, 2, 3].map(() => call("GET")));
    expect(transport.requests).toHaveLength(1);
    await call("GET");
    expect(transport.requests).toHaveLength(2);
  });

  test("see the write that was begun before them, also a failed one", async () => {
    const { transport, call } = calling(json(500, {}), ok({}), ok({}));
    const write = call("PATCH", { body: {} }).catch(() => undefined);
    await Promise.all([call("GET"), write]);
    await call("GET");
    expect(transport.requests.map(({ method }) => method)).toEqual(["PATCH", "GET", "GET"]);
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
    const answer = ok([{ name: "s", idTypeMapping: [{ statsigUnitID: "u", column: "c" }] }]);
    const found = await allOf(clientOf(new FakeTransport(answer)).assignmentSource.list());
    expect(found).toEqual([{ name: "s", idTypeMapping: [{ serviceUnitID: "u", column: "c" }] }]);
  });

  type Client = ReturnType<typeof clientOf>;
  const reason = { archiveReason: "old" };
  test.each<[string, (client: Client) => Promise<unknown>, string | undefined]>([
    ["an archive without reason", ({ gate }) => gate.archive({ id: "a" }), "{}"],
    ["an archive with one", ({ gate }) => gate.archive({ id: "a", body: reason }), '{"archiveReason":"old"}'],
    ["an enable, which has none", ({ gate }) => gate.enable({ id: "a" }), undefined],
    ["a delete", ({ segment }) => segment.removeIds({ id: "a", body: { ids: ["x"] } }), '{"ids":["x"]}'],
  ])("sends the body of %s", async (_, call, body) => {
    const transport = new FakeTransport(ok({ id: "a" }));
    await call(clientOf(transport));
    expect(transport.requests[0]?.body).toBe(body);
  });

  test("needs no data in an answer to a delete", async () => {
    const silent = () => clientOf(new FakeTransport({ status: 204, text: "" }));
    await expect(silent().gate.delete({ id: "a" })).resolves.toBeUndefined();
    await expect(silent().gate.get({ id: "a" })).rejects.toMatchObject({ category: "unexpected-answer" });
  });

  test("refuses settings at once", () => {
    const settings = expect.objectContaining({ category: "settings" });
    expect(() => createClient({ profile: "custom" })).toThrow(settings);
  });
});

const list = route("GET", "/gates", "items");
const page = (nextPage: unknown, ...ids: string[]): Reply =>
  ok(
    ids.map((id) => ({ id })),
    { itemsPerPage: 2, pageNumber: 1, nextPage, previousPage: null },
  );

async function walk(replies: Reply[], query?: Record<string, string>) {
  const transport = new FakeTransport(...replies);
  const { caller } = callerOf(transport);
  const ids: unknown[] = [];
  const pages = eachPage(caller, list, query === undefined ? {} : { query }, (item) => item);
  for await (const page of pages) ids.push(...page.map(({ id }) => id));
  return { ids, asked: transport.requests.map(({ url }) => new URL(url).search) };
}

const two = ["?limit=100&page=1", "?limit=100&page=2"];

describe("a list is walked to its end", () => {
  test.each([
    ...["?page=2", "?page=2&limit=5", "/console/v1/layers?page=2&limit=3"],
    "/console/v1/metrics/values?date=2026-01-01&page=2&limit=5",
    "console.example.com/console/v1/gates?page=2&limit=5",
    "/console/v1/qualifying_events?page=7&limit=1",
  ])("whatever the link to the next page looks like (%s)", async (link) => {
    expect(await walk([page(link, "a", "b"), page(null, "c")])).toEqual({ ids: ["a", "b", "c"], asked: two });
  });

  const nullPages = json(200, { message: "ok", data: [{ id: "a" }], pagination: null });
  test.each<[string, Reply[], string[], number]>([
    ["a last page", [page(null, "a")], ["a"], 1],
    ["a link that is empty", [page("", "a")], ["a"], 1],
    ["a link that is absent", [page(undefined, "a")], ["a"], 1],
    ["no pagination", [ok([{ id: "a" }])], ["a"], 1],
    ["pagination that is null", [nullPages], ["a"], 1],
    ["an empty list", [page(null)], [], 1],
    ["an empty page", [page("?page=2", "a"), page("?page=3")], ["a"], 2],
    ["a page that begins like the one before", [page("2", "a"), page("3", "a")], ["a"], 2],
    ["one object in the place of a list", [ok({ id: "a" })], ["a"], 1],
    ["a page that begins like an earlier", [page("2", "a"), page("3", "b"), page("4", "a")], ["a", "b"], 3],
  ])("and ends at %s", async (_, replies, ids, requests) => {
    const walked = await walk(replies);
    expect(walked.ids).toEqual(ids);
    expect(walked.asked).toHaveLength(requests);
  });

  test.each<[string, Reply]>([
    ["an answer without data", json(200, { message: "ok" })],
    ["an empty body", { text: "" }],
    ["null", json(200, { data: null })],
    ["a list of something else", json(200, { data: [{ id: "a" }, "b"] })],
  ])("and %s is no list: it must not pass for an empty one", async (_, reply) => {
    await expect(walk([reply])).rejects.toMatchObject({ category: "unexpected-answer" });
  });

  test("but not for ever: a list that shows a next page for ever is given up with a message", async () => {
    const endless = Array.from({ length: 5001 }, (_, index) => page("?page=next", `g${index}`));
    await expect(walk(endless)).rejects.toThrow(/next page after 5000 pages/);
  });

  test("with the same filters and page size throughout", async () => {
    const pages = [page("x", "a"), page("x", "b"), page(null, "c")];
    const { asked } = await walk(pages, { tags: "shop", limit: "5" });
    expect(asked).toEqual([1, 2, 3].map((number) => `?limit=5&tags=shop&page=${number}`));
  });

  test("lazily: what is not asked for is not read", async () => {
    const transport = new FakeTransport(page("?page=2", "a", "b"));
    for await (const _ of eachPage(callerOf(transport).caller, list, {}, (item) => item)) break;
    expect(transport.requests).toHaveLength(1);
  });
});
