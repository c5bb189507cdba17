import { afterEach, expect, test } from "@jest/globals";
import type { Fault } from "../../src/emulator";
import { startFaultProxy } from "./fault-proxy";
import { serveHttp } from "./http-server";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A proxy in front of any console, which tells what it was asked. */
async function startProxy(...faults: Fault[]) {
  const asked: string[] = [];
  const console = await serveHttp((request, response) => {
    asked.push(`${request.method} ${request.url} ${String(request.headers["x-api-key"])}`);
    response.writeHead(request.method === "POST" ? 201 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ message: "ok", number: asked.length }));
  });
  const proxy = await startFaultProxy(console.url, faults);
  closing.push(console.close, proxy.close);
  const ask = (more: RequestInit = {}) =>
    fetch(`${proxy.url}/console/v1/gates?page=2`, { headers: { "x-api-key": "shown" }, ...more });
  return { asked, proxy, ask };
}

test("what meets no fault passes as it is, and is noted", async () => {
  const { asked, proxy, ask } = await startProxy();
  const answer = await ask({ method: "POST", body: "{}" });
  expect([answer.status, await answer.json()]).toEqual([201, { message: "ok", number: 1 }]);
  expect(asked).toEqual(["POST /console/v1/gates?page=2 shown"]);
  const request = { method: "POST", path: "/console/v1/gates", query: "page=2", body: "{}" };
  expect(proxy.requests).toEqual([{ ...request, status: 201 }]);
  const stale = () => proxy.addFaults([{ stale: true, times: 1 }]);
  expect(stale).toThrow("A proxy cannot answer stale reads.");
});

test("faults before and after the console acted, of its answer and instead of it", async () => {
  const faults = [{ reset: "before" }, { reset: "after" }, { twice: "first" }, { status: 401 }] as const;
  const all: Fault[] = [...faults, { truncate: "right" as const }].map((fault) => ({ times: 1, ...fault }));
  const { asked, proxy, ask } = await startProxy(...all);
  await expect(ask()).rejects.toThrow();
  expect(asked).toHaveLength(0);
  await expect(ask()).rejects.toThrow();
  expect(asked).toHaveLength(1);
  expect(await (await ask()).json()).toMatchObject({ number: 2 });
  expect(asked).toHaveLength(3);
  const message = "An invalid API key was sent. Key: shown";
  expect(await (await ask()).json()).toEqual({ status: 401, message });
  expect(asked).toHaveLength(3);
  await expect((await ask()).json()).rejects.toThrow(/JSON/);
  expect(proxy.requests.map(({ status }) => status)).toEqual([0, 0, 200, 401, 200]);
});
