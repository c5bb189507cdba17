import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { run } from "../../scripts/process/run";
import { repositoryRoot } from "../../scripts/pulumi-cli/environment";
import { startEmulator } from "../../src/emulator";
import { createClient } from "../../src/provider/client";
import type { SharedBudget } from "../../src/provider/client/limits/limiter";
import { RedisConnection } from "../../src/provider/client/limits/redis";
import { redisBudget, withoutBudget } from "../../src/provider/client/limits/redis-budget";
import { projectName, projectReader } from "../../src/provider/client/project-name";
import { resolveSettings } from "../../src/provider/client/settings";
import { type RedisServer, startRedis, whyNoRedis } from "../support/redis-server";
import { callerOf, FakeTransport, json, ok, type Reply, secretKey, settings } from "./fakes";

jest.setTimeout(60_000);

const windows = {
  project: [{ most: 10, windowMs: 1000 }],
  ids: [{ most: 4, windowMs: 1000 }],
};

const longestWriteMs = 500;

/** A budget in a Redis, whose clock a test moves. */
function budgetIn(redisUrl: string, project = "a_project") {
  const lines: string[] = [];
  const clock = { ahead: 0 };
  const now = () => Date.now() + clock.ahead;
  const connection = new RedisConnection({ redisUrl, report: (line) => lines.push(line), now });
  const redis = connection.userOf(withoutBudget);
  const budget = redisBudget({ redis, windows, longestWriteMs, project: () => Promise.resolve(project) });
  return { budget, lines, clock };
}

type Limits = Parameters<SharedBudget["take"]>[0];

/** Takes room for writes one after another, each answered at once. @returns for how many there was room. */
async function taken(budget: SharedBudget, times: number, limits: Limits): Promise<number> {
  let count = 0;
  for (let at = 0; at < times; at += 1) {
    const { waitMs, ended } = await budget.take(limits);
    ended?.();
    if (waitMs === 0) count += 1;
  }
  return count;
}

const waitOf = async (budget: SharedBudget, limits: Limits) => (await budget.take(limits)).waitMs;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The name of the budget of a console that answers so. */
const named = (...replies: Reply[]) => {
  const { caller } = callerOf(new FakeTransport(...replies));
  const project = projectReader((route) => caller.call(route));
  return projectName(resolveSettings(settings), project);
};

describe("the name of a budget", () => {
  test("is that of the project, whatever the key", async () => {
    const one = await named(ok({ id: "p1" }));
    const other = await named(ok({ id: "p2" }));
    expect(one).toMatch(/^[0-9a-f]{16}$/);
    expect(one).not.toBe(other);
    const again = resolveSettings({ ...settings, apiKey: `${secretKey}2` });
    expect(await projectName(again, () => Promise.resolve("p1"))).toBe(one);
  });

  test("is made of the key where the console does not tell the project, and does not show it", async () => {
    const name = await named(json(404, { message: "Not found" }));
    expect(name).toMatch(/^[0-9a-f]{16}$/);
    expect(name).toBe(await named(ok({})));
  });
});

