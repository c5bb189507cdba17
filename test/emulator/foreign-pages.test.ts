import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type RunningEmulator, type StartOptions, startEmulator } from "../../src/emulator";
import { httpTransport } from "../../src/provider/client/transport";

const overSocket = httpTransport(1);
const event = JSON.stringify({ events: [{ eventName: "planted", user: { userID: "u" }, time: 5 }] });
const gate = JSON.stringify({ name: "planted", idType: "userID" });
const json = { "content-type": "application/json" };
const evil = { origin: "https://evil.example" };

let emulator: RunningEmulator;
const start = async (options: StartOptions = {}) => {
  // It asks for no key: nothing else stands between a page and the flags.
  emulator = await startEmulator({ profile: "embedded", ui: true, ...options });
};
beforeEach(() => start());
afterEach(() => emulator.close());

type Asked = [
  method: "GET" | "POST" | "DELETE",
  path: string,
  headers?: Record<string, string>,
  body?: string,
];
const send = ([method, path, headers = {}, body]: Asked) =>
  overSocket.send({
    ...{ method, url: `${emulator.url}${path}`, headers },
    ...(body === undefined ? {} : { body }),
  });
const status = async (...asked: Asked) => (await send(asked)).status;
const text = async (path: string) => (await send(["GET", path])).text;

const doors: [what: string, asked: Asked][] = [
  ["the list of gates", ["GET", "/console/v1/gates"]],
  ["a write", ["POST", "/console/v1/gates", json, gate]],
  ["the page", ["GET", "/"]],
  ["rules for servers", ["GET", "/v1/download_config_specs"]],
  ["answers for clients", ["POST", "/v1/initialize", json, "{}"]],
  ["events", ["POST", "/v1/log_event", json, event]],
  ["a path that is none", ["GET", "/nothing"]],
];
const withHeaders = ([method, path, headers, body]: Asked, more: Record<string, string>): Asked =>
  body === undefined
    ? [method, path, { ...headers, ...more }]
    : [method, path, { ...headers, ...more }, body];
const nothingPlanted = async () =>
  expect(`${await text("/console/v1/gates")}${await text("/console/v1/events")}`).not.toContain("planted");

describe("a name of somebody else's that leads to this machine", () => {
  test.each(doors)("opens nothing: %s", async (_, asked) => {
    for (const host of [
      "evil.example",
      "127.0.0.1.evil.example:80",
      "localhost.evil.example",
      "10.0.0.1",
      "app.localhost",
    ])
      expect({ host, status: await status(...withHeaders(asked, { host })) }).toEqual({ host, status: 403 });
    await nothingPlanted();
  });

  test("is named, with what to type", async () => {
    const { text: said } = await send(["GET", "/console/v1/gates", { host: "desk.example:80" }]);
    expect(JSON.parse(said)).toEqual({
      status: 403,
      message:
        'The request names the host "desk.example", which is not this machine. Ask 127.0.0.1, or start with --allow-host desk.example (allowHosts in code).',
    });
  });

  test("opens where the start allowed it", async () => {
    await emulator.close();
    await start({ allowHosts: ["desk.example"] });
    expect(await status("GET", "/console/v1/gates", { host: "Desk.example:8080" })).toBe(200);
    expect(await status("GET", "/console/v1/gates", { host: "evil.example" })).toBe(403);
    const own = { host: "desk.example:8080", origin: "http://desk.example:8080" };
    expect(await status("GET", "/console/v1/gates", own)).toBe(200);
  });

  test.each(["localhost", "127.0.0.1", "127.0.0.2", "[::1]"])("is not %s", async (name) => {
    expect(await status("GET", "/console/v1/gates", { host: `${name}:99` })).toBe(200);
  });
});

describe("a page that is served elsewhere", () => {
  test.each(doors)("opens nothing: %s", async (_, asked) => {
    for (const origin of ["https://evil.example", "null", "http://localhost.evil.example", "file://"])
      expect({ origin, status: await status(...withHeaders(asked, { origin })) }).toEqual({
        ...{ origin, status: 403 },
      });
    await nothingPlanted();
  });

  test("plants nothing by a form or a beacon, which ask nobody for leave", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
      for (const path of ["/v1/log_event", "/v1/rgstr?k=client-x", "/console/v1/gates"])
        expect(await status("POST", path, { ...evil, "content-type": type }, event)).toBe(403);
    await nothingPlanted();
  });

  test("reads nothing by a picture or a script, which name no origin", async () => {
    const fromPage = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" };
    for (const path of ["/console/v1/gates", "/v1/download_config_specs", "/"])
      expect(await status("GET", path, fromPage)).toBe(403);
    const link = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    expect(await status("GET", "/", link)).toBe(200);
  });
});

describe("a page of this machine", () => {
  const app = { origin: "http://localhost:3000", "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" };

  test("runs client SDKs, and reaches nothing of the Console API", async () => {
    expect(await status("POST", "/v1/rgstr", { ...app, "content-type": "text/plain" }, event)).toBe(202);
    expect(await status("GET", "/v1/download_config_specs", app)).toBe(200);
    expect(await status("GET", "/console/v1/gates", app)).toBe(403);
    expect(await status("POST", "/console/v1/gates", { ...app, ...json }, gate)).toBe(403);
    expect(await text("/console/v1/gates")).not.toContain("planted");
  });

  test("that the console serves itself reaches everything", async () => {
    const own = { origin: emulator.url, "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" };
    expect(await status("GET", "/console/v1/gates", own)).toBe(200);
  });
});
