import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type RunningEmulator, type StartOptions, startEmulator } from "../../src/emulator";
import { httpTransport } from "../../src/provider/client/transport";

const overSocket = httpTransport(1);
const event = JSON.stringify({ events: [{ eventName: "planted", user: { userID: "u" }, time: 5 }] });
const gate = JSON.stringify({ name: "planted", idType: "userID" });
const json = { "content-type": "application/json" };

let emulator: RunningEmulator;
const start = async (options: StartOptions = {}) => {
  // It asks for no key: nothing else stands between a page and the flags.
  emulator = await startEmulator({ profile: "embedded", ui: true, ...options });
};
beforeEach(() => start());
afterEach(() => emulator.close());

type Headers = Record<string, string>;
const send = (method: "GET" | "POST", path: string, headers: Headers = {}, body?: string) =>
  overSocket.send({
    ...{ method, url: `${emulator.url}${path}`, headers },
    ...(body === undefined ? {} : { body }),
  });
const status = async (...asked: Parameters<typeof send>) => (await send(...asked)).status;
const gates = async (headers: Headers) => status("GET", "/console/v1/gates", headers);

type Door = [what: string, method: "GET" | "POST", path: string, headers?: Headers, body?: string];
const doors: Door[] = [
  ["the list of gates", "GET", "/console/v1/gates"],
  ["a write", "POST", "/console/v1/gates", json, gate],
  ["the page", "GET", "/"],
  ["rules for servers", "GET", "/v1/download_config_specs"],
  ["answers for clients", "POST", "/v1/initialize", json, "{}"],
  ["events", "POST", "/v1/log_event", json, event],
  ["a path that is none", "GET", "/nothing"],
];
const nothingPlanted = async () => {
  const lists = ["gates", "events"].map(async (list) => (await send("GET", `/console/v1/${list}`)).text);
  expect((await Promise.all(lists)).join()).not.toContain("planted");
};

test.each(doors)(
  "a name of somebody else's that leads to this machine, and a page that is served elsewhere, open nothing: %s",
  async (_, method, path, own = {}, body) => {
    const names = [
      "evil.example",
      "127.0.0.1.evil.example:80",
      "localhost.evil.example",
      "",
      "10.0.0.1",
      "app.localhost",
    ];
    const origins = ["https://evil.example", "null", "http://localhost.evil.example", "file://"];
    for (const foreign of [...names.map((host) => ({ host })), ...origins.map((origin) => ({ origin }))]) {
      const answered = await status(method, path, { ...own, ...foreign }, body);
      expect({ ...foreign, answered }).toEqual({ ...foreign, answered: 403 });
    }
    await nothingPlanted();
  },
);

describe("a name of somebody else's", () => {
  test("is named, with what to type, and opens where the start allowed it", async () => {
    const { text } = await send("GET", "/console/v1/gates", { host: "desk.example:80" });
    const message =
      'The request names the host "desk.example", which is not this machine. Ask 127.0.0.1, or start with --allow-host desk.example (allowHosts in code).';
    expect(JSON.parse(text)).toEqual({ status: 403, message });
    await emulator.close();
    await start({ allowHosts: ["desk.example"] });
    expect(await gates({ host: "Desk.example:8080" })).toBe(200);
    expect(await gates({ host: "evil.example" })).toBe(403);
    expect(await gates({ host: "desk.example:8080", origin: "http://desk.example:8080" })).toBe(200);
  });

  test.each(["localhost", "127.0.0.1", "127.0.0.2", "[::1]"])("is not %s", async (name) => {
    expect(await gates({ host: `${name}:99` })).toBe(200);
  });
});

describe("a page that is served elsewhere", () => {
  test("plants nothing by a form or a beacon, which ask nobody for leave", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
      for (const path of ["/v1/log_event", "/v1/rgstr?k=client-x", "/console/v1/gates"]) {
        const headers = { origin: "https://evil.example", "content-type": type };
        expect(await status("POST", path, headers, event)).toBe(403);
      }
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
  test("runs client SDKs, and reaches nothing of the Console API", async () => {
    const origin = "http://localhost:3000";
    const app = { origin, "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" };
    expect(await status("POST", "/v1/rgstr", { ...app, "content-type": "text/plain" }, event)).toBe(202);
    const rules = await send("GET", "/v1/download_config_specs", app);
    expect([rules.status, rules.headers["access-control-allow-origin"]]).toEqual([200, origin]);
    const refused = await send("GET", "/console/v1/gates", app);
    expect([refused.status, refused.headers["access-control-allow-origin"]]).toEqual([403, undefined]);
    expect(await status("POST", "/console/v1/gates", { ...app, ...json }, gate)).toBe(403);
    expect((await send("GET", "/console/v1/gates")).text).not.toContain("planted");
  });

  test("that the console serves itself reaches everything", async () => {
    const site = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" };
    expect(await gates({ origin: emulator.url, ...site })).toBe(200);
  });
});
