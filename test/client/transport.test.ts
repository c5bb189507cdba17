import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { httpTransport, type WireRequest } from "../../src/client/transport";

const transport = httpTransport(2);
const hugeLength = 5 * 1024 * 1024;
let server: Server;
let base: string;

beforeAll(async () => {
  server = createServer((request, response) => {
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
        case "/redirect":
          response.writeHead(302, { location: `${base}/echo` });
          return void response.end();
        default:
          response.writeHead(201, {
            "Content-Type": "application/json",
            "Retry-After": "3",
            "Set-Cookie": ["a=1", "b=2"],
          });
          return void response.end(
            JSON.stringify({
              method: request.method,
              headers: request.headers,
              length: text.length,
              text: text.slice(0, 100),
            }),
          );
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const send = (path: string, more: Partial<WireRequest> = {}) =>
  transport.send({ method: "GET", url: `${base}${path}`, headers: {}, ...more });

/** A port at which nobody listens. */
async function closedPort(): Promise<number> {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  await new Promise((resolve) => other.close(resolve));
  return port;
}

describe("over a real connection", () => {
  test.each(["GET", "POST", "PUT", "PATCH", "DELETE"] as const)(
    "%s carries headers and body both ways",
    async (method) => {
      const body = method === "GET" ? {} : { body: '{"é":1}' };
      const answer = await send("/echo?a=b", {
        method,
        headers: { "SERVICE-API-KEY": "k", "content-type": "application/json" },
        ...body,
      });
      const seen = JSON.parse(answer.text) as {
        method: string;
        headers: Record<string, string>;
        text: string;
      };
      expect([answer.status, answer.headers["retry-after"], answer.headers["content-type"]]).toEqual([
        201,
        "3",
        "application/json",
      ]);
      expect([seen.method, seen.headers["service-api-key"], seen.text]).toEqual([
        method,
        "k",
        method === "GET" ? "" : '{"é":1}',
      ]);
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

  test("a port at which nobody listens: the request never left", async () => {
    const url = `http://127.0.0.1:${await closedPort()}/x`;
    await expect(send("", { url })).rejects.toMatchObject({
      name: "NoAnswer",
      refused: true,
      message: "ECONNREFUSED",
    });
  });

  test("both addresses of localhost refuse: the request never left", async () => {
    const url = `http://localhost:${await closedPort()}/x`;
    await expect(send("", { url })).rejects.toMatchObject({ refused: true });
  });

  test("an address that is none: the request never left", async () => {
    await expect(send("", { url: "http://" })).rejects.toMatchObject({ name: "NoAnswer", refused: true });
  });

  test.each([
    ["before any answer", "/reset"],
    ["in the middle of one", "/cut"],
  ])("a connection that breaks %s: the request may have been carried out", async (_, path) => {
    await expect(send(path, { method: "POST", body: "{}" })).rejects.toMatchObject({
      name: "NoAnswer",
      refused: false,
    });
  });

  test.each([
    ["that does not begin", "/slow"],
    ["that does not end", "/slow-body"],
  ])("an answer %s in time is given up", async (_, path) => {
    const failed = send(path, { signal: AbortSignal.timeout(40) });
    await expect(failed).rejects.toMatchObject({
      name: "NoAnswer",
      refused: false,
      message: "no answer in time",
    });
  });

  test("what failed leaves room for the next", async () => {
    await Promise.all(["/reset", "/reset", "/cut"].map((path) => send(path).catch(() => undefined)));
    expect((await send("/echo")).status).toBe(201);
  });
});
