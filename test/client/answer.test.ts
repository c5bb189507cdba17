import { describe, expect, test } from "@jest/globals";
import { failure, itemOf, parseSuccess } from "../../src/provider/client/answer";
import type { WireAnswer } from "../../src/provider/client/transport";
import { secretKey } from "./fakes";

const answer = (status: number, body: unknown, headers: Record<string, string> = {}): WireAnswer => ({
  status,
  headers,
  text: typeof body === "string" ? body : JSON.stringify(body),
});
const failed = (status: number, body: unknown, headers?: Record<string, string>) =>
  failure("PATCH /gates/a", answer(status, body, headers), { secrets: [secretKey], now: 0 });

const keyAdvice =
  "Check the key (feature-console:apiKey or FEATURE_CONSOLE_API_KEY): it must be an active console key of this project.";
const mayNot =
  "The key may not do this: it may be read-only, or its role, its permissions or the plan of the account do not allow it.";
const wait = "The console is limiting writes: wait, or lower feature-console:writesPer10s.";
const later = "The console has a problem of its own: try again later.";
const address =
  "Check that feature-console:baseUrl is the address of the API and not of a web page or proxy.";

const bad = (errors: unknown) => ({ message: "Bad", errors });
const of = (property: string, errorMessage: string) => ({ property, errorMessage });
const missing = of("parameters", "Parameter(s) missing: [a]");
const twoFields = [of("isEnabled", "Expected boolean"), of("rules", "Required")];
const textless = { property: { toString: 1 }, errorMessage: { valueOf: 1, toString: 1 } };
const standing = "Layer cannot be deleted with experiments still on it";
const layerTaken = "Layer name is ALREADY IN USE";
const notFound = "Not Found. The requested resource could not be found.";
const unknownGate = "The following Gate IDs could not be found: [x]";
const busy = "An earlier change is still being applied: try again in a moment.";
const noSuchRoute = "Cannot DELETE /console/v1/tags/a";
const noRoute = "no Route matched with those values";
const endless = "x".repeat(5_000_000);
const manyFields = Array.from({ length: 1000 }, () => of("a", "b"));
const page = "unexpected-answer";

const shape = { status: 400, message: "Bad Request Exception", errors: twoFields };
const shapeText = "Bad Request Exception; isEnabled: Expected boolean; rules: Required.";
const reference = { message: "Not Found Exception", errors: [of("gateIDs", unknownGate)] };
const withKey = { message: `Key: ${secretKey}` };
const role = "Forbidden resource";
const plan = "Insufficient permissions.";

describe("a failure says what was asked, what came back and what to do", () => {
  test.each<[string, number, unknown, string, string]>([
    ["400 with fields", 400, shape, "refused", shapeText],
    ["400 with one field", 400, bad(missing), "refused", "Bad; parameters: Parameter(s) missing: [a]."],
    ["400 without fields", 400, { status: 400, message: standing }, "refused", `${standing}.`],
    ["a taken name", 400, { message: "Name is already in use" }, "exists", "Name is already in use."],
    ["a taken layer name", 400, { message: layerTaken }, "exists", `${layerTaken}.`],
    ["odd fields", 400, bad([null, "x", { property: 1 }]), "refused", "Bad; 1: ."],
    ["401 with the key", 401, withKey, "unauthorized", `Key: [hidden]. ${keyAdvice}`],
    ["401 of a role", 401, { message: role }, "forbidden", `${role}. ${mayNot}`],
    ["[V7] 403", 403, { message: plan }, "forbidden", `${plan} ${mayNot}`],
    ["404 of the object", 404, { status: 404, message: "Gate not found." }, "not-found", "Gate not found."],
    ["404 of any object", 404, { message: notFound }, "not-found", notFound],
    ["404 of a reference", 404, reference, "refused", `Not Found Exception; gateIDs: ${unknownGate}.`],
    [
      "404 of a route that an old console does not know",
      404,
      { message: noSuchRoute },
      page,
      `${noSuchRoute}. ${address}`,
    ],
    ["404 of a web server", 404, "<html>Not Found</html>", page, `no message. ${address}`],
    ["404 of another service", 404, { error: "x" }, page, `no message. ${address}`],
    ["404 of a gateway without such a route", 404, { message: noRoute }, page, `${noRoute}. ${address}`],
    ["404 without a body", 404, "", page, `no message. ${address}`],
    ["409", 409, "", "busy", `no message. ${busy}`],
    ["429 without a body", 429, "", "throttled", `no message. ${wait}`],
    ["502 of a proxy", 502, "<html>Bad Gateway</html>", "unavailable", `no message. ${later}`],
    ["500", 500, { message: "Oops" }, "unavailable", `Oops. ${later}`],
    ["a message that is no text", 400, { message: ["a"] }, "refused", "no message."],
    ["a JSON array", 400, [1], "refused", "no message."],
    ["a message without end", 400, { message: endless }, "refused", `${"x".repeat(500)}...`],
    ["what a terminal would obey", 400, { message: "a\u001b[31mb\r\nc\u202ed" }, "refused", "a [31mb c d."],
    ["fields without end", 400, bad(manyFields), "refused", `Bad; ${"a: b; ".repeat(20)}and 980 more.`],
    ["a field message that no text can be made of", 400, bad([textless]), "refused", "Bad; : ."],
  ])("%s", (_, status, body, category, said) => {
    const error = failed(status, body);
    expect(error).toMatchObject({
      category,
      status,
      uncertain: status === 500 || status === 502,
      message: `PATCH /gates/a answered ${status}: ${said}`,
    });
    expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain(secretKey);
  });

  test("with the fields, without the key", () => {
    const { fields } = failed(400, { errors: [{ property: "id", errorMessage: `bad ${secretKey}` }] });
    expect(fields).toEqual([{ property: "id", errorMessage: "bad [hidden]" }]);
  });

  test("with the delay that the console asks for", () => {
    expect(failed(429, "", { "retry-after": "3" }).retryAfterMs).toBe(3000);
    expect(failed(429, "").retryAfterMs).toBeUndefined();
  });
});

