import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { httpTransport, type WireRequest } from "../../src/provider/client/transport";
import { type HttpServer, serveHttp } from "../support/http-server";
import { selfSigned } from "../support/self-signed";

const transport = httpTransport(2);
const hugeLength = 5 * 1024 * 1024;
let server: HttpServer;
let base: string;

beforeAll(async () => {
  server = await serveHttp((request, response) => {
    const chunks: Buffer[] = [];
    if (request.url === "/reset") return void request.socket.destroy();
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      switch (request.url) {
        case "/cut":
          response.writeHead(200, { "content-length": "100" });
          response.write("{");
          return void setImmediate(() => response.destroy());
        case "/slow":
          return undefined;
        case "/slow-body":
          response.writeHead(200);
          return void response.write("{");
        case "/huge":
          return void response.end("é".repeat(hugeLength / 2));
        case "/endless": {
          const part = Buffer.alloc(1024 * 1024, "x");
          const more = () => {
            while (response.write(part));
          };
          response.on("drain", more);
          return more();
        }
        case "/redirect":
          response.writeHead(302, { location: `${base}/echo` });
          return void response.end();
        default: {
          response.writeHead(201, { "Content-Type": "application/json", "Retry-After": "3" });
          const { method, headers } = request;
          return void response.end(
            JSON.stringify({ method, headers, length: text.length, text: text.slice(0, 100) }),
          );
        }
      }
    });
  });
  base = server.url;
});

afterAll(() => server.close());

const send = (path: string, more: Partial<WireRequest> = {}) =>
  transport.send({ method: "GET", url: `${base}${path}`, headers: {}, ...more });

describe("over a real connection", () => {
  test.each(["GET", "POST", "PUT", "PATCH", "DELETE"] as const)(
    "%s carries headers and body",
    async (method) => {
      const body = method === "GET" ? {} : { body: '{"é":1}' };
      const { status, headers, text } = await send("/echo?a=b", {
        method,
        headers: { "SERVICE-API-KEY": "k" },
        ...body,
      });
      expect([status, headers["retry-after"], headers["content-type"]]).toEqual([
        201,
        "3",
        "application/json",
      ]);
      const seen = { method, headers: { "service-api-key": "k" }, text: body.body ?? "" };
      expect(JSON.parse(text)).toMatchObject(seen);
    },
  );

  test("a huge answer and a huge body arrive whole", async () => {
    expect((await send("/huge")).text).toHaveLength(hugeLength / 2);
    const echo = await send("/echo", { method: "POST", body: "x".repeat(hugeLength) });
    expect(JSON.parse(echo.text)).toMatchObject({ length: hugeLength });
  });

  test("a redirect is an answer and is not followed", async () => {
    expect(await send("/redirect")).toMatchObject({ status: 302, text: "" });
  });

  test.each([
    ["at a port at which nobody listens", "http://127.0.0.1:1/x", /^ECONNREFUSED$/],
    ["at both addresses of localhost", "http://localhost:1/x", /./],
    ["to an address that is none", "http://", /./],
  ])("%s: the request never left", async (_, url, text) => {
    const error = { name: "NoAnswer", refused: true, message: expect.stringMatching(text) };
    await expect(send("", { url })).rejects.toMatchObject(error);
  });

  test.each([
    ["before any answer", "/reset"],
    ["in the middle of one", "/cut"],
  ])("a connection that breaks %s: the request may have been carried out", async (_, path) => {
    const error = { name: "NoAnswer", refused: false };
    await expect(send(path, { method: "POST", body: "{}" })).rejects.toMatchObject(error);
  });

  test.each([
    ["that does not begin", "/slow"],
    ["that does not end", "/slow-body"],
  ])("an answer %s in time is given up", async (_, path) => {
    const error = { name: "NoAnswer", refused: false, message: "no answer in time" };
    await expect(send(path, { signal: AbortSignal.timeout(40) })).rejects.toMatchObject(error);
  });

  test("what failed leaves room for the next", async () => {
    await Promise.all(["/reset", "/reset", "/cut"].map((path) => send(path).catch(() => undefined)));
    expect((await send("/echo")).status).toBe(201);
  });
});

test("an answer without end is given up at 64 MiB, and asking again would not help", async () => {
  await expect(send("/endless")).rejects.toMatchObject({
    ...{ refused: false, message: "its answer is longer than 64 MiB and was not read" },
    advice: "Check that feature-console:baseUrl is the address of the API and not of a web page or proxy.",
  });
});

test("a certificate that nobody trusts: nothing was sent, and the way to trust it is named", async () => {
  let requests = 0;
  const tls = createTlsServer(selfSigned(), (_, answer) => {
    requests += 1;
    answer.end("{}");
  });
  await new Promise<void>((resolve) => tls.listen(0, "127.0.0.1", resolve));
  const url = `https://localhost:${(tls.address() as AddressInfo).port}/x`;
  await expect(send("", { url, method: "POST", body: "{}" })).rejects.toMatchObject({
    ...{ refused: true, message: "DEPTH_ZERO_SELF_SIGNED_CERT" },
    advice:
      "Its certificate is not trusted here, so nothing was sent: where a CA of your own signed it, export NODE_EXTRA_CA_CERTS=/path/to/ca.pem.",
  });
  tls.close();
  expect(requests).toBe(0);
});

describe("a proxy of the environment", () => {
  let seen: string[];
  let proxy: HttpServer;
  const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"];
  const before = Object.fromEntries(names.map((name) => [name, process.env[name]]));
  beforeEach(async () => {
    seen = [];
    for (const name of names) delete process.env[name];
    // It leads every name to the server of this test.
    proxy = await serveHttp((request, response) => {
      seen.push(String(request.url));
      response.end(JSON.stringify({ by: "the proxy" }));
    });
    proxy.server.on("connect", (request, socket) => {
      seen.push(`CONNECT ${request.url}`);
      const there = connect(Number(new URL(base).port), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        socket.pipe(there).pipe(socket);
      });
      for (const one of [socket, there]) one.on("error", () => undefined);
    });
  });
  afterEach(async () => {
    await proxy.close();
    for (const name of names) {
      const value = before[name];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });

  const get = (url: string) => httpTransport(1).send({ method: "GET", url, headers: {} });

  test("is asked for another machine, and never for this one", async () => {
    Object.assign(process.env, { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url });
    expect((await get("http://console.test/echo")).status).toBeLessThan(300);
    expect(seen).toEqual([expect.stringContaining("console.test")]);
    expect((await get(`${base}/echo`)).status).toBe(201);
    await expect(get("https://console.test/echo")).rejects.toMatchObject({ name: "NoAnswer" });
    expect(seen.slice(1)).toEqual(["CONNECT console.test:443"]);
  });

  test("is not asked for what NO_PROXY names", async () => {
    Object.assign(process.env, { HTTPS_PROXY: proxy.url, NO_PROXY: ".invalid" });
    await expect(get("https://console.invalid/echo")).rejects.toMatchObject({ refused: true });
    expect(seen).toEqual([]);
  });

  test("that refuses, is gone, or is no address: nothing was sent, and the setting is named", async () => {
    const advice =
      "Nothing was sent: the request goes by the proxy of HTTPS_PROXY. Correct that, or name the host in NO_PROXY.";
    const refuses = async (value: string) => {
      process.env.HTTPS_PROXY = value;
      await expect(get("https://console.test/x")).rejects.toMatchObject({ refused: true, advice });
    };
    await refuses("http://127.0.0.1:1");
    await refuses("proxy.example:3128");
    proxy.server.removeAllListeners("connect").on("connect", (_, socket) => {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    });
    await refuses(proxy.url);
  });
});
