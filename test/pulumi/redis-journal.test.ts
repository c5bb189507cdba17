import { mkdtempSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { removeTree } from "../../scripts/process/atomic-folder";
import { run } from "../../scripts/process/run";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { type RunningEmulator, startEmulator } from "../../src/emulator";
import { type ConsoleClient, createClient } from "../../src/provider/client";
import { httpTransport, type Transport } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import type { ResourceDefinition } from "../../src/provider/schema/define";
import type { JsonObject } from "../../src/provider/schema/json";
import { configFor, testKey } from "../support/in-process";
import { killedAfterSend } from "../support/killed-after-send";
import { type RedisServer, startRedis, whyNoRedis } from "../support/redis-server";
import { startRun } from "../support/run";

jest.setTimeout(60_000);

let emulator: RunningEmulator;
let raw: ConsoleClient;
const folders: string[] = [];
const doors: { disconnect(): void }[] = [];
/** How much later it is, for the console and for every machine. */
let laterMs = 0;

beforeEach(async () => {
  laterMs = 0;
  emulator = await startEmulator({ profile: "custom", clock: () => Date.now() + laterMs });
  raw = createClient({ profile: "custom", baseUrl: emulator.url, apiKey: testKey });
});
afterEach(async () => {
  for (const door of doors.splice(0)) door.disconnect();
  await emulator.close();
  await Promise.all(folders.splice(0).map(removeTree));
});

/** A run: a process of its own, as a rule with a folder of its own, as a job of a pipeline has it. */
interface Job {
  readonly redisUrl?: string | undefined;
  readonly stack?: string;
  readonly folder?: string;
  readonly transport?: Transport;
  /** How far this machine's clock is ahead. */
  readonly aheadMs?: number;
}

/** What was made a moment ago could be the fruit of the run that asks. */
function waitAnHour(): void {
  laterMs += 3_600_000;
}

const http = httpTransport(8);

/** Answers bear the time of the console. */
const dated = (transport: Transport): Transport => ({
  async send(request) {
    const answer = await transport.send(request);
    const date = new Date(Date.now() + laterMs).toUTCString();
    return { ...answer, headers: { ...answer.headers, date } };
  },
});

function freshFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "feature-console-job-"));
  folders.push(folder);
  return folder;
}

function startJob(job: Job = {}) {
  const {
    redisUrl,
    stack = "dev",
    folder = freshFolder(),
    transport = http,
    aheadMs = 0,
  } = {
    ...{ redisUrl: redis?.url, ...job },
  };
  const { of, lines } = startRun({
    ...{ config: { ...configFor(emulator), "feature-console:redisUrl": redisUrl }, stack, folder },
    ...{ now: () => Date.now() + laterMs + aheadMs, transport: dated(transport) },
  });
  const up = async (definition: ResourceDefinition, args: JsonObject, name = "resource") => {
    const driver = of(definition);
    const made = await driver.up({ __program: { name }, ...args });
    return { id: made.id, destroy: () => driver.destroy(made) };
  };
  const upGate = (more: JsonObject = {}, name?: string) => up(catalog.gate, { ...gate, ...more }, name);
  const upTag = (name = "shop") => up(catalog.tag, { name, description: "Shop" });
  return { up, upGate, upTag, lines, folder };
}

const gate = { key: "checkout", name: "Checkout", description: "New checkout" };
const alert = { name: "Few orders", message: "Look", alertThreshold: 3 };
const samples: [string, ResourceDefinition, JsonObject][] = [
  ["gate, which shows when it was made", catalog.gate, gate],
  ["tag, which does not", catalog.tag, { name: "shop", description: "Shop" }],
  ["alert, whose id the console makes", catalog.alert, alert],
];
const taken = 'gate "checkout" exists already.';

const withRedis = whyNoRedis === undefined ? describe : describe.skip;
const reason = whyNoRedis === undefined ? "" : ` (${whyNoRedis})`;

let redis: RedisServer;
beforeAll(async () => {
  if (whyNoRedis === undefined) redis = await startRedis();
});
afterAll(() => redis?.stop());