describe("the name of a budget that the console cannot tell now", () => {
  test.each<[string, Reply]>([
    ["a server error", json(503, { message: "down" })],
    ["a page of a proxy", { status: 502, headers: { "content-type": "text/html" }, text: "<html>" }],
    ["a lost connection", new Error("reset")],
  ])("is not made up after %s: runs of one project would part", async (_, reply) => {
    await expect(named(reply)).rejects.toThrow();
  });

  test.each([401, 403])("is made of the key after %d, which asking again does not change", async (status) => {
    expect(await named(json(status, { message: "no" }))).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe("a Redis that is not there", () => {
  test("holds nothing up, is told once without its password, and is not asked again at once", async () => {
    const password = ["not", "told"].join("-");
    const { budget, lines, clock } = budgetIn(`redis://:${password}@127.0.0.1:1`);
    expect(await taken(budget, 3, ["project"])).toBe(3);
    clock.ahead = 6000;
    expect(await taken(budget, 3, ["project"])).toBe(3);
    expect(lines).toEqual([
      "The Redis of feature-console:redisUrl cannot be used (ECONNREFUSED): only this process's own write limit holds until it is back.",
    ]);
  });
});

const withRedis = whyNoRedis === undefined ? describe : describe.skip;
const reason = whyNoRedis === undefined ? "" : ` (${whyNoRedis})`;

withRedis(`a budget in Redis${reason}`, () => {
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  test("is one for all processes of a project", async () => {
    const [one, other] = [budgetIn(redis.url, "shared"), budgetIn(redis.url, "shared")];
    const [first, second] = await Promise.all([
      taken(one.budget, 10, ["project"]),
      taken(other.budget, 10, ["project"]),
    ]);
    expect(first + second).toBe(10);
    expect(await waitOf(budgetIn(redis.url, "another").budget, ["project"])).toBe(0);
  });

  test("says how long to wait: until a window after the first write was answered", async () => {
    const { budget } = budgetIn(redis.url, "waiting");
    const { ended } = await budget.take(["project"]);
    const begun = Date.now();
    await taken(budget, 9, ["project"]);
    await pause(300);
    const answered = Date.now();
    ended?.();
    const wait = await waitOf(budget, ["project"]);
    // On a busy machine the pause is longer, and the wait as much shorter.
    expect(wait).toBeGreaterThanOrEqual(990 - (Date.now() - begun));
    expect(wait).toBeLessThanOrEqual(700);
    await pause(wait + 20);
    const count = await taken(budget, 20, ["project"]);
    // Nine of the ten: the first ended later, unless this process had no turn for so long.
    if (Date.now() - answered < 1000) expect(count).toBe(9);
  });

  test("counts the write of a process that died until it can no longer arrive", async () => {
    const { budget } = budgetIn(redis.url, "dead");
    await budget.take(["project"]);
    await pause(1100);
    expect(await taken(budget, 10, ["project"])).toBe(9);
    await pause(1100);
    expect(await taken(budget, 10, ["project"])).toBe(10);
  });

  test("has a limit of its own for ids, of which a refusal takes nothing from the project", async () => {
    const { budget } = budgetIn(redis.url, "ids");
    expect(await taken(budget, 5, ["project", "ids"])).toBe(4);
    expect(await taken(budget, 10, ["project"])).toBe(6);
  });

  test("is not lost to a process that is busy for seconds while Redis answers", async () => {
    const { budget, lines } = budgetIn(redis.url, "busy");
    await taken(budget, 10, ["project"]);
    await pause(1000);
    await budget.take(["project"]);
    const asked = Promise.all(Array.from({ length: 10 }, () => waitOf(budget, ["project"])));
    // All is sent, and no answer is read.
    await new Promise(setImmediate);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);
    expect((await asked).filter((wait) => wait === 0)).toHaveLength(9);
    expect(lines).toEqual([]);
  });

  test("keeps two callers inside the limits of one console together", async () => {
    const emulator = await startEmulator({ rateLimit: true, rateLimitScale: 0.02 });
    const shared = { ...settings, baseUrl: emulator.url, writeWindowScale: 0.02, redisUrl: redis.url };
    const callers = ["one", "other"].map((name) => ({
      name,
      caller: createClient({ ...shared, apiKey: `${secretKey}-${name}` }),
    }));
    const create = (name: string, index: number) => ({ body: { name: `${name} ${index}`, isEnabled: true } });
    await Promise.all(
      callers.flatMap(({ name, caller }) =>
        Array.from({ length: 75 }, (_, index) => caller.gate.create(create(name, index))),
      ),
    );
    const statuses = emulator.requests.filter(({ method }) => method === "POST").map(({ status }) => status);
    expect(statuses).toEqual(Array(150).fill(201));
    await emulator.close();
  });
});

withRedis(`a Redis that goes and comes back${reason}`, () => {
  let redis: RedisServer | undefined;
  afterEach(() => redis?.stop());

  test("holds nothing up while it is gone, and is used again", async () => {
    redis = await startRedis();
    const { port } = redis;
    const { budget, lines, clock } = budgetIn(redis.url);
    expect(await taken(budget, 15, ["project"])).toBe(10);
    await redis.stop();
    expect(await taken(budget, 10, ["project"])).toBe(10);
    expect(lines).toHaveLength(1);
    redis = await startRedis(port);
    clock.ahead = 6000;
    expect(await taken(budget, 15, ["project"])).toBe(10);
    expect(lines).toHaveLength(1);
  });

  test.each([
    ["is loaded where it is set, and does not keep a program from ending", () => redis?.url],
    ["is not loaded where it is not set", () => undefined],
  ])("%s", async (_, redisUrl) => {
    redis = await startRedis();
    const emulator = await startEmulator();
    const program = `
      const { createClient } = require("./src/provider/client/index.ts");
      const [baseUrl, redisUrl] = process.argv.slice(1);
      const client = createClient({ profile: "custom", apiKey: "any", baseUrl, redisUrl });
      const loaded = () => Object.keys(require.cache).some((file) => file.includes("ioredis"));
      client.gate.create({ body: { name: "made", isEnabled: true } }).then(() => console.log(loaded()));
    `;
    const url = redisUrl();
    const args = ["--import", "tsx", "--input-type=commonjs", "-e", program, emulator.url];
    const finished = await run(
      path.join(repositoryRoot, "node_modules", ".bin", "node"),
      [...args, ...(url === undefined ? [] : [url])],
      { cwd: repositoryRoot, env: process.env, timeoutMs: 30_000 },
    );
    await emulator.close();
    expect(finished).toEqual({ code: 0, stdout: `${url !== undefined}\n`, stderr: "" });
  });
});
