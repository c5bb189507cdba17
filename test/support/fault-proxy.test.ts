import { afterEach, expect, test } from "@jest/globals";
import { type FaultProxy, startFaultProxy } from "./fault-proxy";
import { serveHttp } from "./http-server";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Any console: it tells what it was asked. */
async function startConsole(): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const { url, close } = await serveHttp((request, response) => {
    asked.push(`${request.method} ${request.url} ${String(request.headers["x-api-key"])}`);
    response.writeHead(request.method === "POST" ? 201 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ message: "ok", number: asked.length }));
  });
  closing.push(close);
  return { url, asked };
}

async function before(url: string, ...faults: Parameters<typeof startFaultProxy>[1][]): Promise<FaultProxy> {
  const proxy = await startFaultProxy(url, faults[0]);
  closing.push(proxy.close);
  return proxy;
}

const headers = { "x-api-key": "shown" };

test("what meets no fault passes as it is, and is noted", async () => {
  const { url, asked } = await startConsole();
  const proxy = await before(url);
  const answer = await fetch(`${proxy.url}/console/v1/gates?page=2`, { method: "POST", headers, body: "{}" });
  expect([answer.status, await answer.json()]).toEqual([201, { message: "ok", number: 1 }]);
  expect(asked).toEqual(["POST /console/v1/gates?page=2 shown"]);
  expect(proxy.requests).toEqual([
    { method: "POST", path: "/console/v1/gates", query: "page=2", body: "{}", status: 201 },
  ]);
});

test("faults before and after the console acted, of its answer and instead of it", async () => {
  const { url, asked } = await startConsole();
  const proxy = await before(url, [
    { times: 1, reset: "before" },
    { times: 1, reset: "after" },
    { times: 1, twice: "first" },
    { times: 1, status: 401 },
    { times: 1, truncate: "right" },
  ]);
  const ask = () => fetch(`${proxy.url}/console/v1/gates`, { headers });
  await expect(ask()).rejects.toThrow();
  expect(asked).toHaveLength(0);
  await expect(ask()).rejects.toThrow();
  expect(asked).toHaveLength(1);
  expect(await (await ask()).json()).toMatchObject({ number: 2 });
  expect(asked).toHaveLength(3);
  expect(await (await ask()).json()).toEqual({
    status: 401,
    message: "An invalid API key was sent. Key: shown",
  });
  expect(asked).toHaveLength(3);
  await expect((await ask()).json()).rejects.toThrow(/JSON/);
  expect(proxy.requests.map(({ status }) => status)).toEqual([0, 0, 200, 401, 200]);
});

test("a stale read is refused: a proxy does not know what was", async () => {
  const { url } = await startConsole();
  const proxy = await before(url);
  expect(() => proxy.addFaults([{ stale: true, times: 1 }])).toThrow("A proxy cannot answer stale reads.");
});