withRedis(`the journal in Redis${reason}`, () => {
  test.each(samples)(
    "a job with a fresh checkout takes over what a killed one made: a %s",
    async (...row) => {
      const [, definition, args] = row;
      const made = await startJob().up(definition, args);
      const next = startJob();
      expect((await next.up(definition, args)).id).toBe(made.id);
      expect(next.lines).toEqual([expect.stringContaining("is there already, made by this stack")]);
    },
  );

  test("also where it was killed before the answer, on a machine whose clock is minutes off", async () => {
    const { transport, sent } = killedAfterSend(http);
    void startJob({ transport, aheadMs: 180_000 }).upGate();
    await sent;
    waitAnHour();
    expect((await startJob().upGate()).id).toBe("checkout");
  });

  test("is none of a job without Redis, of another stack, or of another resource", async () => {
    await startJob().upGate();
    waitAnHour();
    await expect(startJob({ redisUrl: undefined }).upGate()).rejects.toThrow(taken);
    await expect(startJob({ stack: "prod" }).upGate()).rejects.toThrow(taken);
    await expect(startJob().upGate({}, "renamed")).rejects.toThrow("aliases");
  });

  test("the same stack is refused what is in another project of the same address", async () => {
    await startJob().upGate();
    waitAnHour();
    const text = JSON.stringify({ message: "ok", data: { id: "another" } });
    const send: Transport["send"] = async (request) =>
      request.url.endsWith("/project") ? { status: 200, headers: {}, text } : http.send(request);
    await expect(startJob({ transport: { send } }).upGate()).rejects.toThrow(taken);
  });

  test("once it was destroyed, an equal object that somebody else made is refused", async () => {
    await (await startJob().upTag()).destroy();
    await raw.tag.create({ body: { name: "shop", description: "Shop" } });
    await expect(startJob().upTag()).rejects.toThrow("exists already.");
  });

  test("what a later job noted counts more than what lies in the folder", async () => {
    const { upGate, folder } = startJob();
    await (await upGate()).destroy();
    await raw.gate.delete({ id: "checkout" });
    waitAnHour();
    await startJob().upGate();
    waitAnHour();
    expect((await startJob({ folder }).upGate()).id).toBe("checkout");
  });

  test("a note is one field of one hash, which is forgotten a week after the last", async () => {
    const direct = await emptied();
    const job = startJob();
    await job.upGate();
    await job.upTag();
    const keys = (await direct.keys("*")).filter((name) => !name.startsWith("feature-console:writes:"));
    expect(keys).toEqual([expect.stringMatching(/^feature-console:journal:[0-9a-f]{32}$/)]);
    const [name = ""] = keys;
    expect((await direct.hkeys(name)).sort()).toEqual(['gate "checkout"', 'tag "shop"']);
    expect(JSON.parse((await direct.hget(name, 'gate "checkout"')) ?? "")).toMatchObject({
      ...{ at: expect.any(Number), did: "create", name: "resource", made: "checkout" },
    });
    await direct.expire(name, 60);
    await job.upTag("other");
    expect(await direct.ttl(name)).toBeGreaterThan(7 * 24 * 3600 - 60);
  });

  test("what is no note there is passed over", async () => {
    const direct = await emptied();
    await startJob().upGate();
    const [name = ""] = await direct.keys("feature-console:journal:*");
    await direct.hset(name, 'gate "checkout"', "{torn");
    waitAnHour();
    await expect(startJob().upGate()).rejects.toThrow("exists already.");
  });

  test("a Redis that refuses notes and takes the rest goes on sharing the write limit", async () => {
    const direct = await emptied();
    await direct.acl("SETUSER", "narrow", "on", ">pass", "~feature-console:writes:*", "+@all");
    const job = startJob({ redisUrl: redis.url.replace("//", "//narrow:pass@") });
    await job.upGate();
    await job.upTag();
    expect(job.lines).toEqual([
      "The Redis of feature-console:redisUrl cannot be used (NOPERM): creates are noted in the project's folder only until it is back.",
    ]);
    const writes = await direct.keys("feature-console:writes:*");
    expect(await direct.zcard(writes.find((one) => one.endsWith(":project")) ?? "")).toBe(2);
  });

  test("a run with it ends when its work is done", async () => {
    const direct = await emptied();
    const program = `
      const { catalog } = require("./src/provider/definitions/index.ts");
      const { ProviderProcess } = require("./src/provider/pulumi/process.ts");
      const { providerOf } = require("./src/provider/pulumi/provider.ts");
      const [baseUrl, redisUrl, folder] = process.argv.slice(1);
      const settings = { profile: "custom", apiKey: "any", baseUrl, redisUrl };
      const run = new ProviderProcess({ folder, environment: () => ({}) });
      run.configure((name) => settings[name.split(":")[1]]);
      const provider = providerOf(catalog.gate, run);
      const urn = "urn:pulumi:dev::test::pulumi-nodejs:dynamic/feature-console:Gate::made";
      provider.check({}, { key: "made", __program: { name: "made", urn }, __provider: "text" })
        .then(({ inputs }) => provider.create(inputs)).then(({ id }) => console.log(id));
    `;
    const args = ["--import", "tsx", "--input-type=commonjs", "-e", program];
    const finished = await run(
      path.join(repositoryRoot, "node_modules", ".bin", "node"),
      [...args, emulator.url, redis.url, freshFolder()],
      { cwd: repositoryRoot, env: process.env, timeoutMs: 30_000 },
    );
    const [name = ""] = await direct.keys("feature-console:journal:*");
    expect(await direct.hkeys(name)).toEqual(['gate "made"']);
    expect(finished).toEqual({ code: 0, stdout: "made\n", stderr: "" });
  });
});

/** A second door to Redis, which is empty now. */
async function emptied() {
  const { Redis } = await import("ioredis");
  const direct = new Redis(redis.url);
  doors.push(direct);
  await direct.flushall();
  return direct;
}

describe("without Redis", () => {
  let silent: Server | undefined;
  const sockets = new Set<Socket>();
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    silent?.close();
  });

  /** Takes connections and says nothing. */
  async function silentUrl(): Promise<string> {
    const server = createServer((socket) => sockets.add(socket)).listen(0, "127.0.0.1");
    silent = server;
    await new Promise((resolve) => server.once("listening", resolve));
    return `redis://127.0.0.1:${(server.address() as { port: number }).port}`;
  }

  test.each([
    ["that is not there", "ECONNREFUSED", async () => "redis://:hidden@127.0.0.1:1"],
    ["that does not answer", "no answer in time", silentUrl],
  ])("with a Redis %s all works as with none, and it is said once", async (_, why, url) => {
    const job = startJob({ redisUrl: await url() });
    const begun = Date.now();
    for (let number = 1; number <= 20; number += 1)
      await job.upGate({ key: `gate_${number}`, name: `Gate ${number}` }, `gate_${number}`);
    expect(Date.now() - begun).toBeLessThan(2500);
    expect(job.lines).toEqual([
      `The Redis of feature-console:redisUrl cannot be used (${why}): only this process's own write limit holds, ` +
        "and creates are noted in the project's folder only until it is back.",
    ]);
    const next = startJob({ redisUrl: undefined, folder: job.folder });
    expect((await next.upGate({ key: "gate_1", name: "Gate 1" }, "gate_1")).id).toBe("gate_1");
  });
});