test.each([
  ["503 without a delay", {}, true],
  ["503 with one", { "retry-after": "2" }, false],
])("%s: may it have been carried out?", (_, headers, uncertain) => {
  expect(failed(503, "", headers).uncertain).toBe(uncertain);
});

describe("a success is unwrapped", () => {
  const parsed = (status: number, body: unknown, headers: Record<string, string> = {}) =>
    parseSuccess("GET /x", answer(status, body, headers));
  const thrown = (error: object) => expect.objectContaining({ category: page, ...error });
  const pagination = { nextPage: null };

  test.each<[string, unknown, object]>([
    ["data", { message: "ok", data: { id: "a" } }, { data: { id: "a" } }],
    ["data and pagination", { message: "ok", data: [], pagination }, { data: [], pagination }],
    ["a message alone", { message: "ok" }, { data: undefined }],
    ["an object without envelope", { id: "a" }, { data: { id: "a" } }],
    ["null data", { message: "ok", data: null }, { data: null }],
  ])("from %s", (_, body, expected) => expect(parsed(200, body)).toEqual(expected));

  const type = "application/json";
  test.each<[string, unknown, Record<string, string>, string]>([
    ["a web page", "<html>", { "content-type": "text/html" }, "text/html"],
    ["a JSON array", [1], { "content-type": type }, type],
    ["a JSON text", '"ok"', {}, "no content type"],
    ["JSON with something behind it", '{"data":{}} x', {}, "no content type"],
    ["a page whose type is an essay", "<html>", { "content-type": "essay on types" }, "no content type"],
    ["cut JSON", '{"data": {', { "content-type": type }, type],
  ])("but not from %s: it may have been carried out", (_, body, headers, shown) => {
    const message = `GET /x answered 200 with something that is not the console's JSON (${shown}). ${address}`;
    expect(() => parsed(200, body, headers)).toThrow(thrown({ status: 200, uncertain: true, message }));
  });

  test.each<[string, string]>([
    ["is nested more than 200 levels", `{"data":${"[".repeat(10_000)}${"]".repeat(10_000)}}`],
    [
      "is nested more than 200 levels",
      `{"data":{"at":12345678901234567,"deep":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`,
    ],
    ["holds a number that is too large", '{"data":{"version":1e999}}'],
  ])("nor from one that %s", (reason, text) => {
    expect(() => parsed(200, text)).toThrow(thrown({ message: expect.stringContaining(reason) }));
  });

  test("what no state can hold is not in it: half a character, minus nothing, __proto__", () => {
    const text = String.raw`{"data":{"a":"\ud83d","b\ud83d":"\ud83d\ude00","c":-0,"__proto__":{"d":1},"e":["\udc00"]}}`;
    const { data } = parsed(200, text);
    expect(data).toStrictEqual({ a: "\ufffd", "b\ufffd": "\u{1f600}", c: 0, e: ["\ufffd"] });
  });

  test("nothing is a success where the status says that there is nothing, and else it is not", () => {
    expect(parsed(204, "")).toEqual({ data: undefined });
    const message = `GET /x answered 200 with nothing. ${address}`;
    for (const text of ["", " \n"])
      expect(() => parsed(200, text)).toThrow(thrown({ uncertain: true, message }));
  });

  test("one object may come as a list of one, and nothing else is an object", () => {
    for (const data of [{ id: 1 }, [{ id: 1 }]]) expect(itemOf("GET /x", { data })).toEqual({ id: 1 });
    for (const data of [undefined, null, "text", [], [1], [{}, {}]])
      expect(() => itemOf("GET /x", { data })).toThrow(thrown({ uncertain: true }));
  });
});

const notFollowed = "which is not followed: the key goes to no other address.";
const inClear = "That address would get the key in clear.";
const hostilePath = `https://x.example/${secretKey}/\u009b31m`;
const hiddenPath = "https://x.example/[hidden]/%C2%9B31m";
test.each<[string, Record<string, string>, string]>([
  ["to a login", { location: "https://l.io/sso?back=secret" }, ` to https://l.io/sso, ${notFollowed}`],
  ["to another protocol", { location: "http://c.io/x" }, ` to http://c.io/x, ${notFollowed} ${inClear}`],
  ["to nowhere", {}, `, ${notFollowed}`],
  ["to what would speak to a terminal", { location: hostilePath }, ` to ${hiddenPath}, ${notFollowed}`],
])("a redirect %s is not followed, and where it leads is shown", (_, headers, leads) => {
  const set = "Set feature-console:baseUrl to the address of the API itself; a page to log in is none.";
  expect(failed(302, "", headers)).toMatchObject({
    ...{ category: page, uncertain: false },
    message: `PATCH /gates/a answered 302, a redirect${leads} ${set}`,
  });
});
